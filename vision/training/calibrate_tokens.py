"""Fits what speaks for tokens and for markers: `python -m vision.training.calibrate_tokens --data FOLDER`.

Renders tables that no network was trained on into FOLDER (those that are there already are used as they are), looks at
them, and prints `WEIGHTS` of `vision.pieces.naming`, and `_CHANCES` of `vision.pieces.finder` for markers, with which
probabilities come out right.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.networks import MODELS
from vision.pieces.markers import LEAST_SCORE
from vision.pieces.naming import WEIGHTS, Evidence, Weights
from vision.reader import TableReader, without_tokens
from vision.training.token_tables import folders

#: A foot is that of what stands within this share of a space's width.
NEAR = 0.3
#: Not fitted: the finder is surer of pictures like those that it was trained on than of others.
HELD = ("shows", "other", "doubted")


@dataclass
class Case:
    """One picture: what is known of its feet, and which column each is (the last one for none of them)."""

    evidence: Evidence
    labels: np.ndarray
    names: int


def reader_of(folder: Path, models: Path) -> TableReader:
    """The reader of a folder of pictures, calibrated by it."""
    taps = json.loads((folder / "taps.json").read_text())["empty.jpg"]
    enrol = {path.stem.removeprefix("enrol_"): cv2.imread(str(path)) for path in sorted(folder.glob("enrol_*.jpg"))}
    return TableReader(cv2.imread(str(folder / "empty.jpg")), np.array(taps), enrol, kinds=("d6",), models=models)


def cases_of(folder: Path, models: Path) -> Iterator[tuple[Case, list[tuple[str, float, bool]]]]:
    """Each picture of a table, with (kind, score, is there) of every disc that would be read in it; none where no token
    could be enrolled."""
    reader = reader_of(folder, models)
    if not reader._namer.names:
        return
    for frame in json.loads((folder / "truth.json").read_text())["frames"]:
        picture = np.asarray(cv2.imread(str(folder / frame["file"])), np.uint8)
        where = reader.reference.register(picture)
        if where.view is None:
            continue
        found = reader._finder.find(picture, where.view)
        feet, evidence = reader._namer.candidates(picture, where.view, found)
        names = reader._namer.names
        near = NEAR * reader.layout.unit
        places = np.array([one.foot for one in feet]).reshape(-1, 2)
        labels = np.full(len(feet), len(names) + 1)
        true = [(names.index(one["name"]), one["base_px"]) for one in frame["tokens"] if one["name"] in names]
        true += [(len(names), one["px"]) for one in frame["markers"] if one["kind"] == "cop"]
        for column, px in true:
            away = np.hypot(*(places - where.view.to_board(np.array([px]))[0]).T)
            if len(away) and away.min() < near and labels[away.argmin()] == len(names) + 1:
                labels[away.argmin()] = column
        discs = []
        named, *_, cop = reader._namer.name(picture, where.view, found)
        for one in without_tokens(where.view, reader.layout.unit, found.pieces, named, cop):
            if one.kind in ("bomb", "miner") and one.score >= LEAST_SCORE:
                spots = np.array([each["px"] for each in frame["markers"] if each["kind"] == one.kind]).reshape(-1, 2)
                away = np.hypot(*(where.view.to_board(spots) - one.foot).T) if len(spots) else np.ones(1)
                discs.append((one.kind, one.score, bool(away.min() < near)))
        yield Case(evidence, labels, len(names)), discs


class Cases:
    """Many pictures as one array: (pictures, feet, columns), filled up with what counts for nothing."""

    def __init__(self, cases: list[Case]) -> None:
        feet, names = max(len(case.labels) for case in cases), max(case.names for case in cases)
        self.alike = torch.full((len(cases), feet, names), -9.0, dtype=torch.float64)
        self.common = torch.zeros((5, len(cases), feet), dtype=torch.float64)
        self.labels = torch.full((len(cases), feet), -1)
        for index, case in enumerate(cases):
            n = len(case.labels)
            self.alike[index, :n, : case.names] = torch.from_numpy(case.evidence.alike)
            for row, name in enumerate(("cop", "shows", "other", "doubted", "as_figure")):
                self.common[row, index, :n] = torch.from_numpy(getattr(case.evidence, name))
            # Names of this picture's own come first; the cop and none of them are the last two of all.
            own = torch.from_numpy(case.labels)
            self.labels[index, :n] = torch.where(own >= case.names, own - case.names + names, own)
        sets = torch.arange(1 << (names + 1))
        bits = 1 << torch.arange(names + 1)[:, None]
        self._without, self._has = sets ^ bits, ((sets & bits) > 0).double()

    def loss(self, weights: torch.Tensor) -> torch.Tensor:
        """Mean squared error (Brier) of the probabilities of a foot, as `assignment.marginals` has them."""
        alike, of_cop, of_kind, of_shows, of_other, of_doubted, as_token, capped, as_any = weights
        cop, shows, other, doubted, as_figure = self.common
        common = of_shows * shows + of_other * other + of_doubted * doubted
        tokens = torch.where(self.alike > -9, alike * self.alike + common[..., None] + as_token, -40.0)
        by_cap = of_cop * cop + of_kind * self.alike.amax(2).clip(-1) + capped
        as_cop = torch.logaddexp(by_cap, as_any) + as_figure.clip(max=0) + common
        logits = torch.cat([tokens, as_cop[..., None]], 2)
        logits = torch.clip(torch.where(self.labels[..., None] >= 0, logits, -40.0), -40, 40)
        ways = torch.zeros((len(logits), self._has.shape[1]), dtype=torch.float64)
        ways[:, 0] = 1.0
        log_all = torch.zeros(len(logits), dtype=torch.float64)
        for row in range(logits.shape[1]):
            taken = ways[:, self._without] * self._has * torch.exp(logits[:, row])[..., None]
            ways = ways + taken.sum(1)
            most = ways.max(1, keepdim=True).values
            ways, log_all = ways / most, log_all + torch.log(most[:, 0])
        every_way = log_all + torch.log(ways.sum(1))
        given = torch.autograd.grad(every_way.sum(), logits, create_graph=True)[0]
        shares = torch.cat([given, 1 - given.sum(2, keepdim=True)], 2)[self.labels >= 0]
        true = torch.nn.functional.one_hot(self.labels[self.labels >= 0], shares.shape[1])
        return ((shares - true) ** 2).sum(1).mean()


def fitted(cases: list[Case]) -> tuple[Weights, float, float]:
    """The weights that make the loss least, and that loss before and after; those of `HELD` stay as they are."""
    every = Cases(cases)
    weights = torch.tensor(WEIGHTS, dtype=torch.float64, requires_grad=True)
    free = torch.tensor([name not in HELD for name in Weights._fields], dtype=torch.float64)
    before = float(every.loss(weights).detach())
    optimizer = torch.optim.LBFGS([weights], max_iter=40, line_search_fn="strong_wolfe")

    def step() -> torch.Tensor:
        optimizer.zero_grad()
        loss = every.loss(weights)
        loss.backward()
        weights.grad *= free
        return loss

    optimizer.step(step)
    return Weights(*weights.detach().tolist()), before, float(every.loss(weights).detach())


def curve(scores: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """(slope, shift) of the log odds by which scores become probabilities; a weak prior keeps few scores sensible."""
    odds = torch.from_numpy(np.log(scores / (1 - scores)))
    right = torch.from_numpy(truth.astype(float))
    both = torch.tensor([3.0, 0.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([both], max_iter=60, line_search_fn="strong_wolfe")

    def step() -> torch.Tensor:
        optimizer.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(both[0] * odds + both[1], right, reduction="sum")
        loss = loss + 0.1 * ((both - torch.tensor([3.0, 0.0])) ** 2).sum()
        loss.backward()
        return loss

    optimizer.step(step)
    return float(both[0].detach()), float(both[1].detach())


def main(arguments: Sequence[str] | None = None) -> None:
    """Renders, looks, fits, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--frames", type=int, default=6)
    parser.add_argument("--models", type=Path, default=MODELS)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    cases, discs = [], []
    for folder in folders(options.data, options.tables, options.frames):
        for case, found in cases_of(folder, options.models):
            discs += found
            if len(case.labels):
                cases.append(case)
    if cases:
        weights, before, after = fitted(cases)
        print(f"WEIGHTS = Weights({', '.join(f'{value:.2f}' for value in weights)})")
        print(f"mean squared error in {len(cases)} pictures: {before:.3f}, then {after:.3f}")
    else:
        print("WEIGHTS: nothing is found to go by")
    for kind in ("bomb", "miner"):
        scores = np.array([score for name, score, _ in discs if name == kind])
        truth = np.array([is_there for name, _, is_there in discs if name == kind])
        if len(scores):
            slope, shift = curve(scores, truth)
            print(f"{kind}: ({slope:.1f}, {shift:.1f}) of {len(scores)}, {truth.mean():.0%} there")
        else:
            print(f"{kind}: none is found to go by")


if __name__ == "__main__":
    main()
