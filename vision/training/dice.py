"""Trains the dice networks: `python -m vision.training.dice --data FOLDER --seed 0`.

Renders pictures (`scenes.py`), trains the finder (where are upper faces, how large), the reader (what kind, which
value of a d6) and the numerals (which value of a d20 or d4) on them, then finder and reader for tables of which an
empty picture is known, then, on pictures in which half of the dice lie cocked, what tells these, and writes them
(`STEPS`). Pictures come in chapters, each rendered while the network learns from those before. FOLDER, optional, holds
labelled photographs (`manifest.jsonl`); some of them join every chapter.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from vision.dice.crops import CHANNELS, CLASSES, COCKED_CHANNELS, NUMERALS
from vision.dice.reader import DiceReader, Stances
from vision.training import networks, numerals, pictures
from vision.training.learning import Learning
from vision.training.meanwhile import ahead, growing, made
from vision.training.on_dice import DiceData
from vision.training.quantize import in_8_bits
from vision.training.samples import (
    PHOTOGRAPHED,
    Data,
    cocked_loss,
    cocked_sample,
    finder_loss,
    finder_sample,
    numeral_loss,
    numeral_sample,
    reader_loss,
    reader_sample,
)
from vision.training.scenes import COCKED
from vision.training.tables import COLUMNS, DECOY, THROWS, Example, Rows, stances, table_frames

#: Of a chapter: rendered pictures, those of d4 and d20, tables (four frames each), photographs, and samples.
COUNTS = {"pictures": 60, "numbered": 20, "tables": 1, "photographs": 60, "samples": 6000}
#: Least numbers of them in a trial: not every d4 and d20 is large enough to be read.
_LEAST = {"pictures": 4, "numbered": 12, "tables": 1, "photographs": 2, "samples": 48}
#: Where other numbers of them teach better.
_COUNTS = {
    "dice_numerals": {"pictures": 4, "numbered": 180, "samples": 5000},
    "dice_finder": {"samples": 1500},
    "table_dice_finder": {"samples": 1500},
    "dice_cocked": {"numbered": 0, "tables": 2, "samples": 6000},
}
#: The networks, in the order in which they are trained, and how many batches and chapters each is shown where nothing
#: else is said: as many batches as the shipped one was in all its stretches.
STEPS = {
    "dice_finder": (126_000, 500),
    "dice_reader": (285_500, 500),
    "dice_numerals": (336_400, 300),
    "table_dice_finder": (68_600, 300),
    "table_dice_reader": (163_500, 400),
    "dice_cocked": (88_000, 600),
}
#: Samples in a batch of a finder, and of the others.
_PIECES, _CROPS = 12, 48
#: Edge of a die where none lies, px.
_USUAL_EDGE = 18.0
#: So many decoys of a picture are kept, at most; one whose log odds of being a die, as a reader that has learned says,
#: are above the first, second, and third of these counts as two, four, or seven.
_MOST_DECOYS, _MISLED, _TIMES = 40, (-4.0, -2.2, -0.4), (1, 2, 4, 7)
#: Of how many pictures one is searched for what misleads.
_SEARCHED = 3
#: Photographs of more dice than this are drawn as often as those of so many, see `by_their_dice`.
_MANY = 12
#: Batches by which a network is put into 8 bits, no more than it was trained on.
_SHOWN, _SHOWN_OF = 60, 48
#: Steps after which it is told how far it is; after ten times as many the network is written.
_OFTEN = 500
#: How deep finder and reader are, see `networks`: those for the picture alone, and, quicker, those for tables.
_FINDER_DEEP, _READER_DEEP = {False: 4, True: 5}, {False: (2, 3, 4), True: (1, 2, 3)}
_NUMERALS_DEEP, _COCKED_DEEP = (2, 4, 7), (1, 2, 3)
#: So many convolutions of what tells that dice lie cocked begin as those of the reader for tables.
_SHARED = 10


@dataclass(frozen=True)
class Lesson:
    """What a network of the dice learns from.

    Attributes:
        counts: as `COUNTS`.
        models: folder of the networks that have learned before it.
        is_taught: whether these are those it goes on from.
    """

    name: str
    seed: int
    data: Path | None
    counts: dict[str, int]
    models: Path
    is_taught: bool

    @property
    def is_table(self) -> bool:
        """Whether it sees the empty table too."""
        return self.name.startswith("table_")

    @property
    def job(self) -> str:
        """What it does."""
        return self.name.removeprefix("table_").removeprefix("dice_")


@lru_cache(maxsize=1)
def photographs_of(data: Path | None) -> list[pictures.Photograph]:
    """Those of a folder, once a process."""
    return pictures.load_photographs(data) if data else []


@lru_cache(maxsize=1)
def backgrounds_of(data: Path | None) -> list[pictures.Image]:
    """What pictures are rendered over, once a process."""
    return pictures.backgrounds(photographs_of(data))


@lru_cache(maxsize=2)
def eyes_of(models: Path) -> DiceReader:
    """What the networks of a folder see, once a process."""
    return DiceReader(models)


def chapter(lesson: Lesson, number: int) -> list[np.ndarray]:
    """Samples of pictures that are rendered for them, (n, ...) each of their parts; see `on_dice.DiceData`."""
    rng = np.random.default_rng([lesson.seed, number])
    data = gather(lesson, number, rng)
    if lesson.job == "numerals":
        data = with_numerals(data)
    if lesson.job == "reader":
        # Of photographs alone, more of what misleads made real dice be missed.
        is_taught = lesson.is_table and lesson.is_taught
        data = with_decoys(data, eyes_of(lesson.models), lesson.is_table, is_taught)
        if not lesson.is_table:
            data = by_their_dice(data)
    sample = {
        "finder": partial(finder_sample, is_table=lesson.is_table),
        "reader": partial(reader_sample, is_table=lesson.is_table),
        "numerals": numeral_sample,
        "cocked": cocked_sample,
    }[lesson.job]
    samples = [sample(data, rng) for _ in range(lesson.counts["samples"])]
    return [np.stack(part) for part in zip(*samples, strict=True)]


def gather(lesson: Lesson, number: int, rng: np.random.Generator) -> Data:
    """Rendered pictures, some photographs, frames of tables, and pictures of numbered dice.

    What learns to tell that dice lie cocked sees many that do.
    """
    counts, is_cocked = lesson.counts, lesson.job == "cocked"
    share, throws = (0.5, 14) if is_cocked else (COCKED, THROWS)
    render = partial(pictures.render, rng=rng, backgrounds=backgrounds_of(lesson.data))
    scenes = render(counts["pictures"], cocked=share)
    if lesson.job == "numerals":
        shown = faces_of(lesson.data, lesson.models)
    else:
        known = photographs_of(lesson.data)
        shown = [pictures.example_of(known[k]) for k in rng.permutation(len(known))[: counts["photographs"]]]
    first = 9000 + 1_000_000 * lesson.seed + number * counts["tables"]
    framed = [one for k in range(counts["tables"]) for one in table_frames(first + k, 4, throws, share)]
    numbered = render(counts["numbered"], side=numerals.SIDE, is_numbered=True)
    every = (scenes, shown, framed, numbered)
    return Data([one for some in every for one in some], [k for k, some in enumerate(every) for _ in some])


def with_numerals(data: Data) -> Data:
    """Only the pictures in which there are numerals to read."""
    keep = [k for k, one in enumerate(data.examples) if len(numerals.legible(one.rows, one.image))]
    return Data([data.examples[k] for k in keep], [data.groups[k] for k in keep])


@lru_cache(maxsize=1)
def faces_of(data: Path | None, models: Path) -> list[Example]:
    """Photographs of a single d20 and its upper face, once a process.

    Args:
        models: folder of the finder and the reader that say where that is: photographs are labelled with boxes around
            whole dice.
    """
    single = [one for one in photographs_of(data) if len(one.labels) == 1 and one.labels[0].kind == "d20"]
    shown = [(one, _upper_face(one, eyes_of(models))) for one in map(pictures.example_of, single)]
    return [replace(one, rows=rows) for one, rows in shown if len(rows)]


def _upper_face(photograph: Example, eyes: DiceReader) -> Rows:
    """(1 or 0, COLUMNS) where the upper face of the one d20 of a photograph is found."""
    rows = photograph.rows
    for x, y, edge in eyes.places(photograph.image, "d20"):
        if np.hypot(x - rows[0, 2], y - rows[0, 3]) < 0.5 * rows[0, 4]:
            found = rows.copy()
            found[0, 2:5] = x, y, edge
            return found
    return rows[:0]


def by_their_dice(data: Data) -> Data:
    """Draws photographs as often as they have dice, up to `_MANY`: those of many dice are read worst."""
    counts = [int((data.examples[k].rows[:, 0] != DECOY).sum()) for k in data.pools[PHOTOGRAPHED]]
    data.pools[PHOTOGRAPHED] = np.repeat(data.pools[PHOTOGRAPHED], np.clip(np.array(counts, int), 1, _MANY))
    return data


def with_decoys(data: Data, eyes: DiceReader, is_table: bool, is_taught: bool) -> Data:
    """Adds what the finder wrongly proposes as decoys: that is what the reader has to turn down.

    Args:
        eyes: whose finder proposes.
        is_table: against the empty table.
        is_taught: whether its reader has learned already; what it takes for dice is then drawn several times as often.
    """
    examples, often = list(data.examples), np.ones(len(data.examples), int)
    for number in range(0, len(examples), _SEARCHED):
        one = examples[number]
        dice = one.rows[one.rows[:, 0] != DECOY]
        how = _known(dice, one) if is_table else ()
        if is_taught:
            found, evidence = eyes.opinions(one.image, *how)
            misled = np.digitize(evidence[:, 1], _MISLED)
        else:
            found = eyes.proposals(one.image, *how)
            misled = np.zeros(len(found), int)
        wrong = np.flatnonzero(~_are_on(found, dice))[:_MOST_DECOYS]
        often[number] += min(int((misled[wrong] > 1).sum()), 3)
        rows = [(DECOY, 0, *found[k], 1, 0, 0, 1, 0, 0) for k in wrong for _ in range(_TIMES[misled[k]])]
        rows_of_decoys = np.array(rows, np.float32).reshape(-1, COLUMNS)
        examples[number] = replace(one, rows=np.concatenate([one.rows, rows_of_decoys]))
    shown = Data(examples, data.groups)
    shown.pools = [np.repeat(pool, often[pool]) for pool in shown.pools]
    return shown


def _known(dice: Rows, example: Example) -> tuple[float, Stances | None, np.ndarray]:
    """What is known of a table: the usual edge of its dice, how things stand, and how it looks without them."""
    if not len(dice):
        return _USUAL_EDGE, None, example.before
    return float(np.median(dice[:, 4])), partial(stances, dice), example.before


def _are_on(found: np.ndarray, dice: Rows) -> np.ndarray:
    """(n,) whether proposals (n, 3) are upper faces of dice, of about their size."""
    away = np.hypot(*(found[:, None, :2] - dice[:, 2:4]).transpose(2, 0, 1)) / np.maximum(found[:, 2:3], dice[:, 4])
    of_other_size = np.abs(np.log(found[:, 2:3] / dice[:, 4])) > np.log(2.2)
    return ((away <= 0.6) & ~of_other_size).any(axis=1)


def network_of(lesson: Lesson) -> tuple[networks.Stack, Callable[..., Tensor], int, int]:
    """The network, what it costs when it is wrong, samples in a batch, and the planes it sees."""
    channels = CHANNELS if lesson.is_table else 3
    if lesson.job == "finder":
        return networks.finder(channels, _FINDER_DEEP[lesson.is_table]), finder_loss, _PIECES, channels
    if lesson.job == "reader":
        deep = _READER_DEEP[lesson.is_table]
        return networks.reader(len(CLASSES) + 4, channels, deep), reader_loss, _CROPS, channels
    if lesson.job == "cocked":
        return networks.cocked(COCKED_CHANNELS, _COCKED_DEEP), cocked_loss, _CROPS, COCKED_CHANNELS
    return networks.reader(len(NUMERALS) + 2, deep=_NUMERALS_DEEP), numeral_loss, _CROPS, 3


def train(name: str, options: argparse.Namespace) -> None:
    """Trains one network and writes it."""
    steps, chapters = (max(math.ceil(options.scale * count), 2) for count in STEPS[name])
    steps, chapters = options.steps or steps, options.chapters or chapters
    usual = COUNTS | _COUNTS.get(name, {})
    few = {what: max(math.ceil(options.scale * count), _LEAST[what]) for what, count in usual.items()}
    counts = {what: min(few[what], count) for what, count in usual.items()}
    models = options.resume or options.out
    lesson = Lesson(name, options.seed, options.data, counts, models, bool(options.resume))
    network, loss, size, channels = network_of(lesson)
    source = DiceData(options.keep * 1e9, channels, options.seed, options.device)
    path = options.out / f"{name}.onnx"
    numbers = ((number,) for number in range(chapters))
    with closing(made(partial(chapter, lesson), numbers, options.processes)) as told:
        grown = growing(source.add, told, chapters, steps)
        with closing(ahead(source, options.batch or size, steps, grown)) as batches:
            first = next(batches)
            weights, shared = start_of(lesson)
            if weights:
                networks.read_onnx(network, weights, first[0].cpu(), shared)
            learn(network, loss, chain([first], batches), steps, path, options)
    network.cpu().eval()
    networks.write_onnx(network, path)
    if lesson.is_table or lesson.job in ("cocked", "numerals"):
        # These see pictures of games. The others lost as many photographs in 8 bits as they are above the floor. Of
        # 4000 rendered numerals 78.9% are right in 8 bits and 79.0% without, in a third of the time.
        shown = [source.batch(_SHOWN_OF)[0].cpu().contiguous().numpy() for _ in range(min(_SHOWN, steps))]
        print(f"{name}: in 8 bits off by {in_8_bits(path, shown):.1%}", flush=True)


def learn(
    network: networks.Stack,
    loss: Callable[..., Tensor],
    batches: Iterable[list[Tensor]],
    steps: int,
    path: Path,
    options: argparse.Namespace,
) -> None:
    """AdamW with one warm-up and a cosine to nothing, for so many steps or `options.minutes`, whichever ends first.

    Args:
        path: where the network is written now and then.
    """

    def cost(net: networks.Stack, batch: list[Tensor]) -> Tensor:
        seen, *right = batch
        with torch.autocast(seen.device.type, dtype=torch.bfloat16, cache_enabled=False):
            said = net(seen)
        return loss(said.float(), *right)

    learning = Learning(network, cost, options.rate, options.device, decay=1e-3)
    began, losses = time.monotonic(), []
    for step, batch in enumerate(batches, 1):
        share = max(step / steps, (time.monotonic() - began) / 60 / options.minutes)
        if share > 1:
            break
        rate = options.rate * min(1.0, step / 100) * 0.5 * (1 + math.cos(math.pi * share)) + 1e-5
        losses.append(learning.step(batch, rate))
        if step % _OFTEN == 0:
            print(f"{path.stem} {step} {share:.0%} loss {np.mean(losses[-_OFTEN:]):.4f}", flush=True)
        if step % (10 * _OFTEN) == 0:
            networks.write_onnx(network, path)


def start_of(lesson: Lesson) -> tuple[Path | None, int | None]:
    """The network it begins with, None for chance, and how many convolutions of that, None for all."""
    start = [lesson.models / f"{lesson.name}.onnx"] if lesson.is_taught else []
    if lesson.name == "table_dice_finder":
        # What sees the empty table too begins with what sees the picture alone.
        start.append(lesson.models / "dice_finder.onnx")
    if lesson.job == "cocked":
        # Faces and sides of dice look the same to what reads them.
        start.append(lesson.models / "table_dice_reader.onnx")
    weights = next((path for path in start if path.is_file()), None)
    return weights, _SHARED if weights and lesson.job == "cocked" and weights.stem != lesson.name else None


def main(arguments: Sequence[str] | None = None) -> None:
    """Renders, trains, exports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of labelled photographs (manifest.jsonl)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scale", type=float, default=1.0, help="of STEPS and COUNTS; 0.001 for a trial")
    parser.add_argument("--steps", type=int, help="batches that each network is shown, in place of STEPS")
    parser.add_argument("--chapters", type=int, help="that are rendered for each, in place of STEPS")
    parser.add_argument("--batch", type=int, help="samples in one")
    parser.add_argument("--minutes", type=float, default=math.inf, help="at most this long for each network")
    parser.add_argument("--only", choices=[*STEPS])
    parser.add_argument("--resume", type=Path, help="folder of networks (.onnx) to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--device", default="cpu", help="of PyTorch; cuda for a GPU")
    parser.add_argument("--keep", type=float, default=4.0, help="GB of samples, the latest")
    parser.add_argument("--processes", type=int, help="that render; all but one core if not given")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "models")
    options = parser.parse_args(arguments)
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for name in STEPS:
        if options.only in (None, name):
            train(name, options)


if __name__ == "__main__":
    main()
