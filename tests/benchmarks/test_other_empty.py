"""What it costs that the empty board was photographed elsewhere, or scanned, and not seen by the camera of the game.

Run with `python -m pytest -m benchmark tests/benchmarks/test_other_empty.py -s -n 0`.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from calibration.profile import read_folder
from tests.benchmarks.pictures import frames_of, judged, reader_of_folder
from vision.reader import TableReader
from vision.virtual.dataset import write_table
from vision.virtual.references import EmptyBoard, elsewhere, scanned
from vision.virtual.render import Renderer
from vision.virtual.scene import TableStyle

#: Rendered tables, and pictures of each.
TABLES, FRAMES = range(941_020, 941_044), 6
#: Standard deviation of taps along each axis, px.
TAP_PX = 0.9
#: Share of all that is read rightly next to the camera's own empty board that is so next to another one, at least.
FLOORS = {"scanned": 0.93, "elsewhere": 0.95}
#: Pictures in which a hand may be seen where there is none.
NO_HANDS = 2


@pytest.mark.benchmark
def test_an_empty_board_from_elsewhere_costs_little(tmp_path: Path) -> None:
    ways: dict[str, Callable[[TableStyle, np.random.Generator], EmptyBoard] | None] = {
        "its own": None,
        "scanned": lambda style, rng: scanned(Renderer(style), rng),
        "elsewhere": elsewhere,
    }
    shares: dict[str, list[float]] = {way: [] for way in ways}
    hands, lost = dict.fromkeys(ways, 0), dict.fromkeys(ways, 0)
    for seed in TABLES:
        style, folder = TableStyle.random(seed, 3 + seed % 6), tmp_path / str(seed)
        write_table(folder, style, FRAMES, 0, with_hands=False)
        for way, empty_of in ways.items():
            if empty_of is None:
                reader = reader_of_folder(folder)
            else:
                rng = np.random.default_rng([seed, 41])
                empty = empty_of(style, rng)
                taps = empty.corners_px + rng.normal(0, TAP_PX, (4, 2))
                reader = TableReader(empty.picture_bgr, taps, read_folder(folder).enrol_bgr())
            for frame, picture in frames_of(folder):
                reading = reader.read(picture)
                there = sum(len(frame[kind]) for kind in ("dice", "tokens", "buildings", "markers"))
                said = list(judged(frame, reading))
                rights = sum(one.is_right for one in said)
                shares[way].append(max(rights - (len(said) - rights), 0) / max(there, 1))
                hands[way] += reading.hand
                off = np.inf
                if reading.corners_px is not None:
                    off = float(np.hypot(*(reading.corners_px - np.array(frame["board_corners_px"])).T).mean())
                lost[way] += off >= 6 * style.camera.size[0] / 1280
    plain = float(np.mean(shares["its own"]))
    print()
    for way, each in shares.items():
        seen = float(np.mean(each))
        print(
            f"{way}: {seen:.3f} of all there is, {seen / plain:.1%} of that next to its own; of {len(each)} pictures "
            f"{hands[way]} have a hand that is none, in {lost[way]} the board is not found"
        )
        assert hands[way] <= NO_HANDS
        assert not lost[way]
        assert seen >= FLOORS.get(way, 0.0) * plain
