"""PROTOCOL.md and the programs say the same."""

import re
from pathlib import Path
from typing import get_args

import pytest

from hardware import link, protocol, tower
from hardware.device import HEARTBEAT_S, REPEAT_S, RING
from hardware.emulator import LASTING, SUDDEN
from hardware.protocol import Frame, FromTower, ToTower, decode

SPECIFICATION = (Path(protocol.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^(host |tower) (\{.*\})$", SPECIFICATION, re.MULTILINE)


@pytest.mark.parametrize(("sender", "line"), EXAMPLES)
def test_every_example_is_a_frame(sender: str, line: str) -> None:
    assert isinstance(decode(line.encode(), "host" if sender == "host " else "tower"), Frame)


def test_there_is_an_example_of_every_frame() -> None:
    shown = {type(decode(line.encode(), "host" if sender == "host " else "tower")) for sender, line in EXAMPLES}
    assert shown == {*get_args(FromTower), *get_args(ToTower)}


@pytest.mark.parametrize("frame", [*get_args(FromTower), *get_args(ToTower)])
def test_every_member_of_every_frame_is_explained(frame: type[Frame]) -> None:
    for name in (*frame.__struct_fields__, str(frame.__struct_config__.tag)):
        assert f"`{name}`" in SPECIFICATION


def test_its_figures_are_those_of_the_programs() -> None:
    assert f"at most {protocol.MAX_LINE} bytes" in SPECIFICATION
    assert f"`full` ({RING} rolls wait" in SPECIFICATION
    assert (HEARTBEAT_S, REPEAT_S) == (1.0, 0.5)
    assert f"{link.QUIET_S} s nothing" in SPECIFICATION
    assert f"{link.HAIL_EVERY_S} s / hello" in SPECIFICATION
    assert f"{tower.PROBE_S:.0f} s, no tower here" in SPECIFICATION
    assert f"{tower.GIVE_UP_S:.0f} s, open the port again" in SPECIFICATION
    for rate in tower.BAUD_RATES:
        assert str(rate) in SPECIFICATION


def test_the_emulator_knows_every_fault() -> None:
    assert {"garble", "no_newline", "duplicate", "out_of_order", "drip", "flood", "version"} <= set(LASTING)
    assert set(SUDDEN) == {"stuck", "unplug", "reboot"}
