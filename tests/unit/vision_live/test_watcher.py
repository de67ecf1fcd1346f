"""From frames of a virtual table to observations, with a reader that makes no mistakes of its own."""

import dataclasses
from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
import pytest

from companion.observations import (
    BoardBook,
    BuildingsSeen,
    DiceSeen,
    MarkersSeen,
    Observation,
    Picture,
    SightSeen,
    StandingSeen,
    TokenSeen,
)
from tests.unit.vision_live.helpers import noisy_table
from tests.unit.vision_live.rig import CORNERS, FRAME, TENTH, Rig, ScriptedReader, die, only, table, token
from tests.unit.vision_live.truth_reader import TruthReader
from vision.detections import BuildingReading, MarkerReading, TableReading, TokenReading
from vision.lessons import Example, Told
from vision.live.gate import Scene
from vision.live.stills import Stills
from vision.live.throws import EVEN
from vision.live.watcher import AWAITED_S, CHECK_S, FOLLOWED_S, Memory, Watcher
from vision.sources import FrameBgr
from vision.sources.base import Shot
from vision.virtual.render import Renderer
from vision.virtual.scene import TableStyle
from vision.virtual.world import Command, World


def test_throw_is_reported_once_with_its_picture() -> None:
    rig = Rig()
    rig.see()
    rig.move()
    seen = rig.see(4.0, dice=[die(3, 200, 150), die(5, 300, 200)])
    (throw,) = only(DiceSeen, seen)
    assert [max(d.faces, key=d.faces.get) for d in throw.dice] == [3, 5]
    assert throw.throw == 1
    (picture,) = [p for p in only(Picture, seen) if p.id == throw.picture]
    crop = cv2.imdecode(np.frombuffer(picture.jpeg, np.uint8), cv2.IMREAD_COLOR)
    for seen_die in throw.dice:
        x0, y0, x1, y1 = seen_die.box_px
        assert 0 <= x0 < x1 <= crop.shape[1]
        assert 0 <= y0 < y1 <= crop.shape[0]


@pytest.mark.parametrize("lay", [(), ((2, 100, 100), (6, 150, 220))])
def test_dice_that_nobody_saw_move_are_a_throw(lay: tuple[tuple[int, int, int], ...]) -> None:
    rig = Rig()
    rig.watcher.expect(2)
    rig.see(3.0)
    if lay:
        rig.move()
        assert len(only(DiceSeen, rig.see(2.0, dice=[die(*each) for each in lay]))) == 1
    assert rig.watcher.is_clear
    # In the dark dice may come to rest without the gate noticing.
    (throw,) = only(DiceSeen, rig.see(CHECK_S + 1.0, dice=[die(3, 200, 150), die(5, 300, 200)]))
    assert [max(d.faces, key=d.faces.get) for d in throw.dice] == [3, 5]
    assert all(max(d.faces.values()) > 0.97 for d in throw.dice)


def test_where_dice_are_due_and_none_lie_they_are_looked_for_sooner() -> None:
    counts = {}
    for due in (None, 2):
        rig = Rig()
        rig.watcher.expect(due)
        rig.see(3.0)
        before = rig.reader.count
        rig.see(2 * CHECK_S)
        counts[due] = rig.reader.count - before
    assert counts[None] <= 3
    assert 2 * CHECK_S / AWAITED_S - 2 <= counts[2] <= 2 * CHECK_S / AWAITED_S + 1


def test_nothing_is_read_while_something_moves() -> None:
    rig = Rig()
    rig.see()
    before = rig.reader.count
    rig.move()
    assert rig.reader.count == before


def test_nothing_is_reported_under_a_hand_that_rests_on_the_board() -> None:
    rig = Rig()
    rig.see(tokens=[token("car", {3: 0.99})])
    rig.move()
    seen = rig.see(3.0, hand=True, dice=[die(1, 200, 150)], tokens=[token("car", {9: 0.99}, 300)])
    assert not only(TokenSeen, seen) + only(DiceSeen, seen)
    assert [(s.state, s.word) for s in only(SightSeen, seen)] == [("unsure", "hand over the board")]


def test_clear_scene_is_hardly_read_again() -> None:
    rig = Rig()
    rig.see(2.0, tokens=[token("car", {3: 0.99})])
    before = rig.reader.count
    rig.see(8.0, tokens=[token("car", {3: 0.99})])
    assert rig.reader.count - before <= 3


def test_what_is_read_is_the_mean_of_the_frames_at_rest() -> None:
    seen: list[FrameBgr] = []

    class Keeper(ScriptedReader):
        def read(self, frame_bgr: FrameBgr) -> TableReading:
            seen.append(frame_bgr)
            return super().read(frame_bgr)

    rng, watcher = np.random.default_rng(0), Watcher(Keeper())
    for tenth in range(20):
        watcher.feed(noisy_table(rng, 6.0), tenth * TENTH)
    assert seen[-1][310:, 510:].std() < 0.6 * noisy_table(rng, 6.0)[310:, 510:].std()


def test_a_scene_is_calm_when_it_is_clear_and_nothing_has_moved_for_a_while() -> None:
    rig = Rig()
    rig.see(0.8)
    assert not rig.watcher.is_calm
    rig.see(3.0)
    assert rig.watcher.is_calm
    rig.move()
    assert not rig.watcher.is_calm
    rig.see(1.4, tokens=[token("red_pawn", {3: 0.5, 4: 0.5})])
    assert not rig.watcher.is_calm, "a token on a line is looked at longer"
    rig.see(8.0, tokens=[token("red_pawn", {3: 1.0})])
    assert rig.watcher.is_calm


def test_while_it_is_calm_not_every_frame_is_looked_at_but_every_one_from_motion_on() -> None:
    class Counting(Stills):
        looked = 0

        def feed(self, shot: Shot, t_ns: int) -> Scene:
            self.looked += 1
            return super().feed(shot, t_ns)

    rig = Rig(stills=(stills := Counting()))
    rig.see(3.0)
    assert rig.watcher.is_calm
    stills.looked = 0
    for _ in range(30):
        rig.feed(rig.table_px, TENTH // 3)
    assert stills.looked == 6
    rig.move()
    stills.looked = 0
    for _ in range(15):
        rig.feed(rig.table_px, TENTH // 3)
    assert stills.looked == 15


def test_token_that_came_to_rest_elsewhere_is_reported_by_slug() -> None:
    rig = Rig()
    rig.see(tokens=[token("car", {0: 0.99})])
    rig.move()
    seen = rig.see(tokens=[token("car", {8: 0.97, 9: 0.02}, 300)])
    (moved,) = only(TokenSeen, seen)
    assert moved.token == "car"
    assert moved.spaces == {"vermont": 0.97, "connecticut": 0.02}
    assert moved.in_jail is None
    assert not moved.between


def restless(rig: Rig, seconds: float, **changes: object) -> list[TokenSeen]:
    """What is told of tokens where something flickers twice a second, never in one place."""
    rig.reader.reading, seen = table(**changes), []
    for _ in range(round(seconds * 10)):
        frame = rig.table_px.copy()
        k = rig.t_ns // TENTH
        if k % 5 == 0:
            x, y = 60 * (k % 7), 60 * (k % 4)
            frame[60 + y : 84 + y, 60 + x : 84 + x] = 250
        seen += rig.feed(frame)
    return only(TokenSeen, seen)


def test_token_that_stands_where_it_never_rests_for_long_is_told_after_a_while() -> None:
    rig = Rig()
    rig.see(tokens=[token("car", {0: 0.99})])
    rig.move()
    there = {"tokens": [token("car", {8: 0.99}, 300)]}
    assert restless(rig, 2.0, **there) == []
    (moved,) = restless(rig, 1.5, **there)
    assert moved.spaces == {"vermont": 0.99}


def test_token_that_is_tapped_along_where_it_never_rests_for_long_is_told_where_it_stays() -> None:
    rig = Rig()
    rig.see(tokens=[token("car", {0: 0.99})])
    rig.move()
    for square in range(3, 8):
        assert restless(rig, 0.6, tokens=[token("car", {square: 0.99}, 40 * square)]) == []
    assert restless(rig, 0.8, tokens=[token("car", {8: 0.99}, 320)]) == []
    assert restless(rig, 0.4, tokens=[token("car", {8: 0.99}, 320)], hand=True) == []
    assert restless(rig, 0.9, tokens=[token("car", {8: 0.99}, 320)]) == []
    (moved,) = restless(rig, 0.9, tokens=[token("car", {8: 0.99}, 320)])
    assert moved.spaces == {"vermont": 0.99}


def test_token_that_stays_is_reported_once() -> None:
    rig = Rig()
    seen = rig.see(tokens=[token("car", {8: 0.97})])
    rig.move()
    seen += rig.see(tokens=[token("car", {8: 0.95})])
    assert len(only(TokenSeen, seen)) == 1


def test_token_on_a_line_is_looked_at_longer_and_reported_as_between() -> None:
    rig = Rig()
    rig.see(tokens=[token("car", {0: 0.99})])
    rig.move()
    seen = rig.see(3.0, tokens=[token("car", {8: 0.55, 9: 0.45}, 300)])
    (moved,) = only(TokenSeen, seen)
    assert moved.between


def test_cell_and_visiting_are_told_apart() -> None:
    rig = Rig()
    rig.see(tokens=[token("car", {0: 0.99})])
    rig.move()
    (visiting,) = only(TokenSeen, rig.see(tokens=[token("car", {10: 0.99}, 300, in_jail=0.02)]))
    rig.move()
    (jailed,) = only(TokenSeen, rig.see(tokens=[token("car", {10: 0.99}, 330, in_jail=0.97)]))
    assert visiting.in_jail == pytest.approx(0.02)
    assert jailed.in_jail == pytest.approx(0.97)


def test_token_that_is_gone_is_reported_after_a_while() -> None:
    rig = Rig()
    rig.see(tokens=[token("car", {3: 0.99})])
    rig.move()
    rig.table_px = np.where(np.indices((360, 640)).sum(0)[..., None] % 16 < 8, 40, 200).astype(np.uint8).repeat(3, 2)
    assert not only(TokenSeen, rig.see(1.5))
    (gone,) = only(TokenSeen, rig.see(6.0))
    assert gone.gone


def test_token_that_the_reader_overlooks_is_not_gone_while_its_picture_stays() -> None:
    rig = Rig()
    rig.see(tokens=[token("car", {3: 0.99})])
    rig.move()
    assert not only(TokenSeen, rig.see(8.0)), "the picture has not changed there"


def test_token_that_may_hide_behind_another_is_not_reported_as_gone() -> None:
    rig = Rig()
    rig.see(tokens=[token("car", {3: 0.99}), token("hat", {3: 0.99}, 112.0)])
    rig.move()
    assert not only(TokenSeen, rig.see(6.0, tokens=[token("car", {3: 0.99})]))


@pytest.mark.parametrize("what", ["glare", "beyond"])
def test_what_a_lamp_hides_or_the_camera_does_not_show_is_not_gone(what: str) -> None:
    rig = Rig()
    there = {"tokens": [token("car", {3: 0.99})], "buildings": {6: BuildingReading(2, False, 0.98)}}
    rig.see(**there, markers=[MarkerReading("bomb", 8, 0.9, (90.0, 280.0, 110.0, 303.0))])
    rig.move()
    rig.table_px = np.where(np.indices((360, 640)).sum(0)[..., None] % 16 < 8, 40, 200).astype(np.uint8).repeat(3, 2)
    hidden = rig.see(8.0, **{what: tuple(0.4 * (space in (3, 6, 8)) for space in range(40))})
    assert not only(SightSeen, hidden), "too little of the board to be spoken of"
    assert not any(only(kind, hidden) for kind in (TokenSeen, BuildingsSeen, MarkersSeen))
    assert {look.hidden for look in only(StandingSeen, hidden)} == {("baltic", "oriental", "vermont")}
    assert rig.watcher.is_clear
    after = rig.see(8.0)
    assert [len(only(kind, after)) for kind in (TokenSeen, BuildingsSeen, MarkersSeen)] == [1, 1, 1]


def test_what_cannot_be_read_is_said_by_the_light() -> None:
    rig = Rig()
    rig.watcher.expect(1, ("d4",))
    words = [item.word for item in rig.see(die_px=14.0) if isinstance(item, SightSeen)]
    assert words == ["the d4 is too small in the picture: bring the camera nearer"]
    rig.watcher.expect(2, ("d6", "d6"))
    seen = [(item.state, item.word) for item in rig.see(6.0, die_px=14.0) if isinstance(item, SightSeen)]
    assert seen == [("well", "")]


class Learner(ScriptedReader):
    """Learns whatever it is told, where it stands in the scripted reading."""

    book = BoardBook()

    def learn(self, frame_bgr: FrameBgr, told: Told) -> Example | None:
        there = [token for token in self.reading.tokens if token.square == told.square]
        return Example(told.token, frame_bgr[:4, :4], there[0].base_px) if there else None

    def fallen(self, frame_bgr: FrameBgr, tokens: Sequence[TokenReading]) -> dict[str, float]:
        return {}


def unsure_of(name: str, other: str, square: int, x: float) -> TokenReading:
    base = token(name, {square: 0.99}, x=x)
    return dataclasses.replace(base, names={name: 0.9, other: 0.1})


def test_a_token_that_people_named_is_called_so_at_once() -> None:
    learner = Learner()
    rig = Rig(reader=learner, pupil=learner)
    wrong = [unsure_of("hat", "car", 6, 100.0), unsure_of("car", "hat", 16, 400.0)]
    names = {item.token: set(item.spaces) for item in rig.see(tokens=wrong) if isinstance(item, TokenSeen)}
    assert names == {"hat": {"oriental"}, "car": {"st-james"}}
    rig.watcher.teach(Told("car", 6))
    again = rig.see(6.0, tokens=wrong)
    names = {item.token: set(item.spaces) for item in again if isinstance(item, TokenSeen)}
    assert names == {"car": {"oriental"}, "hat": {"st-james"}}
    assert [example.token for example in rig.watcher.take_examples()] == ["car"]
    assert rig.watcher.take_examples() == []


@pytest.mark.parametrize(("square", "learned"), [(8, []), (16, ["cop"])])
def test_the_cop_is_learned_unless_he_is_read_right(square: int, learned: list[str]) -> None:
    learner = Learner()
    rig = Rig(reader=learner, pupil=learner)
    cop = dataclasses.replace(token("cop", {8: 0.99}), cop=1.0)
    others = [token("car", {8: 0.99}, x=112.0), token("hat", {16: 0.99}, x=400.0)]
    rig.watcher.teach(Told("cop", square))
    rig.see(tokens=others, markers=[MarkerReading("cop", 8, 0.99, cop.box, cop)])
    assert [example.token for example in rig.watcher.take_examples()] == learned


def test_uncertain_name_weakens_the_spaces() -> None:
    rig = Rig()
    doubtful = dataclasses.replace(token("car", {8: 1.0}), name_confidence=0.6)
    (seen,) = only(TokenSeen, rig.see(3.0, tokens=[doubtful]))
    assert seen.spaces == {"vermont": 0.6}


def test_houses_are_reported_when_they_are_put_up_and_when_they_go() -> None:
    rig = Rig()
    rig.see()
    rig.move()
    built = rig.see(buildings={6: BuildingReading(2, False, 0.98), 39: BuildingReading(0, True, 0.95)})
    (up,) = only(BuildingsSeen, built)
    assert {slug: (b.houses, b.hotel) for slug, b in up.buildings.items()} == {
        "oriental": (2, False),
        "boardwalk": (0, True),
    }
    rig.move()
    (down,) = only(BuildingsSeen, rig.see(3.0, buildings={39: BuildingReading(0, True, 0.95)}))
    assert {slug: (b.houses, b.hotel) for slug, b in down.buildings.items()} == {"oriental": (0, False)}


def test_markers_and_the_cop_are_reported() -> None:
    rig = Rig()
    box = (90.0, 280.0, 110.0, 303.0)
    marks = [
        MarkerReading("bomb", 21, 0.9, box),
        MarkerReading("miner", 21, 0.95, box),
        MarkerReading("cop", 5, 0.96, box),
    ]
    seen = rig.see(markers=marks)
    (found,) = only(MarkersSeen, seen)
    assert found.markers == {"kentucky": ("bomb", "miner")}
    (cop,) = only(TokenSeen, seen)
    assert cop.token == "cop"
    assert cop.spaces == {"reading": 0.96}


def test_the_cop_and_a_token_of_his_kind_are_told_apart_by_the_book() -> None:
    rig = Rig()
    squares = {"blue": 30, "cop": 8}
    seen = {name: token(name, {square: 1.0}, x=100.0 + square) for name, square in squares.items()}
    blue, cop = (
        dataclasses.replace(seen["blue"], names={"blue": 0.7}, cop=0.3),
        dataclasses.replace(seen["cop"], names={"blue": 0.3}, cop=0.7),
    )
    read = {"tokens": [blue], "markers": [MarkerReading("cop", 8, 0.7, cop.box, cop)]}
    first = {item.token: max(item.spaces, key=item.spaces.get) for item in only(TokenSeen, rig.see(**read))}
    assert first == {"blue": "go-to-jail", "cop": "vermont"}
    rig.watcher.learn(BoardBook({"cop": (30, False), "blue": (8, False)}))
    rig.move()
    told = rig.see(**read)
    later = {item.token: max(item.spaces, key=item.spaces.get) for item in only(TokenSeen, told)}
    assert later == {"blue": "vermont", "cop": "go-to-jail"}
    (standing,) = only(StandingSeen, told)[-1:]
    assert standing.tokens == {"vermont": 1.0}
    assert set(standing.named) == {"blue"}


def test_a_street_that_is_not_clear_is_told_as_the_book_has_it() -> None:
    learner = Learner()
    rig = Rig(reader=learner, pupil=learner)
    shares = np.full((2, 5), 1e-4)
    shares[0, 2], shares[0, 3] = 0.8, 0.2
    seen = {"buildings": {6: BuildingReading(2, False, 0.8)}, "doubted": {6: shares}}
    for booked, told in (({}, 2), ({6: (3, False)}, 3)):
        rig.watcher.learn(BoardBook(streets=booked))
        assert learner.book.streets == booked
        rig.move()
        (sight,) = only(BuildingsSeen, rig.see(3.0, **seen))
        assert sight.buildings["oriental"].houses == told


def test_bumped_camera_moves_no_die_and_no_token() -> None:
    rig = Rig()
    dice, tokens = [die(3, 200, 150), die(5, 300, 200)], [token("car", {3: 0.99})]
    rig.see(tokens=tokens)
    rig.move()
    rig.see(dice=dice, tokens=tokens)
    rig.move()
    shift = np.array([14.0, -9.0])
    moved_dice = [die(d.value, *(np.array(d.centre_px) + shift)) for d in dice]
    moved_tokens = [dataclasses.replace(t, base_px=tuple(np.array(t.base_px) + shift)) for t in tokens]
    seen = rig.see(3.0, corners_px=CORNERS + shift, camera_moved=True, dice=moved_dice, tokens=moved_tokens)
    assert not only(DiceSeen, seen) + only(TokenSeen, seen)
    assert [s.word for s in only(SightSeen, seen)] == ["camera moved, following"]


def test_of_a_bumped_camera_is_not_spoken_all_evening_but_of_the_next_bump_again() -> None:
    rig = Rig()
    rig.see()
    for shift in ((14.0, -9.0), (-8.0, 5.0)):
        rig.move()
        moved = {"corners_px": CORNERS + np.array(shift), "camera_moved": True}
        seen = rig.see(3.0, **moved) + rig.see(FOLLOWED_S + 2 * CHECK_S, **moved)
        assert [(s.state, s.word) for s in only(SightSeen, seen)] == [("well", "camera moved, following"), ("well", "")]


def test_board_out_of_view_is_reported_as_blindness() -> None:
    rig = Rig()
    rig.see()
    rig.move()
    seen = rig.see(3.0, board_found=False, corners_px=None)
    assert [(s.state, s.word) for s in only(SightSeen, seen)] == [("blind", "the board is not in view")]
    rig.move()
    assert [s.state for s in only(SightSeen, rig.see())] == ["well"]


def test_outage_is_reported_once() -> None:
    rig = Rig()
    assert [s.word for s in rig.watcher.outage("Cannot open camera 0.", 5)] == ["Cannot open camera 0."]
    assert rig.watcher.outage("Cannot open camera 0.", 6) == []


def test_memory_survives_a_restart_of_the_process() -> None:
    rig = Rig()
    rig.see()
    rig.move()
    dice = [die(3, 200, 150), die(5, 300, 200)]
    rig.see(dice=dice)
    packed = msgspec.msgpack.encode(rig.watcher.memory())
    again = Rig(memory=msgspec.msgpack.decode(packed, type=Memory), prefix="b-")
    assert not only(DiceSeen, again.see(4.0, dice=dice))
    again.move()
    (throw,) = only(DiceSeen, again.see(4.0, dice=[die(1, 400, 150), die(1, 340, 240)]))
    assert throw.throw == 2
    assert str(throw.picture).startswith("b-")


def slides(readings: list[TableReading]) -> list[Observation | Picture]:
    """Pictures that are moments apart, each given once."""
    reader = ScriptedReader()
    watcher = Watcher(reader, is_slideshow=True)
    seen: list[Observation | Picture] = []
    for k, reading in enumerate(readings):
        reader.reading = reading
        seen += watcher.feed(FRAME, k * 15 * TENTH)
    return seen


def test_tumbling_dice_of_a_slideshow_are_no_throw_even_when_they_look_sure() -> None:
    car, moved = [token("car", {0: 0.99})], [token("car", {8: 0.99}, 300)]
    tumbling, settled = [die(1, 100, 100), die(6, 160, 90)], [die(3, 200, 150), die(5, 300, 200)]
    seen = slides(
        [
            table(tokens=car),
            table(tokens=car),
            table(tokens=car, dice=tumbling),
            table(tokens=car, dice=settled),
            table(hand=True, dice=settled),
            table(tokens=moved, dice=settled),
        ]
    )
    kinds = [type(item) for item in seen if isinstance(item, DiceSeen | TokenSeen)]
    assert kinds == [TokenSeen, DiceSeen, TokenSeen]
    (throw,) = only(DiceSeen, seen)
    assert [max(d.faces, key=d.faces.get) for d in throw.dice] == [3, 5]


def test_repeated_picture_of_a_slideshow_tells_nothing_new() -> None:
    reader = ScriptedReader()
    watcher = Watcher(reader, is_slideshow=True)
    watcher.feed(FRAME, 0)
    watcher.feed(FRAME, TENTH, is_repeat=True)
    assert reader.count == 1


@pytest.fixture(scope="module")
def played() -> list[Observation | Picture]:
    """A throw, a carried token, two houses, a brushed die and a second throw, on rendered frames."""
    style = TableStyle.random(6, 2, size=(640, 360))
    world, renderer = World(style, 6, rest_s=(1.2, 1.3)), Renderer(style)
    world.set_up()
    watcher = Watcher(TruthReader(world, renderer))
    first, second = style.tokens
    seen: list[Observation | Picture] = []

    def play(seconds: float, *commands: Command) -> None:
        nonlocal now_s
        for command in commands:
            world.do(command)
        end_s = now_s + seconds
        while world.is_busy or now_s < end_s:
            now_s += 0.1
            end_s = now_s + seconds if world.is_busy else end_s
            frame = renderer.render(world.scene_at(now_s), world.moment())
            seen.extend(watcher.feed(frame, round(now_s * 1e9)))

    now_s = 0.0
    play(1.5)
    play(1.5, Command(do="throw", dice=(3, 4)), Command(do="move", token=first, to=7))
    play(1.5, Command(do="build", to=6, houses=2), Command(do="nudge", seat=1), Command(do="pass_over", seat=2))
    play(1.5, Command(do="throw", dice=(5, 5), seat=1), Command(do="move", token=second, to=10, in_jail=True))
    return seen


def test_played_scene_gives_exactly_its_throws_moves_and_houses(played: list[Observation | Picture]) -> None:
    throws = [(d.throw, tuple(max(x.faces, key=x.faces.get) for x in d.dice)) for d in only(DiceSeen, played)]
    assert [(number, tuple(sorted(dice))) for number, dice in throws] == [(1, (3, 4)), (2, (5, 5))]
    moves = [max(t.spaces, key=t.spaces.get) for t in only(TokenSeen, played)]
    assert moves == ["go", "go", "chance-1", "jail"]
    assert [b.buildings["oriental"].houses for b in only(BuildingsSeen, played)] == [2]


@pytest.mark.parametrize("step_s", [0.1, 0.2])
@pytest.mark.parametrize("seed", [6, 7])
def test_dice_that_are_handed_on_are_told_to_be_thrown_as_likely_as_not(seed: int, step_s: float) -> None:
    style = TableStyle.random(seed, 2, size=(640, 360))
    world, renderer = World(style, seed, rest_s=(1.2, 1.3), thrown_m=0.06), Renderer(style)
    watcher, seen, now_s, rested_s = Watcher(TruthReader(world, renderer)), [], 0.0, 0.0
    handed, thrown = Command(do="hand_on", dice=(1, 5)), Command(do="throw", dice=(2, 6), seat=2)
    for commands in ((), (Command(do="throw", dice=(3, 4)),), (handed,), (thrown,)):
        for command in commands:
            world.do(command)
        while world.is_busy or now_s - rested_s < 1.5:
            rested_s = now_s if world.is_busy else rested_s
            now_s += step_s
            frame = renderer.render(world.scene_at(now_s), world.moment())
            seen += watcher.feed(frame, round(now_s * 1e9))
    assert [throw.thrown for throw in only(DiceSeen, seen)] == [1.0, EVEN, 1.0]


def test_every_picture_that_is_referred_to_came_before(played: list[Observation | Picture]) -> None:
    known: set[str] = set()
    for item in played:
        if isinstance(item, Picture):
            known.add(item.id)
        elif item.picture is not None:
            assert item.picture in known


def test_a_token_that_only_pauses_on_its_way_is_not_reported_there() -> None:
    rig = Rig()
    rig.see(tokens=[token("car", {5: 0.99})])
    told = []
    for square in (6, 7, 8):
        told += rig.move()
        told += rig.see(0.4, tokens=[token("car", {square: 0.99}, x=100.0 + 30 * square)])
    assert only(TokenSeen, told) == []
    told = rig.move() + rig.see(1.0, tokens=[token("car", {9: 0.99}, x=400.0)])
    assert [set(seen.spaces) for seen in only(TokenSeen, told)] == [{"connecticut"}]
