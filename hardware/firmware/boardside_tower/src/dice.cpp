#include "dice.h"

namespace boardside {

bool Hand::parse(const char* text) {
  Hand read;
  for (int part = 0; part < 4; ++part) {
    const uint8_t times = *text >= '1' && *text <= '8' ? static_cast<uint8_t>(*text++ - '0') : 1;
    if (*text++ != 'd') return false;
    uint8_t sides_read = 0;
    for (; *text >= '0' && *text <= '9' && sides_read <= 20; ++text)
      sides_read = static_cast<uint8_t>(sides_read * 10 + *text - '0');
    if (sides_read != 4 && sides_read != 6 && sides_read != 20) return false;
    if (read.count + times > static_cast<int>(kMaxDice)) return false;
    for (uint8_t i = 0; i < times; ++i) read.sides[read.count++] = sides_read;
    if (*text == '\0') {
      *this = read;
      return true;
    }
    if (*text++ != '+') return false;
  }
  return false;
}

void Hand::format(char* out) const {
  for (size_t i = 0; i < count;) {
    size_t same = 1;
    while (i + same < count && sides[i + same] == sides[i]) ++same;
    if (i) *out++ = '+';
    if (same > 1) *out++ = static_cast<char>('0' + same);
    *out++ = 'd';
    if (sides[i] >= 10) *out++ = static_cast<char>('0' + sides[i] / 10);
    *out++ = static_cast<char>('0' + sides[i] % 10);
    i += same;
  }
  *out = '\0';
}

bool TrayView::same_as(const TrayView& other) const {
  if (count != other.count) return false;
  for (size_t i = 0; i < count; ++i) {
    if (dice[i].sides != other.dice[i].sides || dice[i].face != other.dice[i].face) return false;
  }
  return true;
}

}  // namespace boardside
