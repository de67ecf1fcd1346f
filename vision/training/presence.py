"""Teaches the recognizer whether a token stands there at all: `python -m vision.training.presence --data F --models D`.

Renders tables that no network was trained on into FOLDER (those that are there already are used as they are), looks at
everything on them that may be a token, and at houses, hotels, discs and bare print, in the pictures as they are and
with their light disturbed, and before an older picture of the empty board or one from elsewhere too; then fits one more
answer of `recognizer.onnx`, by what the network sees before it tells tokens apart, and writes it into that file.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from vision.board.bands import beside_foot
from vision.board.layout import Layout
from vision.board.view import Points, View
from vision.networks import Network, load
from vision.pieces import finder, presence
from vision.pieces.likeness import compared
from vision.pieces.tokens import ANSWERS, FOOT_PX, WITHIN, shown_of
from vision.pixels import halved
from vision.reader import TableReader
from vision.training.old_pictures import older
from vision.training.token_tables import folders, style_of
from vision.virtual.disturbances import evening, lamp, leaning
from vision.virtual.references import elsewhere, scanned
from vision.virtual.render import Renderer

#: A token is what has its foot, as the recognizer tells it, within this of a true one's (widths of a space), and
#: nearest to it. Nothing is to be learned of others that near to a token, and of what is that near to the cop.
_NEAR = 0.3
#: Share of the tables that are looked at before an older picture of the empty board too, and before one that was
#: scanned or taken from elsewhere.
_OLDER, _ELSEWHERE = 0.3, 0.5
#: Bare places that are looked at in a picture; they and things that are no tokens are farther from these than this
#: (widths of a space). A finder that has learned little sees things everywhere: no more than so many are looked at.
_BARE, _ASIDE, _MOST = 10, 0.5, 100
#: What all else may say of a place, whatever stands there: log odds, about the share of tokens (standard deviation);
#: and for how much a place counts of which that is said. Without any the answer leans on the finder, and what that has
#: never seen is soon a token. (Of 1400 pictures of rendered tables without enrolment 1058 are right so, 1057 with 0.1,
#: and 1052 with 0.3 or 1.)
_WHATEVER, _COUNTS = 1.5, 0.1
#: How strongly weights are held small: against so many pieces, of what varies by 1.
_HELD = 100.0
#: Of the answer in `recognizer.onnx`: the layer's name, and the kind of the one that it follows.
NAME, _SEEN = "token", "Flatten"
#: The recognizer's own answers without this one, and where among them the foot is.
_ANSWERS, _FOOT = ANSWERS - 1, slice(-3, -1)
DISTURBANCES = (lamp, leaning, evening)


class Pieces(NamedTuple):
    """What may be tokens, and other things and places.

    Attributes:
        seen: (n, features) what the recognizer sees of each.
        before: (n,) log odds that it is one by all else; NaN where nothing but this looks for one.
        are: (n,) whether it is one.
    """

    seen: NDArray[np.float32]
    before: NDArray[np.float64]
    are: NDArray[np.bool_]


def pieces_of(folder: Path, models: Path, seen_by: Network) -> Iterator[Pieces]:
    """What may be tokens in each picture of a table."""
    rng = np.random.default_rng([int(folder.name), 31])
    readers = list(_readers(folder, models, rng))
    for frame in json.loads((folder / "truth.json").read_text())["frames"]:
        picture = _picture(folder / frame["file"])
        disturbed = DISTURBANCES[int(rng.integers(len(DISTURBANCES)))](picture, rng)
        for reader, shown in [*((reader, picture) for reader in readers), (readers[0], disturbed)]:
            yield from _pieces_in(reader, shown, frame, seen_by, rng)


def _readers(folder: Path, models: Path, rng: np.random.Generator) -> Iterator[TableReader]:
    """That goes by the picture of the empty board, and maybe by an older one, and one from elsewhere."""
    taps = np.array(json.loads((folder / "taps.json").read_text())["empty.jpg"])
    empty = _picture(folder / "empty.jpg")
    yield TableReader(empty, taps, models=models)
    if rng.random() < _OLDER:
        faded = np.clip(older(empty.astype(np.float32), rng), 0, 255).astype(np.uint8)
        yield TableReader(faded, taps, models=models)
    if rng.random() < _ELSEWHERE:
        style = style_of(int(folder.name))
        board = scanned(Renderer(style), rng) if rng.random() < 0.5 else elsewhere(style, rng)
        yield TableReader(board.picture_bgr, board.corners_px, models=models)


def _picture(path: Path) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(path)), np.uint8)


def _pieces_in(
    reader: TableReader, picture: NDArray[np.uint8], frame: dict, seen_by: Network, rng: np.random.Generator
) -> Iterator[Pieces]:
    half = halved(picture)
    view = reader.reference.register(picture, half).view
    if view is None:
        return
    look, layout, recognizer = reader._looked_at(picture, half, view), reader.layout, reader._namer._recognizer
    found = compared(reader._finder.find(look.picture_bgr, view, colors=look.colors, with_things=True), layout)
    feet = presence.candidates(found, layout)
    tokens = [one["base_px"] for one in frame["tokens"]]
    cops = [one["px"] for one in frame["markers"] if one["kind"] == "cop"]
    others = _others(found, layout, rng)
    others = others[_apart(others / layout.unit, view, tokens + cops, layout.unit).min(axis=1, initial=np.inf) > _ASIDE]
    at = np.concatenate([presence.feet_of(feet), others])
    before = np.concatenate([presence.log_odds(found, feet, layout), np.full(len(others), np.nan)])
    shown = shown_of(recognizer.crops(look.picture_bgr, view, found.colors, at, WITHIN))
    plain, mirrored = (seen_by(np.ascontiguousarray(each)) for each in (shown, shown[..., ::-1]))
    foot = (plain[:, _FOOT] + mirrored[:, _FOOT] * (-1, 1)) * (FOOT_PX / 2)
    at = beside_foot(view, at, foot) / layout.unit
    off, cop = (_apart(at, view, true, layout.unit) for true in (tokens, cops))
    are = ((off < _NEAR) & (off == off[: len(feet)].min(axis=0, initial=np.inf))).any(axis=1) & ~np.isnan(before)
    known = (are | (off.min(axis=1, initial=np.inf) >= _NEAR)) & (cop.min(axis=1, initial=np.inf) >= _NEAR)
    seen = (plain + mirrored)[:, :-_ANSWERS] / 2
    yield Pieces(seen[known], before[known], are[known])


def _others(found: finder.Pieces, layout: Layout, rng: np.random.Generator) -> Points:
    """(n, 2) where buildings and discs were found, and bare places of spaces."""
    feet = [one.foot for one in found.pieces if one.kind != "token"][:_MOST]
    for square in rng.integers(40, size=_BARE):
        feet.append(rng.uniform(*np.reshape(layout.rectangle(int(square)), (2, 2))))
    return np.array(feet)


def _apart(at: Points, view: View, true_px: list[list[float]], unit: float) -> Points:
    """(n, true) widths of a space between feet (n, 2) and where things truly stand."""
    true = view.to_board(np.array(true_px).reshape(-1, 2)) / unit if true_px else np.zeros((0, 2))
    away = at[:, None] - true
    return np.asarray(np.hypot(away[..., 0], away[..., 1]))


def fitted(pieces: Pieces) -> tuple[NDArray[np.float64], float]:
    """(features,) weights and a constant of the log odds that make what is so likeliest: once beside what all else says
    of a place, and once whatever that says, so that they do not lean on it where it is wrong."""
    share = pieces.are.mean()
    whatever = np.log(share / (1 - share)) + np.random.default_rng(5).normal(0, _WHATEVER, len(pieces.are))
    told = ~np.isnan(pieces.before)
    rows = np.concatenate([np.flatnonzero(told), np.arange(len(pieces.are))])
    middle, spread = pieces.seen[rows].mean(axis=0), pieces.seen[rows].std(axis=0) + 0.05
    seen = torch.from_numpy((pieces.seen[rows] - middle) / spread).double()
    before = torch.from_numpy(np.concatenate([pieces.before[told], whatever]))
    are = torch.from_numpy(pieces.are[rows].astype(float))
    counts = torch.from_numpy(np.where(np.arange(len(rows)) < told.sum(), 1, _COUNTS))
    weights = torch.zeros(seen.shape[1] + 1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, history_size=30, line_search_fn="strong_wolfe")

    def step() -> torch.Tensor:
        optimizer.zero_grad()
        odds = seen @ weights[1:] + weights[0] + before
        loss = torch.nn.functional.binary_cross_entropy_with_logits(odds, are, counts, reduction="sum")
        loss = loss + _HELD / 2 * (weights[1:] ** 2).sum()
        loss.backward()
        return loss

    optimizer.step(step)
    constant, *slopes = weights.detach().numpy()
    return slopes / spread, float(constant - (slopes / spread * middle).sum())


def without_answer(model: onnx.ModelProto) -> onnx.ModelProto:
    """The recognizer without its answer to whether a token stands there, if it has one."""
    graph, said = model.graph, f"/{NAME}/Gemm_output_0"
    nodes = [node for node in graph.node if said not in node.output]
    stored = [one for one in graph.initializer if not one.name.startswith(f"{NAME}.")]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(stored)
    graph.node[-1].input[:] = [name for name in graph.node[-1].input if name != said]
    graph.output[0].type.tensor_type.shape.dim[1].dim_value = _ANSWERS
    return model


def with_answer(model: onnx.ModelProto, weights: NDArray[np.float64], constant: float) -> onnx.ModelProto:
    """The recognizer with this as its answer to whether a token stands there, after that to whether it is the cop."""
    model = without_answer(model)
    graph, said = model.graph, f"/{NAME}/Gemm_output_0"
    features = next(node.output[0] for node in graph.node if node.op_type == _SEEN)
    last = graph.node.pop()
    last.input.insert(2, said)
    inputs = [features, f"{NAME}.weight", f"{NAME}.bias"]
    graph.node.extend([helper.make_node("Gemm", inputs, [said], f"/{NAME}/Gemm", transB=1), last])
    graph.initializer.append(numpy_helper.from_array(weights[None].astype(np.float32), inputs[1]))
    graph.initializer.append(numpy_helper.from_array(np.array([constant], np.float32), inputs[2]))
    graph.output[0].type.tensor_type.shape.dim[1].dim_value = ANSWERS
    onnx.checker.check_model(model)
    return model


def seeing(path: Path, where: Path) -> Network:
    """What the recognizer sees of crops before it tells tokens apart, then its answers but this one.

    Args:
        where: the folder to write it into.
    """
    model = without_answer(onnx.load(str(path)))
    graph = model.graph
    features = next(node.output[0] for node in graph.node if node.op_type == _SEEN)
    graph.node.append(helper.make_node("Concat", [features, graph.output[0].name], ["both"], axis=1))
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("both", TensorProto.FLOAT, ["n", "both"]))
    onnx.save(model, str(where / "seen.onnx"))
    return load(where / "seen.onnx")


def main(arguments: Sequence[str] | None = None) -> None:
    """Renders, looks, fits, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=240)
    parser.add_argument("--frames", type=int, default=7)
    parser.add_argument("--first", type=int, default=1500, help="tables before these are not looked at")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    options.data.mkdir(parents=True, exist_ok=True)
    path = options.models / "recognizer.onnx"
    seen_by = seeing(path, options.data)
    every = [
        pieces
        for folder in folders(options.data, options.tables, options.frames, options.first)
        for pieces in pieces_of(folder, options.models, seen_by)
    ]
    pieces = Pieces(*(np.concatenate(part) for part in zip(*every, strict=True)))
    weights, constant = fitted(pieces)
    onnx.save(with_answer(onnx.load(str(path)), weights, constant), str(path))
    told = ~np.isnan(pieces.before)
    odds, are = (pieces.seen @ weights + constant + pieces.before)[told], pieces.are[told]
    print(f"token at all: {((odds > 0) == are).mean():.1%} of {len(odds)} right, {are.mean():.0%} are")


if __name__ == "__main__":
    main()
