"""What every dice tower owes the table, whoever it is and whatever happens to its cable."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.observations import TowerThrow
from hardware.protocol import Ask, Heartbeat, Identify
from tests.contract.tower_rigs import Rig, build_firmware, rig_of

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals"),
    pytest.mark.xdist_group("tower"),
]

THROWS = [(3, 4), (1, 1), (6, 2), (5, 5), (2, 6)]


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    return build_firmware(tmp_path_factory.mktemp("firmware"))


@pytest.fixture(params=["emulator", "loop", "recorded", "firmware"])
def rig(request: pytest.FixtureRequest, tmp_path: Path, firmware: Path | None) -> Iterator[Rig]:
    if request.param == "firmware" and firmware is None:
        pytest.skip("no C++ compiler")
    session = request.node.name.replace(f"{request.param}-", "").replace(f"[{request.param}]", "")
    if request.param == "recorded" and "flood" in session:
        pytest.skip("the recording of a flood would be a large file")
    with rig_of(request.param, session, tmp_path, firmware) as rig:
        yield rig


class TestTower:
    def test_says_who_it_is(self, rig: Rig) -> None:
        rig.start()
        (status,) = rig.tower.status
        assert status.id
        assert status.state == "ready"
        assert "d6" in status.dice

    def test_each_throw_is_reported_once_and_in_order(self, rig: Rig) -> None:
        rig.start()
        for number, faces in enumerate(THROWS, 1):
            rig.step("throw", faces)
            rig.wait_until(lambda number=number: len(rig.throws) == number)
        assert rig.throws == THROWS
        assert [seen.sequence for seen in rig.heard if isinstance(seen, TowerThrow)] == [1, 2, 3, 4, 5]

    @pytest.mark.parametrize(("why", "word"), [("cocked", "tilted"), ("missing", "missing"), ("jammed", "stuck")])
    def test_dice_that_cannot_be_read_are_no_throw_but_are_told(self, rig: Rig, why: str, word: str) -> None:
        rig.start()
        rig.step("throw", (3, 4), why)
        rig.wait_until(lambda: any(word in said for said in rig.words))
        assert rig.throws == []
        rig.step("throw", (6, 6))
        rig.wait_until(lambda: rig.throws == [(6, 6)])

    def test_a_throw_made_while_unplugged_is_reported_once_and_as_late(self, rig: Rig) -> None:
        rig.start()
        rig.step("throw", (1, 2))
        rig.wait_until(lambda: len(rig.throws) == 1)
        if rig.is_live:
            rig.wait_until_all_is_taken()
        rig.step("unplug")
        rig.wait_until(lambda: rig.words[-1].startswith("blind"))
        rig.step("throw", (5, 6))
        rig.step("throw", (4, 4))
        rig.wait_until_kept(2)
        rig.step("plug")
        rig.wait_until(lambda: len(rig.throws) == 3)
        rig.step("throw", (3, 3))
        rig.wait_until(lambda: len(rig.throws) == 4)
        assert rig.throws == [(1, 2), (5, 6), (4, 4), (3, 3)]
        assert [seen.late for seen in rig.heard if isinstance(seen, TowerThrow)] == [False, True, True, False]

    def test_a_throw_survives_a_power_cut_before_anybody_has_taken_it(self, rig: Rig) -> None:
        rig.start()
        rig.step("throw", (1, 2))
        rig.wait_until(lambda: len(rig.throws) == 1)
        rig.wait_until_all_is_taken()
        rig.step("misbehave", "deaf")  # what it is told from now on, the acknowledgement too, is lost
        rig.step("throw", (5, 6))
        rig.wait_until(lambda: len(rig.throws) == 2)
        rig.step("unplug")
        rig.step("cut_power")
        rig.step("behave")
        rig.step("plug")
        rig.step("throw", (4, 1))
        rig.wait_until(lambda: len(rig.throws) == 3)
        assert rig.throws == [(1, 2), (5, 6), (4, 1)]

    @pytest.mark.parametrize("fault", ["garble", "no_newline", "duplicate", "out_of_order", "drip", "flood", "deaf"])
    def test_no_damage_on_the_line_loses_doubles_or_changes_a_throw(self, rig: Rig, fault: str) -> None:
        rig.start()
        rig.step("misbehave", fault)
        for faces in THROWS:
            rig.step("throw", faces)
        if fault == "deaf":
            rig.wait_until(lambda: len(rig.throws) == 1)  # never hearing that it is taken, it repeats the first one
            rig.step("behave")
        rig.wait_until(lambda: len(rig.throws) >= 5)
        rig.step("behave")
        rig.step("throw", (2, 1))
        rig.wait_until(lambda: len(rig.throws) >= 6)
        assert rig.throws == [*THROWS, (2, 1)]

    def test_a_restart_in_mid_message_loses_nothing(self, rig: Rig) -> None:
        rig.start()
        rig.step("misbehave", "reboot")
        rig.step("throw", (5, 3))
        rig.wait_until(lambda: rig.throws == [(5, 3)])
        rig.step("throw", (1, 6))
        rig.wait_until(lambda: len(rig.throws) == 2)
        boots = {seen.boot for seen in rig.heard if isinstance(seen, TowerThrow)}
        assert rig.throws == [(5, 3), (1, 6)]
        assert len(boots) == 2

    def test_another_version_is_told_and_nothing_of_it_believed(self, rig: Rig) -> None:
        rig.step("misbehave", "version")
        rig.start(is_understood=False)
        rig.wait_until(lambda: any("speaks version 2" in word for word in rig.words))
        rig.step("throw", (6, 6))
        assert rig.throws == []
        rig.step("behave")
        rig.wait_until(lambda: rig.throws == [(6, 6)])

    def test_throws_the_dice_that_are_asked_for(self, rig: Rig) -> None:
        rig.start()
        rig.tower.ask("d20")
        if rig.is_live:
            rig.wait_until(lambda: any(isinstance(frame, Ask) for frame in rig.frames["host"]))
        rig.wait_until(lambda: any(f.asked == "d20" for f in rig.frames["tower"] if isinstance(f, Heartbeat)))
        rig.step("throw", (17,))
        rig.wait_until(lambda: rig.throws == [(17,)])
        assert [seen.kinds for seen in rig.heard if isinstance(seen, TowerThrow)] == [("d20",)]

    def test_blinks_when_asked_to(self, rig: Rig) -> None:
        rig.start()
        rig.tower.identify(seconds=1)
        rig.wait_until(lambda: any(isinstance(frame, Identify) for frame in rig.frames["host"]))
        rig.wait_until(lambda: any(f.blinking for f in rig.frames["tower"] if isinstance(f, Heartbeat)))


def test_firmware_is_tested_where_there_is_a_compiler(firmware: Path | None) -> None:
    """In continuous integration the compiler must be there."""
    if os.environ.get("CI") is None and firmware is None:
        pytest.skip("no C++ compiler")
    assert firmware is not None
