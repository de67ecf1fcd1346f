// See Arduino.h beside this file.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct File {
  explicit operator bool() const;
  int read(uint8_t* data, size_t size);
  size_t write(const uint8_t* data, size_t size);
  void close();
};

struct FileSystem {
  bool begin(bool format_on_failure = false);
  File open(const char* path, const char* mode);
  bool rename(const char* from, const char* to);
};
extern FileSystem LittleFS;
