// The tower itself: when a throw begins and ends, what is kept until the host has it, and the conversation.
#pragma once

#include "dice.h"
#include "frame.h"

namespace boardside {

/// Where bytes come from and go to.
class Port {
 public:
  /// The next byte, or -1. Never waits.
  virtual int read() = 0;
  virtual void write(const char* data, size_t size) = 0;

 protected:
  ~Port() = default;
};

/// What survives a power cut. Without one the tower forgets, and says so in its hello.
class Store {
 public:
  virtual bool load(void* data, size_t size) = 0;
  virtual bool save(const void* data, size_t size) = 0;

 protected:
  ~Store() = default;
};

enum class Why : uint8_t { valid, cocked, missing, jammed, wrong_dice };

struct Roll {
  uint32_t boot = 0;
  uint32_t number = 0;
  Hand hand;
  uint8_t faces[kMaxDice] = {};  ///< 0 where it cannot be read
  uint16_t per_mille[kMaxDice] = {};
  Why why = Why::valid;
  bool kept = false;
};

/// Rolls that wait for their acknowledgement, oldest first.
class Ring {
 public:
  static constexpr size_t kSize = 16;
  size_t count() const { return count_; }
  bool is_full() const { return count_ == kSize; }
  Roll& oldest() { return rolls_[0]; }
  void push(const Roll& roll) { rolls_[count_++] = roll; }
  /// Drops those of this boot up to this number; true when there were any.
  bool acknowledge(uint32_t boot, uint32_t number);
  void mark_kept();
  /// To and from the store; a store with other content, or a damaged one, leaves the ring empty.
  bool load(Store& store);
  bool save(Store& store) const;

 private:
  Roll rolls_[kSize];
  size_t count_ = 0;
};

/// How long things take, in milliseconds.
struct Timing {
  uint32_t settle = 400;      ///< so long nothing may change before dice count as at rest
  uint32_t cocked = 1500;     ///< a die that cannot be read may still fall over
  uint32_t missing = 3000;    ///< the second die may be thrown after the first
  uint32_t jammed = 10000;    ///< something rattles without end
  uint32_t reader = 2000;     ///< a sensor silent for so long is broken
  uint32_t restart = 10000;   ///< and after so long a restart may help
  uint32_t heartbeat = 1000;
  uint32_t repeat = 500;
};

struct Identity {
  const char* id;        ///< unique, [A-Za-z0-9_.-], at most 32 characters
  const char* name;      ///< for people, at most 24 characters
  uint32_t boot;         ///< drawn anew at each power-up
};

constexpr char kFirmware[] = "1.0.0";

class Tower {
 public:
  Tower(Port& port, FaceReader& reader, Store* store, const Identity& identity, const Timing& timing = Timing());
  void begin(uint32_t now_ms);
  /// To be called all the time, at least every 20 ms.
  void tick(uint32_t now_ms);
  bool is_blinking(uint32_t now_ms) const { return static_cast<int32_t>(blink_until_ - now_ms) > 0; }
  /// Whether the watchdog may be fed: false when the sensor has been dead for long enough that a restart may help.
  bool is_healthy(uint32_t now_ms) const { return now_ms - seen_at_ < timing_.restart; }

 private:
  enum class State : uint8_t { ready, rolling, jammed, full, fault };

  void listen(uint32_t now_ms);
  void obey(const FrameView& command, uint32_t now_ms);
  void ask(const FrameView& command, uint32_t seq, uint32_t now_ms);
  void watch_tray(uint32_t now_ms);
  void judge_rest(const TrayView& view, uint32_t rest_ms, uint32_t now_ms);
  bool match_dice(const TrayView& view, Roll& roll) const;
  void keep(Roll& roll, Why why, uint32_t now_ms);
  void repeat_oldest(uint32_t now_ms);
  void say_hello();
  void say_heartbeat(uint32_t now_ms);
  void say_roll_start();
  void say_error(const char* code, const char* text, const uint32_t* re = nullptr);
  void send();
  bool can_read(const Hand& hand) const;

  Port& port_;
  FaceReader& reader_;
  Store* store_;
  Identity identity_;
  Timing timing_;
  LineReader lines_;
  FrameWriter frame_;
  Ring ring_;
  Hand asked_;
  State state_ = State::ready;
  TrayView last_;
  uint32_t seq_ = 0;
  uint32_t next_number_ = 1;
  uint32_t started_at_ = 0;
  uint32_t changed_at_ = 0;
  uint32_t seen_at_ = 0;
  uint32_t beat_at_ = 0;
  uint32_t sent_at_ = 0;
  uint32_t blink_until_ = 0;
};

}  // namespace boardside
