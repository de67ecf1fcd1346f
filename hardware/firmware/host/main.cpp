// The tower's firmware on this computer: the port is standard input and output, the dice are thrown by command.
//
//   tower_host [--id NAME] [--boot 8HEX] [--store FILE] [--fast]
//
// Lines that begin with "!" are no part of the protocol: "!throw d6:3 d6:4" drops these dice (face 0: cannot be
// read; none: stuck above), "!take" takes them out, "!sensor off" and "!sensor on" break and mend the sensor. The
// next command waits until the dice of the one before have been seen at rest.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../boardside_tower/src/tower.h"

namespace {

uint32_t now_ms() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint32_t>(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

class ScriptedReader final : public boardside::FaceReader {
 public:
  const uint8_t* kinds() const override {
    static constexpr uint8_t kKinds[] = {4, 6, 20, 0};
    return kKinds;
  }
  explicit ScriptedReader(const boardside::Timing& timing) : timing_(timing) {}
  bool look(uint32_t now, boardside::TrayView& view) override {
    view = tray_;
    if (tray_.dropped) since_ = now;
    if (resting_ > 0 && now - since_ > timing_.settle + timing_.cocked + timing_.missing) --resting_;
    tray_.dropped = false;
    return works_;
  }
  /// The dice have not been seen at rest yet.
  bool is_busy() const { return resting_ > 0; }
  void obey(char* line) {
    const char* command = strtok(line, " ");
    if (command == nullptr) return;
    if (strcmp(command, "throw") == 0) {
      tray_ = boardside::TrayView();
      tray_.dropped = true;
      resting_ = kLooks;
      while (const char* die = strtok(nullptr, " ")) {
        unsigned sides, face;
        if (tray_.count < boardside::kMaxDice && sscanf(die, "d%u:%u", &sides, &face) == 2) {
          tray_.dice[tray_.count++] = {static_cast<uint8_t>(sides), static_cast<uint8_t>(face), 990};
        }
      }
    } else if (strcmp(command, "take") == 0) {
      tray_ = boardside::TrayView();
    } else if (strcmp(command, "sensor") == 0) {
      const char* state = strtok(nullptr, " ");
      works_ = state != nullptr && strcmp(state, "on") == 0;
    }
  }

 private:
  static constexpr int kLooks = 3;
  const boardside::Timing& timing_;
  boardside::TrayView tray_;
  uint32_t since_ = 0;
  int resting_ = 0;
  bool works_ = true;
};

/// Standard input and output; takes out the lines that begin with "!".
class StdioPort final : public boardside::Port {
 public:
  explicit StdioPort(ScriptedReader& reader) : reader_(reader) {}
  /// Waits up to a few milliseconds; false at the end of the input.
  bool fill() {
    pollfd in = {STDIN_FILENO, POLLIN, 0};
    if (at_ < size_) {
      if (reader_.is_busy()) poll(nullptr, 0, 2);
      return true;
    }
    if (poll(&in, 1, 2) <= 0) return true;
    const ssize_t got = ::read(STDIN_FILENO, buffer_, sizeof buffer_);
    at_ = 0;
    size_ = got > 0 ? static_cast<size_t>(got) : 0;
    return got > 0;
  }
  int read() override {
    while (at_ < size_) {
      const char c = buffer_[at_];
      const bool starts_command = at_line_start_ && c == '!';
      if (starts_command && reader_.is_busy()) return -1;
      ++at_;
      at_line_start_ = c == '\n';
      if (starts_command) in_command_ = true;
      if (!in_command_) return static_cast<unsigned char>(c);
      take(c);
    }
    return -1;
  }
  void write(const char* data, size_t size) override {
    while (size > 0) {
      const ssize_t put = ::write(STDOUT_FILENO, data, size);
      if (put <= 0) exit(0);  // nobody listens any more
      data += put;
      size -= static_cast<size_t>(put);
    }
  }

 private:
  void take(char c) {
    if (c == '\n') {
      command_[command_size_] = '\0';
      reader_.obey(command_);
      in_command_ = false;
      command_size_ = 0;
    } else if (c != '!' && command_size_ + 1 < sizeof command_) {
      command_[command_size_++] = c;
    }
  }

  ScriptedReader& reader_;
  char buffer_[4096];
  size_t at_ = 0, size_ = 0;
  char command_[128];
  size_t command_size_ = 0;
  bool at_line_start_ = true, in_command_ = false;
};

class FileStore final : public boardside::Store {
 public:
  explicit FileStore(const char* path) : path_(path) {}
  bool load(void* data, size_t size) override {
    FILE* file = fopen(path_, "rb");
    const bool whole = file && fread(data, 1, size, file) == size;
    if (file) fclose(file);
    return whole;
  }
  bool save(const void* data, size_t size) override {
    char part[4096];
    snprintf(part, sizeof part, "%s.new", path_);
    FILE* file = fopen(part, "wb");
    bool whole = file && fwrite(data, 1, size, file) == size;
    if (file) whole = fclose(file) == 0 && whole;
    return whole && rename(part, path_) == 0;
  }

 private:
  const char* path_;
};

}  // namespace

int main(int argc, char** argv) {
  const char* id = "host-tower";
  const char* store_path = nullptr;
  uint32_t boot = static_cast<uint32_t>(time(nullptr)) * 2654435761u ^ static_cast<uint32_t>(getpid()) * 40503u;
  boardside::Timing timing;
  for (int i = 1; i < argc; ++i) {
    const bool more = i + 1 < argc;
    if (strcmp(argv[i], "--id") == 0 && more) {
      id = argv[++i];
    } else if (strcmp(argv[i], "--boot") == 0 && more) {
      boot = static_cast<uint32_t>(strtoul(argv[++i], nullptr, 16));
    } else if (strcmp(argv[i], "--store") == 0 && more) {
      store_path = argv[++i];
    } else if (strcmp(argv[i], "--fast") == 0) {
      timing.settle = 20;
      timing.cocked = 40;
      timing.missing = 60;
      timing.reader = 200;
      timing.heartbeat = 300;
      timing.repeat = 150;
    } else {
      fprintf(stderr, "usage: %s [--id NAME] [--boot 8HEX] [--store FILE] [--fast]\n", argv[0]);
      return 2;
    }
  }
  ScriptedReader reader(timing);
  StdioPort port(reader);
  FileStore store(store_path ? store_path : "");
  boardside::Tower tower(port, reader, store_path ? &store : nullptr, {id, "Firmware on a computer", boot}, timing);
  tower.begin(now_ms());
  while (port.fill()) {
    tower.tick(now_ms());
    if (!tower.is_healthy(now_ms())) return 3;  // where a board's watchdog would restart it
  }
  return 0;
}
