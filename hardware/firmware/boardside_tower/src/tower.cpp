#include "tower.h"

#include <string.h>

namespace boardside {
namespace {

const char* word(Why why) {
  switch (why) {
    case Why::cocked: return "cocked";
    case Why::missing: return "missing";
    case Why::jammed: return "jammed";
    case Why::wrong_dice: return "wrong_dice";
    case Why::valid: break;
  }
  return nullptr;
}

/// What the store holds; the layout is this build's own, and the checksum rejects any other.
struct Saved {
  uint32_t magic;
  uint32_t count;
  Roll rolls[Ring::kSize];
  uint32_t crc;
};
constexpr uint32_t kMagic = 0x42540001;

/// For loading and saving, which never overlap; too large for the stack of a small board.
Saved saved;

uint32_t checksum() { return crc32(reinterpret_cast<const char*>(&saved), offsetof(Saved, crc)); }

}  // namespace

bool Ring::acknowledge(uint32_t boot, uint32_t number) {
  size_t left = 0;
  for (size_t i = 0; i < count_; ++i) {
    if (rolls_[i].boot != boot || rolls_[i].number > number) rolls_[left++] = rolls_[i];
  }
  const bool any = left < count_;
  count_ = left;
  return any;
}

void Ring::mark_kept() {
  for (size_t i = 0; i < count_; ++i) rolls_[i].kept = true;
}

bool Ring::load(Store& store) {
  if (!store.load(&saved, sizeof saved) || saved.magic != kMagic || saved.count > kSize || saved.crc != checksum()) {
    return false;
  }
  count_ = saved.count;
  for (size_t i = 0; i < count_; ++i) rolls_[i] = saved.rolls[i];
  return true;
}

bool Ring::save(Store& store) const {
  memset(static_cast<void*>(&saved), 0, sizeof saved);
  saved.magic = kMagic;
  saved.count = static_cast<uint32_t>(count_);
  for (size_t i = 0; i < count_; ++i) saved.rolls[i] = rolls_[i];
  saved.crc = checksum();
  return store.save(&saved, sizeof saved);
}

Tower::Tower(Port& port, FaceReader& reader, Store* store, const Identity& identity, const Timing& timing)
    : port_(port), reader_(reader), store_(store), identity_(identity), timing_(timing) {
  asked_.parse("2d6");
}

void Tower::begin(uint32_t now_ms) {
  if (store_ != nullptr) ring_.load(*store_);
  ring_.mark_kept();
  seen_at_ = changed_at_ = beat_at_ = sent_at_ = blink_until_ = now_ms;
  port_.write("\n", 1);  // ends whatever a power cut has left half said
  say_hello();
  say_heartbeat(now_ms);
  repeat_oldest(now_ms);
}

void Tower::tick(uint32_t now_ms) {
  listen(now_ms);
  watch_tray(now_ms);
  if (now_ms - beat_at_ >= timing_.heartbeat) say_heartbeat(now_ms);
  if (now_ms - sent_at_ >= timing_.repeat) repeat_oldest(now_ms);
}

void Tower::listen(uint32_t now_ms) {
  for (int taken = 0; taken < 256; ++taken) {
    const int byte = port_.read();
    if (byte < 0) return;
    switch (lines_.feed(static_cast<char>(byte))) {
      case LineReader::Result::frame: obey(lines_.view(), now_ms); break;
      case LineReader::Result::damaged: say_error("bad_line", "a line was not understood"); break;
      case LineReader::Result::nothing: break;
    }
  }
}

void Tower::obey(const FrameView& command, uint32_t now_ms) {
  char type[16];
  uint32_t version = 0, seq = 0, boot, number;
  if (!command.number("v", version) || version != kVersion) {
    say_error("version", "this tower speaks version 1");
    return;
  }
  if (!command.text("type", type, sizeof type) || !command.number("seq", seq)) return;
  if (strcmp(type, "hello") == 0) {
    ring_.mark_kept();
    say_hello();
    repeat_oldest(now_ms);
  } else if (strcmp(type, "ack") == 0) {
    if (command.hex("boot", boot) && command.number("roll", number) && ring_.acknowledge(boot, number)) {
      if (store_ != nullptr) ring_.save(*store_);
      if (state_ == State::full) state_ = State::ready;
      repeat_oldest(now_ms);
    }
  } else if (strcmp(type, "identify") == 0) {
    if (command.number("seconds", number)) blink_until_ = now_ms + (number < 60 ? number : 60) * 1000;
    say_heartbeat(now_ms);
  } else if (strcmp(type, "ask") == 0) {
    ask(command, seq, now_ms);
  }  // others are of a later version of the protocol, and no matter
}

void Tower::ask(const FrameView& command, uint32_t seq, uint32_t now_ms) {
  char text[4 * kMaxDice + 1];
  Hand hand;
  if (!command.text("dice", text, sizeof text) || !hand.parse(text)) {
    say_error("bad_line", "not a hand of dice", &seq);
  } else if (!can_read(hand)) {
    say_error("no_such_dice", "this tower cannot read these dice", &seq);
  } else {
    asked_ = hand;
    say_heartbeat(now_ms);
  }
}

bool Tower::can_read(const Hand& hand) const {
  for (size_t i = 0; i < hand.count; ++i) {
    const uint8_t* kind = reader_.kinds();
    while (*kind && *kind != hand.sides[i]) ++kind;
    if (*kind == 0) return false;
  }
  return true;
}

void Tower::watch_tray(uint32_t now_ms) {
  TrayView view;
  if (!reader_.look(now_ms, view)) {
    if (now_ms - seen_at_ >= timing_.reader && state_ != State::fault) {
      state_ = State::fault;
      say_error("reader_silent", "the sensor gives no readings");
      say_heartbeat(now_ms);
    }
    return;
  }
  seen_at_ = now_ms;
  if (state_ == State::fault) state_ = State::ready;
  const bool changed = view.dropped || !view.same_as(last_);
  last_ = view;
  if (changed) changed_at_ = now_ms;
  if (view.dropped && state_ != State::rolling) {
    state_ = State::rolling;
    started_at_ = now_ms;
    say_roll_start();
  } else if (changed && state_ == State::jammed) {
    state_ = State::ready;  // somebody has freed the die
  }
  if (state_ == State::rolling) judge_rest(view, now_ms - changed_at_, now_ms);
}

void Tower::judge_rest(const TrayView& view, uint32_t rest_ms, uint32_t now_ms) {
  Roll roll;
  const bool matched = match_dice(view, roll);
  bool readable = true;
  for (size_t i = 0; i < view.count; ++i) readable = readable && view.dice[i].face != 0;
  if (now_ms - started_at_ >= timing_.jammed) return keep(roll, Why::jammed, now_ms);
  if (rest_ms < timing_.settle) return;
  if (view.count >= asked_.count && readable) return keep(roll, matched ? Why::valid : Why::wrong_dice, now_ms);
  if (view.count >= asked_.count && rest_ms >= timing_.cocked) return keep(roll, Why::cocked, now_ms);
  if (view.count < asked_.count && rest_ms >= timing_.missing) {
    keep(roll, view.count ? Why::missing : Why::jammed, now_ms);  // it fell in at the top, nothing came out below
  }
}

/// Gives each die asked for one in the tray of its kind; true when that takes all of them, and no more lie there.
bool Tower::match_dice(const TrayView& view, Roll& roll) const {
  bool used[kMaxDice] = {};
  bool all = view.count == asked_.count;
  roll.hand = asked_;
  for (size_t i = 0; i < asked_.count; ++i) {
    size_t j = 0;
    while (j < view.count && (used[j] || view.dice[j].sides != asked_.sides[i])) ++j;
    if (j == view.count) {
      all = false;
      continue;
    }
    used[j] = true;
    roll.faces[i] = view.dice[j].face;
    roll.per_mille[i] = view.dice[j].face ? view.dice[j].per_mille : 0;
  }
  return all;
}

void Tower::keep(Roll& roll, Why why, uint32_t now_ms) {
  if (ring_.is_full()) {
    state_ = State::full;
    say_error("full", "no room for another throw until the table takes the last ones");
    return;
  }
  roll.boot = identity_.boot;
  roll.number = next_number_++;
  roll.why = why;
  state_ = why == Why::jammed ? State::jammed : State::ready;
  ring_.push(roll);
  if (store_ != nullptr) ring_.save(*store_);  // before it is said, so that no power cut can unsay it
  if (ring_.count() == 1) repeat_oldest(now_ms);
}

/// One at a time: the next one follows when this one is acknowledged, so their order needs no clock.
void Tower::repeat_oldest(uint32_t now_ms) {
  sent_at_ = now_ms;
  if (ring_.count() == 0) return;
  const Roll& roll = ring_.oldest();
  char hand[4 * kMaxDice + 1];
  roll.hand.format(hand);
  frame_.begin("roll", seq_);
  frame_.hex("boot", roll.boot);
  frame_.number("roll", roll.number);
  frame_.text("dice", hand);
  frame_.open_list("faces");
  for (size_t i = 0; i < roll.hand.count; ++i) roll.faces[i] ? frame_.item_number(roll.faces[i]) : frame_.item_null();
  frame_.close_list();
  frame_.open_list("confidence");
  for (size_t i = 0; i < roll.hand.count; ++i) frame_.item_per_mille(roll.per_mille[i]);
  frame_.close_list();
  frame_.boolean("valid", roll.why == Why::valid);
  const char* why = word(roll.why);
  why ? frame_.text("why", why) : frame_.null("why");
  frame_.boolean("kept", roll.kept);
  send();
}

void Tower::say_hello() {
  frame_.begin("hello", seq_);
  frame_.text("id", identity_.id);
  frame_.text("name", identity_.name);
  frame_.text("firmware", kFirmware);
  frame_.hex("boot", identity_.boot);
  frame_.open_list("dice");
  for (const uint8_t* kind = reader_.kinds(); *kind; ++kind) {
    Hand one;
    one.count = 1;
    one.sides[0] = *kind;
    char text[4 * kMaxDice + 1];
    one.format(text);
    frame_.item_text(text);
  }
  frame_.close_list();
  frame_.open_list("can");
  frame_.item_text("ask");
  frame_.item_text("identify");
  if (store_ != nullptr) frame_.item_text("keep");
  frame_.close_list();
  const bool waits = ring_.count() > 0;
  frame_.hex("oldest_boot", waits ? ring_.oldest().boot : identity_.boot);
  frame_.number("oldest_roll", waits ? ring_.oldest().number : next_number_);
  frame_.number("waiting", static_cast<uint32_t>(ring_.count()));
  send();
}

void Tower::say_heartbeat(uint32_t now_ms) {
  static const char* const kWords[] = {"ready", "rolling", "jammed", "full", "fault"};
  char hand[4 * kMaxDice + 1];
  asked_.format(hand);
  beat_at_ = now_ms;
  frame_.begin("heartbeat", seq_);
  frame_.hex("boot", identity_.boot);
  frame_.text("state", kWords[static_cast<size_t>(state_)]);
  frame_.text("asked", hand);
  frame_.number("waiting", static_cast<uint32_t>(ring_.count()));
  frame_.boolean("blinking", is_blinking(now_ms));
  send();
}

void Tower::say_roll_start() {
  char hand[4 * kMaxDice + 1];
  asked_.format(hand);
  frame_.begin("roll_start", seq_);
  frame_.hex("boot", identity_.boot);
  frame_.text("dice", hand);
  send();
}

void Tower::say_error(const char* code, const char* text, const uint32_t* re) {
  frame_.begin("error", seq_);
  frame_.text("code", code);
  frame_.text("text", text);
  re ? frame_.number("re", *re) : frame_.null("re");
  send();
}

void Tower::send() {
  const size_t size = frame_.end();
  if (size) port_.write(frame_.data(), size);
  ++seq_;
}

}  // namespace boardside
