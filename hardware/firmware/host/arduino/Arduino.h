// The few names of the Arduino cores that the sketch uses, so that a computer without them can check it. Not to be
// installed anywhere: on a board the real core is used.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

constexpr uint8_t A0 = 26, A1 = 27, INPUT_PULLUP = 2, OUTPUT = 1, LOW = 0, HIGH = 1;
constexpr int FALLING = 2;

void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t level);
int analogRead(uint8_t pin);
void analogReadResolution(int bits);
void delayMicroseconds(unsigned us);
uint32_t millis();
int digitalPinToInterrupt(uint8_t pin);
void attachInterrupt(int interrupt, void (*handler)(), int mode);

template <typename T>
T constrain(T value, T low, T high) {
  return value < low ? low : value > high ? high : value;
}

struct SerialPort {
  void begin(unsigned long baud);
  int read();
  size_t write(const uint8_t* data, size_t size);
  explicit operator bool() const;
};
extern SerialPort Serial;

#if defined(ARDUINO_ARCH_ESP32)
struct EspClass {
  uint64_t getEfuseMac();
  void restart();
};
extern EspClass ESP;
void enableLoopWDT();
void feedLoopWDT();
#else
struct RP2040 {
  uint32_t hwrand32();
  const char* getChipID();
  void wdt_begin(uint32_t ms);
  void wdt_reset();
  void restart();
};
extern RP2040 rp2040;
#endif
