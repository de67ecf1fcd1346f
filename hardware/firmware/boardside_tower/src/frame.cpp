#include "frame.h"

#include <string.h>

namespace boardside {
namespace {

constexpr char kStart[] = "{\"type\":\"";
constexpr char kTrailer[] = ",\"crc\":\"";
constexpr size_t kTrailerSize = sizeof(kTrailer) - 1 + 8 + 2;  // ,"crc":"00000000"}

bool read_hex(const char* data, uint32_t& out) {
  out = 0;
  for (size_t i = 0; i < 8; ++i) {
    const char c = data[i];
    const bool digit = c >= '0' && c <= '9';
    if (!digit && !(c >= 'a' && c <= 'f')) return false;
    out = out << 4 | static_cast<uint32_t>(digit ? c - '0' : c - 'a' + 10);
  }
  return true;
}

}  // namespace

uint32_t crc32(const char* data, size_t size) {
  // Half a byte at a time: sixteen words of table instead of 256.
  static constexpr uint32_t kTable[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                          0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                          0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < size; ++i) {
    crc ^= static_cast<uint8_t>(data[i]);
    crc = crc >> 4 ^ kTable[crc & 15];
    crc = crc >> 4 ^ kTable[crc & 15];
  }
  return ~crc;
}

void FrameWriter::begin(const char* type, uint32_t seq) {
  size_ = 0;
  fits_ = true;
  put(kStart);
  put(type);
  put('"');
  number("v", kVersion);
  number("seq", seq);
}

void FrameWriter::text(const char* name, const char* value) {
  key(name);
  put_escaped(value);
}

void FrameWriter::number(const char* name, uint32_t value) {
  key(name);
  put_number(value);
}

void FrameWriter::boolean(const char* name, bool value) {
  key(name);
  put(value ? "true" : "false");
}

void FrameWriter::hex(const char* name, uint32_t value) {
  key(name);
  put('"');
  put_hex(value);
  put('"');
}

void FrameWriter::null(const char* name) {
  key(name);
  put("null");
}

void FrameWriter::open_list(const char* name) {
  key(name);
  put('[');
  first_item_ = true;
}

void FrameWriter::item_text(const char* value) {
  comma();
  put_escaped(value);
}

void FrameWriter::item_number(uint32_t value) {
  comma();
  put_number(value);
}

void FrameWriter::item_null() {
  comma();
  put("null");
}

void FrameWriter::item_per_mille(uint16_t value) {
  comma();
  put(value >= 1000 ? "1." : "0.");
  const uint16_t rest = value >= 1000 ? 0 : value;
  put(static_cast<char>('0' + rest / 100));
  put(static_cast<char>('0' + rest / 10 % 10));
  put(static_cast<char>('0' + rest % 10));
}

void FrameWriter::close_list() { put(']'); }

size_t FrameWriter::end() {
  const uint32_t crc = crc32(line_, size_);
  put(kTrailer);
  put_hex(crc);
  put("\"}");
  if (!fits_) return 0;
  line_[size_] = '\n';
  return size_ + 1;
}

void FrameWriter::put(char c) {
  if (size_ < kMaxLine) {
    line_[size_++] = c;
  } else {
    fits_ = false;
  }
}

void FrameWriter::put(const char* s) {
  while (*s) put(*s++);
}

void FrameWriter::put_escaped(const char* s) {
  put('"');
  for (; *s; ++s) {
    if (*s == '"' || *s == '\\') put('\\');
    put(*s >= ' ' && *s <= '~' ? *s : '?');
  }
  put('"');
}

void FrameWriter::put_number(uint32_t value) {
  char digits[10];
  size_t count = 0;
  do {
    digits[count++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value);
  while (count) put(digits[--count]);
}

void FrameWriter::put_hex(uint32_t value) {
  for (int shift = 28; shift >= 0; shift -= 4) put("0123456789abcdef"[value >> shift & 15]);
}

void FrameWriter::key(const char* name) {
  put(",\"");
  put(name);
  put("\":");
}

void FrameWriter::comma() {
  if (!first_item_) put(',');
  first_item_ = false;
}

const char* FrameView::find(const char* key) const {
  const size_t key_size = strlen(key);
  const char* const end = data_ + size_;
  int depth = 0;
  for (const char* at = data_; at < end; ++at) {
    if (*at == '{' || *at == '[') ++depth;
    if (*at == '}' || *at == ']') --depth;
    if (*at != '"') continue;
    const char* const begin = ++at;
    while (at < end && *at != '"') at += *at == '\\' ? 2 : 1;
    if (at >= end) return nullptr;
    const bool is_key = at + 1 < end && at[1] == ':';
    if (depth == 1 && is_key && static_cast<size_t>(at - begin) == key_size && memcmp(begin, key, key_size) == 0) {
      return at + 2 < end ? at + 2 : nullptr;
    }
  }
  return nullptr;
}

bool FrameView::text(const char* key, char* out, size_t capacity) const {
  const char* at = find(key);
  if (at == nullptr || *at++ != '"') return false;
  for (size_t i = 0; at < data_ + size_ && i < capacity; ++i, ++at) {
    if (*at == '"') {
      out[i] = '\0';
      return true;
    }
    if (*at == '\\') return false;
    out[i] = *at;
  }
  return false;
}

bool FrameView::number(const char* key, uint32_t& out) const {
  const char* at = find(key);
  if (at == nullptr || *at < '0' || *at > '9') return false;
  uint64_t value = 0;
  for (; at < data_ + size_ && *at >= '0' && *at <= '9'; ++at) {
    value = value * 10 + static_cast<uint64_t>(*at - '0');
    if (value > UINT32_MAX) return false;
  }
  out = static_cast<uint32_t>(value);
  return at < data_ + size_ && (*at == ',' || *at == '}');
}

bool FrameView::hex(const char* key, uint32_t& out) const {
  char digits[9];
  return text(key, digits, sizeof digits) && strlen(digits) == 8 && read_hex(digits, out);
}

bool is_frame(const char* data, size_t size) {
  if (size < kTrailerSize + sizeof(kStart) || memcmp(data, kStart, sizeof(kStart) - 1) != 0) return false;
  for (size_t i = 0; i < size; ++i) {
    if (data[i] < ' ' || data[i] > '~') return false;
  }
  const char* const trailer = data + size - kTrailerSize;
  uint32_t crc;
  return memcmp(trailer, kTrailer, sizeof(kTrailer) - 1) == 0 && memcmp(data + size - 2, "\"}", 2) == 0 &&
         read_hex(trailer + sizeof(kTrailer) - 1, crc) && crc == crc32(data, size - kTrailerSize);
}

LineReader::Result LineReader::feed(char c) {
  if (done_) {
    size_ = start_ = 0;
    done_ = overflow_ = false;
  }
  if (c == '\n') return finish();
  if (size_ == kMaxLine) {  // the end of a line too long is kept: a frame may follow the noise
    memmove(line_, line_ + 1, --size_);
    overflow_ = true;
  }
  line_[size_++] = c;
  return Result::nothing;
}

LineReader::Result LineReader::finish() {
  done_ = true;
  if (size_ && line_[size_ - 1] == '\r') --size_;
  if (size_ == 0) return Result::nothing;
  if (!overflow_ && is_frame(line_, size_)) return Result::frame;
  for (start_ = size_; start_-- > 0;) {
    if (size_ - start_ >= sizeof(kStart) && memcmp(line_ + start_, kStart, sizeof(kStart) - 1) == 0) {
      return is_frame(line_ + start_, size_ - start_) ? Result::frame : Result::damaged;
    }
  }
  start_ = 0;
  return Result::damaged;
}

}  // namespace boardside
