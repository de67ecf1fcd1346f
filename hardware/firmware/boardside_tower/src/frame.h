// Frames of the tower's line protocol (hardware/PROTOCOL.md): written and read in fixed buffers, no heap.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace boardside {

constexpr uint32_t kVersion = 1;
constexpr size_t kMaxLine = 360;

/// CRC-32 as in Ethernet, zip and zlib (reflected 0x04C11DB7).
uint32_t crc32(const char* data, size_t size);

/// Writes one frame: begin, fields, end. A frame that does not fit is dropped as a whole.
class FrameWriter {
 public:
  void begin(const char* type, uint32_t seq);
  void text(const char* key, const char* value);
  void number(const char* key, uint32_t value);
  void boolean(const char* key, bool value);
  void hex(const char* key, uint32_t value);
  void null(const char* key);
  /// A list: open, items, close.
  void open_list(const char* key);
  void item_text(const char* value);
  void item_number(uint32_t value);
  void item_null();
  void item_per_mille(uint16_t value);
  void close_list();
  /// Adds checksum and newline; the size of the line, 0 when it did not fit.
  size_t end();
  const char* data() const { return line_; }

 private:
  void put(char c);
  void put(const char* s);
  void put_escaped(const char* s);
  void put_number(uint32_t value);
  void put_hex(uint32_t value);
  void key(const char* name);
  void comma();

  char line_[kMaxLine + 1];
  size_t size_ = 0;
  bool fits_ = true;
  bool first_item_ = true;
};

/// The fields of a frame whose checksum holds. Looks them up in place; anything but flat texts and numbers is skipped.
class FrameView {
 public:
  FrameView(const char* data, size_t size) : data_(data), size_(size) {}
  /// Copies a text of at most capacity - 1 characters, without escapes; false where there is none.
  bool text(const char* key, char* out, size_t capacity) const;
  bool number(const char* key, uint32_t& out) const;
  /// Eight lower-case hexadecimal digits.
  bool hex(const char* key, uint32_t& out) const;

 private:
  /// The first character of the value of a key of the outermost object; nullptr where there is none.
  const char* find(const char* key) const;

  const char* data_;
  size_t size_;
};

/// Whether [data, data + size) is a whole frame: printable, with a trailer whose checksum holds.
bool is_frame(const char* data, size_t size);

/// Cuts bytes into frames; keeps at most one line. A damaged line is tried once more from its last frame start.
class LineReader {
 public:
  enum class Result : uint8_t { nothing, frame, damaged };
  /// Takes one byte. After `frame`, `view()` is valid until the next byte.
  Result feed(char c);
  FrameView view() const { return FrameView(line_ + start_, size_ - start_); }

 private:
  Result finish();

  char line_[kMaxLine];
  size_t size_ = 0;
  size_t start_ = 0;
  bool overflow_ = false;
  bool done_ = false;
};

}  // namespace boardside
