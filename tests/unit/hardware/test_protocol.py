"""Frames of the dice tower: what is written is read, and nothing else ever is."""

import json
import zlib

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.protocol import (
    MAX_LINE,
    Ack,
    Ask,
    Damage,
    Error,
    Frame,
    Hail,
    Heartbeat,
    Hello,
    Identify,
    LineReader,
    Roll,
    RollStart,
    decode,
    encode,
    hand_of,
    kinds_of,
)
from tests.fuzz.tower_frames import fuzz

BOOT = "5f3a9c1e"
ROLL = Roll(boot=BOOT, roll=12, dice="2d6", faces=(3, 4), confidence=(0.995, 0.981), valid=True, seq=41)
HELLO = Hello(
    id="tower-1f", name="Dice tower", firmware="1.0", boot=BOOT, dice=("d6",), oldest_boot=BOOT, oldest_roll=1
)
FROM_TOWER = [
    HELLO,
    ROLL,
    msgspec.structs.replace(ROLL, faces=(3, None), confidence=(0.9, 0.0), valid=False, why="cocked", kept=True),
    Heartbeat(boot=BOOT, state="ready", asked="2d6", waiting=1),
    RollStart(boot=BOOT, dice="d20"),
    Error(code="bad_line", text='a "quoted" {"type":"roll" word', re=5),
]
TO_TOWER = [Hail(seq=1), Ack(boot=BOOT, roll=12), Identify(seconds=3), Ask(dice="2d4")]


def sealed(body: str) -> bytes:
    """A line with this content and a checksum that holds."""
    data = body.encode()
    return b'%b,"crc":"%08x"}' % (data, zlib.crc32(data))


@pytest.mark.parametrize("frame", FROM_TOWER)
def test_what_a_tower_writes_is_read(frame: Frame) -> None:
    assert decode(encode(frame)[:-1], "tower") == frame


@pytest.mark.parametrize("frame", TO_TOWER)
def test_what_a_host_writes_is_read(frame: Frame) -> None:
    assert decode(encode(frame)[:-1], "host") == frame


@pytest.mark.parametrize("frame", [*FROM_TOWER, *TO_TOWER])
def test_every_line_is_json_by_itself(frame: Frame) -> None:
    line = json.loads(encode(frame))
    assert line["v"] == 1
    assert next(iter(line)) == "type"
    assert list(line)[-1] == "crc"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"hello", "no_checksum"),
        (b"\xff\xfe" + encode(ROLL)[:-1], "not_text"),
        (encode(ROLL)[:-1].replace(b"[3,4]", b"[3,5]"), "checksum"),
        (encode(ROLL)[:-1].upper(), "no_checksum"),
        (b"x" * (MAX_LINE + 1), "too_long"),
        (sealed('{"type":"roll","v":2,"new":"layout"'), "version"),
        (sealed('{"type":"confetti","v":1,"seq":1'), "unknown_type"),
        (sealed('{"type":"roll","v":1,"seq":1'), "malformed"),
        (sealed('{"type":5,"v":1'), "malformed"),
        (sealed("[" * 300), "malformed"),
        (sealed('{"type":"roll","v":1,"x":' + "[" * 300), "malformed"),
        (sealed('{"type":"roll","v":1,"x":"\\ud800"'), "malformed"),
    ],
)
def test_each_damage_has_its_name(line: bytes, kind: str) -> None:
    read = decode(line, "tower")
    assert isinstance(read, Damage)
    assert read.kind == kind


@pytest.mark.parametrize(
    "change",
    [
        {"faces": [3, 7]},
        {"faces": [0, 4]},
        {"faces": [3]},
        {"faces": [3, None]},
        {"confidence": [0.9, 1.1]},
        {"valid": False},
        {"why": "cocked"},
        {"dice": "2d7"},
        {"dice": "9d6"},
        {"roll": 0},
        {"boot": "5F3A9C1E"},
        {"boot": 5},
    ],
)
def test_a_roll_that_cannot_be_is_malformed_even_with_a_right_checksum(change: dict[str, object]) -> None:
    line = json.loads(encode(ROLL))
    del line["crc"]
    read = decode(sealed(json.dumps(line | change)[:-1]), "tower")
    assert isinstance(read, Damage)
    assert read.kind == "malformed"


def test_fields_of_later_versions_are_ignored() -> None:
    line = json.loads(encode(ROLL))
    del line["crc"]
    assert decode(sealed(json.dumps(line | {"weather": "fine"})[:-1]), "tower") == ROLL


def test_a_host_does_not_take_its_own_echo_for_a_tower() -> None:
    for frame in TO_TOWER:
        assert isinstance(decode(encode(frame)[:-1], "tower"), Damage)


def test_no_frame_exceeds_the_longest_line() -> None:
    longest = Roll(
        boot=BOOT, roll=2**32 - 1, seq=2**32 - 1, dice="2d20+2d20+2d20+2d20", faces=(20,) * 8,
        confidence=(0.123,) * 8, valid=False, why="wrong_dice", kept=True,
    )  # fmt: skip
    hello = Hello(
        id="x" * 32, name="y" * 24, firmware="z" * 32, boot=BOOT, dice=("d4", "d6", "d20"), seq=2**32 - 1,
        can=("ask", "identify", "keep"), oldest_boot=BOOT, oldest_roll=2**32 - 1, waiting=16,
    )  # fmt: skip
    assert max(len(encode(longest)), len(encode(hello))) <= MAX_LINE + 1
    with pytest.raises(ValueError, match="360 are allowed"):
        encode(msgspec.structs.replace(hello, name="\\" * 100))


@pytest.mark.parametrize(
    ("hand", "kinds"),
    [
        ("d6", ("d6",)),
        ("2d6", ("d6", "d6")),
        ("2d4", ("d4", "d4")),
        ("d20", ("d20",)),
        ("2d6+d20", ("d6", "d6", "d20")),
    ],
)
def test_hands_are_written_as_players_write_them(hand: str, kinds: tuple[str, ...]) -> None:
    assert kinds_of(hand) == kinds
    assert hand_of(kinds_of(hand)) == hand


@pytest.mark.parametrize("text", ["", "6", "d7", "2D6", "0d6", "9d6", "8d6+d6", "d6\n"])
def test_other_words_are_no_hands(text: str) -> None:
    with pytest.raises(ValueError, match="dice"):
        kinds_of(text)


def test_a_frame_is_found_behind_noise_and_behind_a_line_without_its_newline() -> None:
    reader = LineReader("tower")
    stream = encode(HELLO)[:-1] + encode(ROLL) + b"noise " * 500 + encode(ROLL) + b"\r\n\n" + encode(ROLL)[:50]
    found = [item for item in reader.feed(stream + encode(HELLO)) if isinstance(item, Frame)]
    assert found == [ROLL, ROLL, HELLO]


def test_no_text_within_a_frame_can_pose_as_a_frame() -> None:
    hidden = Error(code="x", text=encode(RollStart(boot=BOOT, dice="d6")).decode()[:70])
    damaged = encode(hidden).replace(b'"seq":0', b'"seq":1', 1)
    assert [item for item in LineReader("tower").feed(damaged) if isinstance(item, Frame)] == []


@given(st.lists(st.binary(max_size=500), max_size=8))
def test_random_bytes_never_raise_and_never_say_anything(pieces: list[bytes]) -> None:
    reader = LineReader("tower")
    for piece in pieces:
        assert not [item for item in reader.feed(piece) if isinstance(item, Frame)]


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
@settings(max_examples=40)
def test_any_json_with_a_right_checksum_is_survived(value: object) -> None:
    body = json.dumps({"type": "roll", "v": 1, "seq": 1, "faces": value, "boot": value})[:-1]
    assert isinstance(decode(sealed(body), "tower"), Damage)


@given(st.data())
@settings(max_examples=200)
def test_cut_anywhere_the_same_frames_come_out(data: st.DataObject) -> None:
    stream = b"".join(encode(frame) for frame in FROM_TOWER) + b"half a line"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    reader = LineReader("tower")
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert [item for piece in pieces for item in reader.feed(piece)] == FROM_TOWER


@given(st.data())
@settings(max_examples=400)
def test_a_roll_changed_in_any_way_is_not_read(data: st.DataObject) -> None:
    line = bytearray(encode(ROLL)[:-1])
    for _ in range(data.draw(st.integers(1, 4))):
        line[data.draw(st.integers(0, len(line) - 1))] ^= data.draw(st.integers(1, 255))
    read = decode(bytes(line), "tower")
    assert read == ROLL or isinstance(read, Damage)  # changes may cancel


def test_fuzzing_yields_nothing_that_was_not_sent_and_holds_little_memory() -> None:
    report = fuzz(6_000, seed=20)
    assert report.never_sent == 0
    assert report.frames > 500
    assert report.peak_bytes < 1_000_000
