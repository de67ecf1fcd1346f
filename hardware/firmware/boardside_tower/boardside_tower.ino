// Boardside dice tower for boards with an RP2040, RP2350 or ESP32 and the Arduino core. Build guide: ../README.md.
#include <Arduino.h>
#include <LittleFS.h>

#include "src/pip_reader.h"
#include "src/tower.h"

#if defined(ARDUINO_ARCH_ESP32)
#include <esp_random.h>
constexpr uint8_t kSelectPins[4] = {4, 5, 6, 7};
constexpr uint8_t kPocketPins[2] = {1, 2};  // converter inputs
constexpr uint8_t kEmitterPins[2] = {8, 9};
constexpr uint8_t kBeamPin = 10;
constexpr uint8_t kLightPin = 11;
#else
constexpr uint8_t kSelectPins[4] = {2, 3, 4, 5};
constexpr uint8_t kPocketPins[2] = {A0, A1};
constexpr uint8_t kEmitterPins[2] = {6, 7};
constexpr uint8_t kBeamPin = 8;
constexpr uint8_t kLightPin = 9;
#endif

namespace {

volatile bool beam_crossed = false;
void on_beam() { beam_crossed = true; }

/// Two CD74HC4067 multiplexers with common select lines, one for each pocket; emitters lit only while they are read.
class Multiplexers final : public boardside::SampleSource {
 public:
  void begin() {
    for (uint8_t pin : kSelectPins) pinMode(pin, OUTPUT);
    for (uint8_t pin : kEmitterPins) pinMode(pin, OUTPUT);
    pinMode(kBeamPin, INPUT_PULLUP);
    attachInterrupt(digitalPinToInterrupt(kBeamPin), on_beam, FALLING);
    analogReadResolution(12);
  }

  uint16_t reflection(uint8_t pocket, uint8_t place) override {
    for (uint8_t bit = 0; bit < 4; ++bit) digitalWrite(kSelectPins[bit], place >> bit & 1);
    delayMicroseconds(10);
    const int dark = analogRead(kPocketPins[pocket]);
    digitalWrite(kEmitterPins[pocket], HIGH);
    delayMicroseconds(60);
    const int lit = analogRead(kPocketPins[pocket]);
    digitalWrite(kEmitterPins[pocket], LOW);
    // A phototransistor pulls its input down; what daylight does to it is in both readings. Zero means a broken wire.
    return static_cast<uint16_t>(constrain(dark - lit, 0, 4094) + (dark > 0 && dark < 4095 ? 1 : 0));
  }

  bool has_dropped() override {
    const bool crossed = beam_crossed;
    beam_crossed = false;
    return crossed;
  }
};

class UsbPort final : public boardside::Port {
 public:
  int read() override { return Serial.read(); }
  void write(const char* data, size_t size) override {
    if (Serial) Serial.write(reinterpret_cast<const uint8_t*>(data), size);
  }
};

/// A file that is replaced as a whole: LittleFS spreads its writes and survives a power cut in the middle of one.
class FlashStore final : public boardside::Store {
 public:
  bool load(void* data, size_t size) override {
    File file = LittleFS.open("/rolls", "r");
    const bool whole = file && file.read(static_cast<uint8_t*>(data), size) == static_cast<int>(size);
    if (file) file.close();
    return whole;
  }
  bool save(const void* data, size_t size) override {
    File file = LittleFS.open("/rolls.new", "w");
    const bool whole = file && file.write(static_cast<const uint8_t*>(data), size) == size;
    if (file) file.close();
    return whole && LittleFS.rename("/rolls.new", "/rolls");
  }
};

char tower_id[24];

#if defined(ARDUINO_ARCH_ESP32)
uint32_t random_number() { return esp_random(); }
uint64_t board_number() { return ESP.getEfuseMac(); }
void start_watchdog() { enableLoopWDT(); }
void feed_watchdog() { feedLoopWDT(); }
void restart() { ESP.restart(); }
bool mount() { return LittleFS.begin(true); }
#else
uint32_t random_number() { return rp2040.hwrand32(); }
uint64_t board_number() { return strtoull(rp2040.getChipID(), nullptr, 16); }
void start_watchdog() { rp2040.wdt_begin(4000); }
void feed_watchdog() { rp2040.wdt_reset(); }
void restart() { rp2040.restart(); }
bool mount() { return LittleFS.begin(); }
#endif

const char* name_tower() {
  const uint64_t number = board_number();
  snprintf(tower_id, sizeof tower_id, "tower-%08lx", static_cast<unsigned long>(number ^ number >> 32));
  return tower_id;
}

Multiplexers multiplexers;
boardside::PipReader reader(multiplexers);
UsbPort port;
FlashStore flash;

boardside::Tower& tower() {
  static boardside::Tower the_tower(port, reader, mount() ? &flash : nullptr,
                                    boardside::Identity{name_tower(), "Dice tower", random_number()});
  return the_tower;
}

}  // namespace

void setup() {
  Serial.begin(115200);
  pinMode(kLightPin, OUTPUT);
  multiplexers.begin();
  reader.learn_empty();
  tower().begin(millis());
  start_watchdog();
}

void loop() {
  const uint32_t now = millis();
  tower().tick(now);
  digitalWrite(kLightPin, !tower().is_blinking(now) || now / 150 % 2 ? HIGH : LOW);
  if (!tower().is_healthy(now)) restart();
  feed_watchdog();
}
