#include "pip_reader.h"

namespace boardside {
namespace {

/// A face of a light die sends at least so much more light back than the clear floor alone.
constexpr int32_t kPresent = 250;
/// The largest reading of a twelve-bit converter.
constexpr uint16_t kRange = 4095;
/// Mean squared distance per place, in thousandths, above which no pattern fits: a tilted die.
constexpr int32_t kMisfit = 90;

struct Pattern {
  uint8_t pips;
  uint16_t places;  ///< bit 8 is the first place, row by row
};

// The nine ways in which a face can lie in a square pocket.
constexpr Pattern kPatterns[] = {
    {1, 0b000'010'000}, {2, 0b100'000'001}, {2, 0b001'000'100}, {3, 0b100'010'001}, {3, 0b001'010'100},
    {4, 0b101'000'101}, {5, 0b101'010'101}, {6, 0b101'101'101}, {6, 0b111'000'111},
};

/// Mean squared distance of nine brightnesses (0 pip, 1000 body) from a pattern, in thousandths.
int32_t misfit(const int32_t brightness[9], uint16_t places) {
  int32_t sum = 0;
  for (int i = 0; i < 9; ++i) {
    const int32_t off = brightness[i] - (places >> (8 - i) & 1 ? 0 : 1000);
    sum += off * off / 1000;
  }
  return sum / 9;
}

}  // namespace

PipReading read_pips(const int32_t reflections[9]) {
  PipReading reading;
  int32_t low = reflections[0], high = reflections[0];
  for (int i = 1; i < 9; ++i) {
    if (reflections[i] < low) low = reflections[i];
    if (reflections[i] > high) high = reflections[i];
  }
  reading.present = high >= kPresent;
  if (!reading.present || high - low < kPresent / 2) return reading;  // every face has both, pips and body
  int32_t brightness[9];
  for (int i = 0; i < 9; ++i) brightness[i] = (reflections[i] - low) * 1000 / (high - low);
  int32_t best[7];
  for (int32_t& misfit_of_face : best) misfit_of_face = INT32_MAX;
  for (const Pattern& pattern : kPatterns) {
    const int32_t off = misfit(brightness, pattern.places);
    if (off < best[pattern.pips]) best[pattern.pips] = off;
  }
  int first = 1;
  for (int pips = 2; pips <= 6; ++pips) {
    if (best[pips] < best[first]) first = pips;
  }
  int second = first == 1 ? 2 : 1;
  for (int pips = 1; pips <= 6; ++pips) {
    if (pips != first && best[pips] < best[second]) second = pips;
  }
  if (best[first] > kMisfit) return reading;
  reading.top_face = static_cast<uint8_t>(7 - first);
  // The nearer the runner-up, the less sure; equal distances are a toss-up.
  reading.per_mille = static_cast<uint16_t>(1000 - 500 * (best[first] + 1) / (best[second] + 1));
  return reading;
}

void PipReader::learn_empty() {
  for (uint8_t pocket = 0; pocket < kPockets; ++pocket) {
    for (uint8_t place = 0; place < 9; ++place) empty_[pocket][place] = source_.reflection(pocket, place);
  }
}

const uint8_t* PipReader::kinds() const {
  static constexpr uint8_t kKinds[] = {6, 0};
  return kKinds;
}

bool PipReader::look(uint32_t, TrayView& view) {
  view.dropped = source_.has_dropped();
  int at_an_end = 0;
  for (uint8_t pocket = 0; pocket < kPockets; ++pocket) {
    int32_t reflections[9];
    for (uint8_t place = 0; place < 9; ++place) {
      const uint16_t raw = source_.reflection(pocket, place);
      at_an_end += raw == 0 || raw >= kRange;
      reflections[place] = static_cast<int32_t>(raw) - empty_[pocket][place];
    }
    const PipReading reading = read_pips(reflections);
    if (reading.present) view.dice[view.count++] = DieView{6, reading.top_face, reading.per_mille};
  }
  return at_an_end < 9 * kPockets;  // all at an end: a wire is off
}

}  // namespace boardside
