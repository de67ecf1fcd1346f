// The reference sensor: each die comes to rest in a square pocket with a clear floor, under which nine infrared
// reflection sensors look at its lower face, one below each place where a pip can be. The upper face is seven minus it.
#pragma once

#include "dice.h"

namespace boardside {

/// Where raw readings come from: the analogue multiplexers on the board, or a simulation.
class SampleSource {
 public:
  /// Light that comes back to a sensor, 0-4095; pocket 0-1, place 0-8 row by row.
  virtual uint16_t reflection(uint8_t pocket, uint8_t place) = 0;
  /// The light barrier at the top has been crossed since it was last asked.
  virtual bool has_dropped() = 0;

 protected:
  ~SampleSource() = default;
};

/// What nine reflections say.
struct PipReading {
  bool present = false;
  uint8_t top_face = 0;  ///< 0 when no pattern fits
  uint16_t per_mille = 0;
};

/// Light dice with dark pips. `reflections` less what comes back from the empty pocket, row by row.
PipReading read_pips(const int32_t reflections[9]);

class PipReader final : public FaceReader {
 public:
  static constexpr uint8_t kPockets = 2;
  explicit PipReader(SampleSource& source) : source_(source) {}
  /// Learns what the empty pockets reflect; to be called at power-up, and again whenever the tray is known to be empty.
  void learn_empty();
  const uint8_t* kinds() const override;
  bool look(uint32_t now_ms, TrayView& view) override;

 private:
  SampleSource& source_;
  uint16_t empty_[kPockets][9] = {};
};

}  // namespace boardside
