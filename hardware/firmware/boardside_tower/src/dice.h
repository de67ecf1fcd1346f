// Hands of dice, what lies in the tray, and the one interface that a maker's own sensor has to implement.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace boardside {

constexpr size_t kMaxDice = 8;

/// The dice of a throw, one by one: their sides.
struct Hand {
  uint8_t count = 0;
  uint8_t sides[kMaxDice] = {};

  /// Reads "2d6", "d20", "2d6+d20" (at most four kinds in turn); false, and unchanged, where it is none.
  bool parse(const char* text);
  /// Writes the same; `out` takes 4 * kMaxDice + 1 characters.
  void format(char* out) const;
};

/// One die in the tray. `face` 0: it lies there but cannot be read (tilted, on another die).
struct DieView {
  uint8_t sides = 6;
  uint8_t face = 0;
  uint16_t per_mille = 0;  ///< how sure, 0-1000
};

/// What lies in the tray at this moment.
struct TrayView {
  /// Since the last look something fell in from above. Only this begins a throw: taking dice out, or nudging one,
  /// never does.
  bool dropped = false;
  uint8_t count = 0;
  DieView dice[kMaxDice];

  bool same_as(const TrayView& other) const;
};

/// Reads faces. Implement this for your own sensor; everything else stays as it is.
class FaceReader {
 public:
  /// Kinds of dice that it can read, as sides; ends with 0.
  virtual const uint8_t* kinds() const = 0;
  /// Looks into the tray; takes at most 5 ms. False when the sensor gave nothing (it is tried again at once).
  virtual bool look(uint32_t now_ms, TrayView& view) = 0;

 protected:
  ~FaceReader() = default;
};

}  // namespace boardside
