// Unit tests of the firmware's core on this computer: exit status 0 and a line each when all pass.
#include <stdio.h>
#include <string.h>

#include <string>
#include <vector>

#include "../boardside_tower/src/pip_reader.h"
#include "../boardside_tower/src/tower.h"

using namespace boardside;

namespace {

int failures = 0;
#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);  \
      ++failures;                                                     \
    }                                                                 \
  } while (0)

struct FakePort final : Port {
  std::string in, out;
  int read() override {
    if (in.empty()) return -1;
    const int c = static_cast<unsigned char>(in[0]);
    in.erase(0, 1);
    return c;
  }
  void write(const char* data, size_t size) override { out.append(data, size); }
  bool said(const char* text) const { return out.find(text) != std::string::npos; }
  size_t times(const char* text) const {
    size_t count = 0;
    for (size_t at = out.find(text); at != std::string::npos; at = out.find(text, at + 1)) ++count;
    return count;
  }
};

struct FakeReader final : FaceReader {
  TrayView view;
  bool works = true;
  const uint8_t* kinds() const override {
    static constexpr uint8_t kKinds[] = {6, 20, 0};
    return kKinds;
  }
  bool look(uint32_t, TrayView& seen) override {
    seen = view;
    view.dropped = false;
    return works;
  }
  void drop(std::vector<DieView> dice) {
    view = TrayView();
    view.dropped = true;
    for (const DieView& die : dice) view.dice[view.count++] = die;
  }
};

struct FakeStore final : Store {
  std::string content;
  bool load(void* data, size_t size) override {
    if (content.size() != size) return false;
    memcpy(data, content.data(), size);
    return true;
  }
  bool save(const void* data, size_t size) override {
    content.assign(static_cast<const char*>(data), size);
    return true;
  }
};

std::string line(const std::string& body) {
  char trailer[32];
  snprintf(trailer, sizeof trailer, ",\"crc\":\"%08x\"}\n", static_cast<unsigned>(crc32(body.data(), body.size())));
  return body + trailer;
}

struct Bench {
  FakePort port;
  FakeReader reader;
  FakeStore store;
  uint32_t now;
  Tower tower;
  explicit Bench(uint32_t boot = 0xb0070001, uint32_t start = 1000, const std::string& memory = "")
      : now(start), tower(port, reader, &store, Identity{"t1", "Test", boot}) {
    store.content = memory;
    tower.begin(now);
  }
  void run(uint32_t ms) {
    for (uint32_t i = 0; i < ms; i += 5) tower.tick(now += 5);
  }
  void tell(const std::string& body) { port.in += line(body); }
  void acknowledge(const char* boot, int roll) {
    tell("{\"type\":\"ack\",\"v\":1,\"seq\":1,\"boot\":\"" + std::string(boot) + "\",\"roll\":" + std::to_string(roll));
  }
};

const DieView kThree{6, 3, 990}, kFour{6, 4, 980}, kTilted{6, 0, 0};

void checksum_is_the_common_one() { CHECK(crc32("123456789", 9) == 0xcbf43926); }

void reader_takes_frames_and_nothing_else() {
  LineReader reader;
  int frames = 0, damaged = 0;
  const std::string good = line("{\"type\":\"ack\",\"v\":1,\"seq\":7");
  std::string flipped = good;
  flipped[12] ^= 1;
  const std::string noise(1000, 'x');
  for (char c : good + flipped + noise + good + "\r\n\n" + good.substr(0, 20) + good) {
    const LineReader::Result result = reader.feed(c);
    frames += result == LineReader::Result::frame;
    damaged += result == LineReader::Result::damaged;
  }
  CHECK(frames == 3);
  CHECK(damaged == 1);
}

void reader_survives_a_million_mutations() {
  const std::string good = line("{\"type\":\"ask\",\"v\":1,\"seq\":7,\"dice\":\"2d6\"");
  LineReader reader;
  uint32_t random = 12345;
  auto draw = [&random](uint32_t below) {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    return random % below;
  };
  for (int i = 0; i < 1000000; ++i) {
    std::string data = good;
    for (uint32_t n = draw(3) + 1; n--;) data[draw(static_cast<uint32_t>(data.size()))] = static_cast<char>(draw(256));
    for (char c : data) {
      if (reader.feed(c) != LineReader::Result::frame) continue;
      char dice[40] = "";
      CHECK(reader.view().text("dice", dice, sizeof dice) && strcmp(dice, "2d6") == 0);
    }
    if (i % 8 == 0) {  // and nonsense whose checksum holds: may be read, must be survived
      const std::string forged = line(data.substr(0, draw(40)));
      for (char c : forged) {
        if (reader.feed(c) != LineReader::Result::frame) continue;
        char text[8];
        uint32_t number;
        reader.view().text("dice", text, sizeof text);
        reader.view().number("seq", number);
        reader.view().hex("boot", number);
      }
    }
  }
}

void fields_are_found_only_at_the_top() {
  const std::string frame =
      "{\"type\":\"x\",\"v\":1,\"a\":{\"roll\":5},\"text\":\"\\\"roll\\\":6\",\"list\":[7],\"roll\":8,\"big\":99999999999}";
  const FrameView view(frame.data(), frame.size());
  uint32_t number = 0;
  char text[4];
  CHECK(view.number("roll", number) && number == 8);
  CHECK(!view.number("big", number));
  CHECK(!view.number("none", number));
  CHECK(!view.number("list", number));
  CHECK(!view.text("text", text, sizeof text));
  CHECK(view.text("type", text, sizeof text) && strcmp(text, "x") == 0);
}

void a_frame_too_long_is_not_sent_at_all() {
  FrameWriter writer;
  writer.begin("error", 1);
  writer.text("text", std::string(400, 'x').c_str());
  CHECK(writer.end() == 0);
}

void hands_are_read_and_written() {
  for (const char* text : {"d6", "2d6", "d20", "2d4", "2d6+d20", "d4+2d6+d20"}) {
    Hand hand;
    char written[4 * kMaxDice + 1];
    CHECK(hand.parse(text));
    hand.format(written);
    CHECK(strcmp(written, text) == 0);
  }
  for (const char* text : {"", "6", "d", "d7", "d66", "9d6", "2d6+", "8d6+d6", "2d6 ", "d6+d4+d6+d4+d6", "0d6"}) {
    Hand hand;
    CHECK(!hand.parse(text));
  }
}

void a_throw_is_told_when_it_has_come_to_rest_and_repeated_until_taken() {
  Bench bench;
  bench.reader.drop({kThree});
  bench.run(200);
  CHECK(bench.port.said("\"roll_start\""));
  bench.reader.drop({kThree, kFour});  // the second die follows
  bench.run(350);
  CHECK(!bench.port.said("\"roll\","));
  bench.run(100);
  CHECK(bench.port.said("\"boot\":\"b0070001\",\"roll\":1,\"dice\":\"2d6\",\"faces\":[3,4],\"confidence\":[0.990,0.980],"
                        "\"valid\":true,\"why\":null,\"kept\":false"));
  bench.run(1200);
  CHECK(bench.port.times("\"type\":\"roll\",") == 3);
  bench.acknowledge("b0070001", 1);
  bench.run(2000);
  CHECK(bench.port.times("\"type\":\"roll\",") == 3);
}

void handling_the_dice_is_no_throw() {
  Bench bench;
  bench.reader.drop({kThree, kFour});
  bench.run(500);
  bench.acknowledge("b0070001", 1);
  bench.run(100);
  bench.port.out.clear();
  bench.reader.view.dice[0].face = 6;  // nudged
  bench.run(2000);
  bench.reader.view = TrayView();  // taken out
  bench.run(5000);
  CHECK(!bench.port.said("\"type\":\"roll"));
}

void dice_that_cannot_be_read_are_told_with_the_reason() {
  struct Case {
    std::vector<DieView> dice;
    const char* why;
  } const cases[] = {
      {{kThree, kTilted}, "\"faces\":[3,null],\"confidence\":[0.990,0.000],\"valid\":false,\"why\":\"cocked\""},
      {{kThree}, "\"valid\":false,\"why\":\"missing\""},
      {{}, "\"valid\":false,\"why\":\"jammed\""},
      {{kThree, {20, 17, 900}}, "\"valid\":false,\"why\":\"wrong_dice\""},
      {{kThree, kFour, kFour}, "\"valid\":false,\"why\":\"wrong_dice\""},
  };
  for (const Case& one : cases) {
    Bench bench;
    bench.reader.drop(one.dice);
    bench.run(3500);
    CHECK(bench.port.said(one.why));
  }
}

void a_rattling_die_is_jammed_until_it_is_freed() {
  Bench bench;
  for (int i = 0; i < 60; ++i) {
    bench.reader.drop({kThree});
    bench.run(200);
  }
  CHECK(bench.port.said("\"why\":\"jammed\""));
  Bench stuck;
  stuck.reader.drop({});
  stuck.run(4100);
  CHECK(stuck.port.said("\"state\":\"jammed\""));
  stuck.reader.view.dice[stuck.reader.view.count++] = kThree;
  stuck.port.out.clear();
  stuck.run(1100);
  CHECK(stuck.port.said("\"state\":\"ready\""));
}

void one_roll_at_a_time_and_in_order() {
  Bench bench;
  for (int i = 0; i < 3; ++i) {
    bench.reader.drop({kThree, kFour});
    bench.run(500);
  }
  CHECK(!bench.port.said("\"roll\":2"));
  bench.acknowledge("b0070001", 1);
  bench.run(10);
  CHECK(bench.port.said("\"roll\":2") && !bench.port.said("\"roll\":3"));
  bench.acknowledge("b0070001", 2);
  bench.run(10);
  CHECK(bench.port.said("\"roll\":3"));
}

void a_power_cut_keeps_what_was_not_taken() {
  Bench before;
  before.reader.drop({kThree, kFour});
  before.run(500);
  before.reader.drop({kFour, kThree});
  before.run(500);
  before.acknowledge("b0070001", 1);
  before.run(10);
  Bench after(0xb0070002, 77, before.store.content);
  CHECK(after.port.said("\"boot\":\"b0070002\",\"dice\":[\"d6\",\"d20\"]"));
  CHECK(after.port.said("\"oldest_boot\":\"b0070001\",\"oldest_roll\":2,\"waiting\":1"));
  CHECK(after.port.said("\"boot\":\"b0070001\",\"roll\":2,\"dice\":\"2d6\",\"faces\":[4,3]"));
  CHECK(after.port.said("\"kept\":true"));
  std::string torn = before.store.content;
  torn[40] = static_cast<char>(torn[40] ^ 1);
  Bench damaged(0xb0070003, 5, torn);
  CHECK(damaged.port.said("\"waiting\":0"));
}

void a_full_memory_refuses_and_says_so() {
  Bench bench;
  for (int i = 0; i < 17; ++i) {
    bench.reader.drop({kThree, kFour});
    bench.run(500);
  }
  CHECK(bench.port.said("\"code\":\"full\""));
  bench.acknowledge("b0070001", 16);
  bench.port.out.clear();
  bench.run(1500);
  CHECK(bench.port.said("\"state\":\"ready\""));
  bench.reader.drop({kThree, kFour});
  bench.run(500);
  CHECK(bench.port.said("\"roll\":17"));
}

void commands_are_obeyed() {
  Bench bench;
  bench.tell("{\"type\":\"ask\",\"v\":1,\"seq\":4,\"dice\":\"d20\"");
  bench.run(10);
  CHECK(bench.port.said("\"asked\":\"d20\""));
  bench.tell("{\"type\":\"ask\",\"v\":1,\"seq\":5,\"dice\":\"d4\"");
  bench.run(10);
  CHECK(bench.port.said("\"code\":\"no_such_dice\"") && bench.port.said("\"re\":5"));
  bench.tell("{\"type\":\"identify\",\"v\":1,\"seq\":6,\"seconds\":2");
  bench.run(10);
  CHECK(bench.tower.is_blinking(bench.now) && bench.port.said("\"blinking\":true"));
  bench.run(2100);
  CHECK(!bench.tower.is_blinking(bench.now));
  bench.tell("{\"type\":\"hello\",\"v\":2,\"seq\":7");
  bench.run(10);
  CHECK(bench.port.said("\"code\":\"version\""));
  bench.tell("{\"type\":\"dance\",\"v\":1,\"seq\":8");
  bench.port.in += "nonsense\n";
  bench.run(10);
  CHECK(bench.port.times("\"code\":\"bad_line\"") == 1);
}

void a_dead_sensor_is_told_and_starves_the_watchdog() {
  Bench bench(0xb0070001, 0xffffff00u);  // the clock wraps on the way
  bench.reader.works = false;
  bench.run(2100);
  CHECK(bench.port.said("\"code\":\"reader_silent\"") && bench.port.said("\"state\":\"fault\""));
  CHECK(bench.tower.is_healthy(bench.now));
  bench.run(8000);
  CHECK(!bench.tower.is_healthy(bench.now));
  bench.reader.works = true;
  bench.run(1100);
  CHECK(bench.tower.is_healthy(bench.now));
}

// The reference sensor, with light as it comes back through a clear floor.

constexpr const char* kLower[] = {"", "....o....", "o.......o", "o...o...o", "o.o...o.o", "o.o.o.o.o", "o.oo.oo.o"};

struct FakeLight final : SampleSource {
  const char* faces[2] = {nullptr, nullptr};  // the lower faces, nullptr for an empty pocket
  bool quarter = false;
  int noise = 0;
  bool dropped = false;
  uint32_t random = 99;
  uint16_t reflection(uint8_t pocket, uint8_t place) override {
    random = random * 1664525 + 1013904223;
    const int shake = noise ? static_cast<int>(random >> 16) % (2 * noise + 1) - noise : 0;
    if (faces[pocket] == nullptr) return static_cast<uint16_t>(300 + 10 * place + shake);
    const int turned = quarter ? place % 3 * 3 + 2 - place / 3 : place;
    return static_cast<uint16_t>(300 + 10 * place + (faces[pocket][turned] == 'o' ? 250 : 1500) + shake);
  }
  bool has_dropped() override {
    const bool was = dropped;
    dropped = false;
    return was;
  }
};

void pips_are_read_from_below() {
  FakeLight light;
  light.noise = 120;
  PipReader reader(light);
  reader.learn_empty();
  int right = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int lower = trial % 6 + 1;
    light.quarter = trial / 6 % 2;
    light.faces[0] = kLower[lower];
    light.faces[1] = kLower[7 - lower];
    TrayView view;
    CHECK(reader.look(0, view));
    right += view.count == 2 && view.dice[0].face == 7 - lower && view.dice[1].face == lower &&
             view.dice[0].per_mille > 700;
  }
  CHECK(right == 600);
  light.faces[0] = light.faces[1] = nullptr;
  TrayView view;
  CHECK(reader.look(0, view) && view.count == 0);
}

void a_tilted_die_is_seen_but_not_read() {
  const int32_t slanted[9] = {1500, 1400, 1300, 900, 800, 700, 300, 200, 100};
  const PipReading reading = read_pips(slanted);
  CHECK(reading.present && reading.top_face == 0);
  const int32_t blank[9] = {900, 900, 900, 900, 900, 900, 900, 900, 900};
  CHECK(read_pips(blank).present && read_pips(blank).top_face == 0);
}

}  // namespace

int main() {
  const struct {
    const char* name;
    void (*run)();
  } tests[] = {
#define TEST(name) {#name, name}
      TEST(checksum_is_the_common_one),
      TEST(reader_takes_frames_and_nothing_else),
      TEST(reader_survives_a_million_mutations),
      TEST(fields_are_found_only_at_the_top),
      TEST(a_frame_too_long_is_not_sent_at_all),
      TEST(hands_are_read_and_written),
      TEST(a_throw_is_told_when_it_has_come_to_rest_and_repeated_until_taken),
      TEST(handling_the_dice_is_no_throw),
      TEST(dice_that_cannot_be_read_are_told_with_the_reason),
      TEST(a_rattling_die_is_jammed_until_it_is_freed),
      TEST(one_roll_at_a_time_and_in_order),
      TEST(a_power_cut_keeps_what_was_not_taken),
      TEST(a_full_memory_refuses_and_says_so),
      TEST(commands_are_obeyed),
      TEST(a_dead_sensor_is_told_and_starves_the_watchdog),
      TEST(pips_are_read_from_below),
      TEST(a_tilted_die_is_seen_but_not_read),
  };
  for (const auto& test : tests) {
    const int before = failures;
    test.run();
    printf("%s %s\n", failures == before ? "ok" : "FAIL", test.name);
  }
  return failures ? 1 : 0;
}
