"""All networks are trained by one command, from nothing or from others, and the same again by the same seed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.test_networks import OF_LEVELS, SHAPES
from vision.networks import load
from vision.training.typefaces import typefaces
from vision.virtual.dice import DiceLight, DieLook, Eye, draw_die, resting, turn_up
from vision.virtual.polyhedra import numeral

if TYPE_CHECKING:
    import torch

for needed in ("torch", "onnx", "matplotlib"):
    pytest.importorskip(needed, reason=f"training needs {needed}: install the extra `training`")

ROOT = Path(__file__).resolve().parents[2]
EXPORTS = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def photographs(folder: Path) -> Path:
    """Two pictures of one die each with their labels, as photographs come."""
    entries = []
    for kind, value in (("d6", 4), ("d20", 11)):
        canvas = np.full((160, 200, 3), 110, np.float32)
        look, rotation = DieLook(kind=kind), turn_up(kind, value, 0.4, 0.0, 0.0)
        eye = Eye.above(1.3, 40.0, 40.0 * 36, (100, 80))
        patch = draw_die(look, rotation, resting(look, rotation, (0.0, 0.0)), eye, DiceLight())
        height, width = patch.alpha.shape
        part = canvas[patch.y : patch.y + height, patch.x : patch.x + width]
        part[:] = part * (1 - patch.alpha[..., None]) + patch.bgr * patch.alpha[..., None]
        cv2.imwrite(str(folder / f"{kind}.png"), canvas.astype(np.uint8))
        dice = [{"kind": kind, "value": value, "box": patch.box}]
        entries.append({"file": f"{kind}.png", "source": "drawn", "dice": dice})
    (folder / "manifest.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return folder


def test_a_die_is_shown_as_from_farther_away_in_its_place() -> None:
    from vision.dice.crops import crop, crop_before
    from vision.training.samples import _from_afar, _Place
    from vision.training.tables import Example, rows_of

    picture = np.full((120, 160, 3), 90, np.uint8)
    picture[40:64, 60:84] = 220
    picture[46:52, 66:72] = 20
    example = Example(picture, rows_of(()), cv2.resize(picture, (80, 60), interpolation=cv2.INTER_AREA))
    near = _Place(71.5, 51.5, 24.0, 0.2, 1.0)
    small, far = _from_afar(example, near, np.random.default_rng(3))
    assert 7 < far.edge < 15
    for cut, one, other in ((crop, example.image, small.image), (crop_before, example.before, small.before)):
        then = cut(one, (near.x, near.y), near.edge, near.angle)[..., 0]
        now = cut(other, (far.x, far.y), far.edge, far.angle)[..., 0]
        middles = [np.argwhere(seen > 150).mean(axis=0) for seen in (then, now)]
        assert middles[1] == pytest.approx(middles[0], abs=1.0)
        assert np.count_nonzero(now > 150) == pytest.approx(np.count_nonzero(then > 150), rel=0.2)
    assert small.image.shape[1] < 0.6 * 2 * 2.5 * near.edge
    tiny = _Place(71.5, 51.5, 8.0, 0.2, 1.0)
    assert _from_afar(example, tiny, np.random.default_rng(3)) == (example, tiny)


def training(out: Path, *more: str, hashes: str = "1") -> "subprocess.Popen[str]":
    """The command, with as little of everything as it takes."""
    return subprocess.Popen(
        [sys.executable, "-m", "vision.training", "--scale", "0.0001", "--out", str(out), *more],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": hashes},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def networks(process: "subprocess.Popen[str]", out: Path) -> dict[str, bytes]:
    """What the command wrote, once it has ended."""
    printed, _ = process.communicate()
    assert process.returncode == 0, printed
    assert "WEIGHTS" in printed
    assert {path.name for path in out.iterdir()} == {f"{name}.onnx" for name in SHAPES}
    for name, shape in SHAPES.items():
        shown = np.zeros(shape, np.uint8 if name in OF_LEVELS else np.float32)
        assert np.isfinite(load(out / f"{name}.onnx")(shown)).all()
    return {path.stem: path.read_bytes() for path in out.iterdir()}


def drawn(number: int, typeface: str) -> bytes:
    """A numeral, drawn anew."""
    return numeral.__wrapped__(number, 0, typeface).tobytes()


def test_the_same_networks_are_trained_again_from_nothing_and_others_from_them(tmp_path: Path) -> None:
    data = ("--data", str(photographs(tmp_path)))
    both = [training(tmp_path / hashes, *data, "--seed", "3", hashes=hashes) for hashes in ("1", "2")]
    first, again = (networks(process, tmp_path / hashes) for process, hashes in zip(both, ("1", "2"), strict=True))
    assert [name for name in SHAPES if first[name] != again[name]] == []
    # Photographs may be left out.
    further = training(tmp_path / "further", "--seed", "3", "--resume", str(tmp_path / "1"))
    assert [name for name, file in networks(further, tmp_path / "further").items() if file == first[name]] == []


def test_numerals_are_of_their_own_typeface_whatever_was_drawn_before() -> None:
    faces = sorted(set(typefaces()))
    first = {face: drawn(8, face) for face in faces}
    assert len(set(first.values())) > len(faces) // 2
    for face in reversed(faces):
        assert drawn(8, face) == first[face]


def test_streets_of_several_boards_are_told_as_those_of_each_alone() -> None:
    import torch

    from vision.training.pieces_net import Streets

    torch.manual_seed(1)
    network, shown = Streets().eval(), torch.randn(6, *SHAPES["streets"][1:])
    with torch.no_grad():
        together, alone = network.of_boards(shown, 2), [network(part) for part in (shown[:3], shown[3:])]
        others = network(shown)
    assert torch.allclose(together, torch.cat(alone), atol=1e-5)
    assert not torch.allclose(together, others, atol=1e-5), "the other streets of a board tell nothing"


def finder_of_levels(path: Path) -> "tuple[NDArray[np.uint8], torch.Tensor]":
    """Writes a finder by chance in 8 bits; levels that it is shown (6, 8, 96, 192), and what it says in 32 bits."""
    import torch

    from vision.training.pieces_net import Finder
    from vision.training.pieces_train import export
    from vision.training.quantize import as_levels, in_8_bits, of_levels

    torch.manual_seed(2)
    network = Finder().eval()
    coarse = np.random.default_rng(5).uniform(-0.45, 0.55, (6, 12, 24, 8)).astype(np.float32)
    shown = np.stack([cv2.resize(one, (192, 96)) for one in coarse]).transpose(0, 3, 1, 2).copy()
    with torch.no_grad():
        network.head.weight *= 20
        for one in network.modules():
            if isinstance(one, torch.nn.BatchNorm2d):
                one.bias.uniform_(-0.2, 0.2)
        right = network(torch.from_numpy(shown))
    export(network, "finder", path)
    in_8_bits(path, [shown[:2], shown[2:4]])
    of_levels(path)
    return as_levels(shown), right


def said_of(path: Path, levels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What a network says of pictures, one at a time."""
    network = load(path)
    return np.concatenate([network(one[None]) for one in levels])


def test_a_finder_s_scores_are_as_usual_whatever_it_said_before(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from vision.training import pieces_train
    from vision.training.pieces_net import Finder

    class Source:
        """Windows of noise with a piece of every class but the last at every tenth place or so."""

        def batch(self, n: int) -> list[torch.Tensor]:
            is_there = torch.rand(n, 5, 16, 32, generator=made) < 0.1
            is_there[:, -1] = False
            return [torch.randn(n, 8, 32, 64, generator=made), is_there.float(), torch.ones(is_there.shape)]

    monkeypatch.setattr(pieces_train, "TOLD_BY", 12)
    torch.manual_seed(3)
    network, made = Finder().eval(), torch.Generator().manual_seed(4)
    as_it_was = network.head.bias[-1].item()
    pieces_train.as_usual(network, Source())
    made.manual_seed(5)
    shown, is_there, _ = Source().batch(40)
    with torch.no_grad():
        odds = network(shown)
    assert network.head.bias[-1].item() == as_it_was, "nothing tells by how much"
    for kind, usual in enumerate(pieces_train.USUAL[:-1]):
        scores = odds[:, kind][is_there[:, kind] > 0]
        assert scores.median().item() == pytest.approx(usual, abs=0.01)


@EXPORTS
def test_a_finder_says_of_levels_in_8_bits_what_it_said(tmp_path: Path) -> None:
    import onnx
    import torch

    from vision.training.quantize import with_copies
    from vision.training.settling import Whole

    path = tmp_path / "finder.onnx"
    levels, right = finder_of_levels(path)
    said = said_of(path, levels)
    assert np.sqrt(((said - right.numpy()) ** 2).mean()) < 0.1 * said.std()
    with torch.no_grad():
        learning = Whole(path)(torch.from_numpy(levels).float()).numpy()
    # Halves are rounded otherwise here and there.
    assert np.sqrt(((learning - said) ** 2).mean()) < 0.02 * said.std()
    with_copies(path)
    assert "Resize" not in {node.op_type for node in onnx.load(path).graph.node}
    assert (said_of(path, levels) == said).all()


@EXPORTS
def test_a_finder_in_8_bits_learns_to_say_it_better(tmp_path: Path) -> None:
    import torch

    from vision.training.pieces_train import as_before
    from vision.training.settling import settle

    path = tmp_path / "finder.onnx"
    levels, right = finder_of_levels(path)
    before = float(as_before(torch.from_numpy(said_of(path, levels)), right))
    settle(path, ((torch.from_numpy(levels).float(), right) for _ in range(60)), 60, 3e-4, as_before)
    assert float(as_before(torch.from_numpy(said_of(path, levels)), right)) < 0.8 * before
