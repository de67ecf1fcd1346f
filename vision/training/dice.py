"""Trains the dice networks: `python -m vision.training.dice --data FOLDER --seed 0`.

Renders pictures (`scenes.py`), trains the finder (where are upper faces, how large), the reader (what kind, which
value of a d6) and the numerals (which value of a d20 or d4) on them, then finder and reader for tables of which an
empty picture is known, then, on pictures in which half of the dice lie cocked, what tells these, and writes them
(`STEPS`). FOLDER, optional, holds labelled photographs (`manifest.jsonl`); they join the rendered pictures.
"""

import argparse
import math
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from torch import Tensor

from vision.dice.crops import CHANNELS, CLASSES, COCKED_CHANNELS, NUMERALS
from vision.dice.reader import DiceReader, Stances
from vision.training import networks, numerals, pictures
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
from vision.training.tables import COLUMNS, DECOY, KINDS, Example, Rows, rows_of, stances

#: How much is rendered, by options, where nothing else is said.
COUNTS = {
    "pictures": (16000, "rendered pictures"),
    "tables": (140, "rendered tables, four frames each"),
    "numbered": (12000, "rendered pictures of d4 and d20"),
    "cocked-pictures": (22800, "rendered pictures with many cocked dice"),
    "cocked-tables": (684, "rendered tables with many, four frames each"),
}
#: The networks, in the order in which they are trained, and how many batches each is shown where nothing else is said:
#: as many as the shipped one was in all its stretches.
STEPS = {
    "dice_finder": 126_000,
    "dice_reader": 285_500,
    "dice_numerals": 336_400,
    "table_dice_finder": 68_600,
    "table_dice_reader": 163_500,
    "dice_cocked": 66_000,
}
#: Edge of a die where none lies, px.
_USUAL_EDGE = 18.0
#: So many decoys of a picture are kept, at most; one whose log odds of being a die, as a reader that has learned says,
#: are above the first, second, and third of these counts as two, four, or seven.
_MOST_DECOYS, _MISLED, _TIMES = 40, (-4.0, -2.2, -0.4), (1, 2, 4, 7)
#: Photographs of more dice than this are drawn as often as those of so many, see `by_their_dice`.
_MANY = 12
#: Batches by which a network is put into 8 bits, no more than it was trained on.
_SHOWN = 60
#: How deep finder and reader are, see `networks`: those for the picture alone, and, quicker, those for tables.
_FINDER_DEEP, _READER_DEEP, _NUMERALS_DEEP = {False: 4, True: 5}, {False: (2, 3, 4), True: (1, 2, 3)}, (2, 4, 7)
#: So many convolutions of what tells that dice lie cocked begin as those of the reader for tables.
_SHARED = 10


def batches(make, size: int, seed: int) -> Iterator[list[Tensor]]:
    """Endless batches of `make(rng)`."""
    rng = np.random.default_rng(seed)
    while True:
        parts = zip(*(make(rng) for _ in range(size)), strict=True)
        yield [torch.from_numpy(np.stack(part).astype(np.float32)) for part in parts]


def fit(network, loss, source: Iterator[list[Tensor]], seconds: float, steps: int, rate: float, keep: Path) -> None:
    """Adam with one warm-up and a cosine to nothing, for `steps` or `seconds`, whichever ends first.

    Args:
        keep: where the network is written now and then.
    """
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-3)
    start, running, step = time.process_time(), 0.0, 0
    network.to(memory_format=torch.channels_last).train()
    while True:
        done = max(step / steps, (time.process_time() - start) / seconds)
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * done)) + 1e-5
        image, *targets = next(source)
        optimizer.zero_grad()
        with torch.autocast("cpu", torch.bfloat16):
            output = network(image.to(memory_format=torch.channels_last))
        value = loss(output.float(), *targets)
        value.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        running = 0.98 * running + 0.02 * value.item() if step else value.item()
        step += 1
        if step % 100 == 0:
            print(f"step {step} {done:.0%} loss {running:.3f}", flush=True)
        if step % 1000 == 0:
            networks.write_onnx(network, keep)
    network.eval()


def gather(options: argparse.Namespace) -> Data:
    """Rendered pictures, those of numbered dice, frames of tables, and the photographs of `options.data`."""
    photographs = pictures.load_photographs(options.data) if options.data else []
    scenes = pictures.render(options.pictures, options.seed, photographs)
    numbered = pictures.render(options.numbered, options.seed + 500, photographs, numerals.SIDE, True)
    framed = pictures.render_tables(options.tables, 9000 + 1000 * options.seed)
    every = (scenes, photographed(photographs), framed, numbered)
    return Data([one for some in every for one in some], [k for k, some in enumerate(every) for _ in some])


def gather_cocked(options: argparse.Namespace) -> Data:
    """Rendered pictures and frames of tables in which half of the dice lie cocked, and the photographs: none does."""
    photographs = pictures.load_photographs(options.data) if options.data else []
    scenes = pictures.render(options.cocked_pictures, options.seed + 900, photographs, cocked=0.5)
    framed = pictures.render_tables(options.cocked_tables, 9500 + 1000 * options.seed, throws=14, cocked=0.5)
    every = (scenes, photographed(photographs), framed)
    return Data([one for some in every for one in some], [k for k, some in enumerate(every) for _ in some])


def photographed(photographs: list[pictures.Photograph]) -> list[Example]:
    """The photographs, and how they may have looked without dice."""
    labelled = [(one.image, rows_of(one.labels)) for one in photographs]
    return [Example(image, rows, pictures.without_dice(image, rows)[1]) for image, rows in labelled]


def with_numerals(data: Data, models: Path) -> Data:
    """Only the pictures in which there are numerals to read; of photographs, those of a single d20.

    Args:
        models: folder of the finder and the reader that say where its upper face is: photographs are labelled with
            boxes around whole dice.
    """
    eyes, examples, groups = DiceReader(models), [], []
    for one, group in zip(data.examples, data.groups, strict=True):
        rows = _upper_face(one, eyes) if group == PHOTOGRAPHED else one.rows
        if len(numerals.legible(rows, one.image)):
            examples.append(replace(one, rows=rows))
            groups.append(group)
    return Data(examples, groups)


def _upper_face(photograph: Example, eyes: DiceReader) -> Rows:
    """(1 or 0, COLUMNS) where a photograph shows one d20, and its upper face is found."""
    rows = photograph.rows
    if len(rows) != 1 or KINDS[int(rows[0, 0])] != "d20":
        return rows[:0]
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


def with_decoys(data: Data, eyes: DiceReader, every: int, is_table: bool, is_taught: bool) -> Data:
    """Adds what the finder wrongly proposes as decoys: that is what the reader has to turn down.

    Args:
        eyes: whose finder proposes.
        every: of how many pictures one is looked at.
        is_table: against the empty table.
        is_taught: whether its reader has learned already; what it takes for dice is then drawn several times as often.
    """
    examples, often = list(data.examples), np.ones(len(data.examples), int)
    for number in range(0, len(examples), every):
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


def kept(cache: Path, make: Callable[[], Data]) -> Data:
    """The data, kept in a file for the next network."""
    if cache.is_file():
        with cache.open("rb") as file:
            return Data(*pickle.load(file))
    data = make()
    with cache.open("wb") as file:
        pickle.dump((data.examples, data.groups), file, protocol=5)
    return data


def train(name: str, options: argparse.Namespace) -> None:
    """Trains one network and writes it."""
    is_table, job = name.startswith("table_"), name.removeprefix("table_dice_").removeprefix("dice_")
    if job == "cocked":
        data = kept(options.cache.with_suffix(".cocked"), lambda: gather_cocked(options))
    else:
        data = kept(options.cache, lambda: gather(options))
    if job == "numerals":
        data = with_numerals(data, options.resume or options.out)
    if job == "reader":
        # Of photographs alone, more of what misleads made real dice be missed.
        is_taught = is_table and bool(options.resume)
        data = with_decoys(data, DiceReader(options.resume or options.out), options.decoys, is_table, is_taught)
        if not is_table:
            data = by_their_dice(data)
    marked = sum(len(one.rows) for one in data.examples)
    print(f"{name}: {len(data.examples)} pictures, {marked} dice and decoys", flush=True)
    channels = CHANNELS if is_table else 3
    if job == "finder":
        network, loss, size = networks.finder(channels, _FINDER_DEEP[is_table]), finder_loss, 12
        sample = partial(finder_sample, data, is_table=is_table)
    elif job == "reader":
        network, loss, size = networks.reader(len(CLASSES) + 4, channels, _READER_DEEP[is_table]), reader_loss, 48
        sample = partial(reader_sample, data, is_table=is_table)
    elif job == "cocked":
        network, loss, size = networks.cocked(COCKED_CHANNELS), cocked_loss, 64
        sample = partial(cocked_sample, data)
    else:
        network, loss, size = networks.reader(len(NUMERALS) + 2, deep=_NUMERALS_DEEP), numeral_loss, 48
        sample = partial(numeral_sample, data)
    source = batches(sample, size, options.seed)
    start = [options.resume / f"{name}.onnx"] if options.resume else []
    if name == "table_dice_finder":
        # What sees the empty table too begins with what sees the picture alone.
        start.append((options.resume or options.out) / "dice_finder.onnx")
    if job == "cocked":
        # Faces and sides of dice look the same to what reads them.
        start.append((options.resume or options.out) / "table_dice_reader.onnx")
    weights = next((path for path in start if path.is_file()), None)
    if weights:
        first = _SHARED if job == "cocked" and weights.stem != name else None
        networks.read_onnx(network, weights, torch.cat([next(source)[0] for _ in range(4)]), first)
    path = options.out / f"{name}.onnx"
    steps = options.steps or max(math.ceil(options.scale * STEPS[name]), 2)
    fit(network, loss, source, options.minutes * 60, steps, options.rate, path)
    networks.write_onnx(network, path)
    if is_table or job in ("cocked", "numerals"):
        # These see pictures of games. The others lost as many photographs in 8 bits as they are above the floor. Of
        # 4000 rendered numerals 78.9% are right in 8 bits and 79.0% without, in a third of the time.
        off = in_8_bits(path, [next(source)[0].numpy() for _ in range(min(_SHOWN, steps))])
        print(f"{name}: in 8 bits off by {off:.1%}", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Renders, trains, exports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of labelled photographs (manifest.jsonl)")
    parser.add_argument("--seed", type=int, default=0)
    for name, (count, what) in COUNTS.items():
        parser.add_argument(f"--{name}", type=int, default=count, help=what)
    parser.add_argument("--steps", type=int, help="batches that each network is shown, in place of STEPS")
    parser.add_argument("--scale", type=float, default=1.0, help="of STEPS")
    parser.add_argument("--decoys", type=int, default=3, help="of how many pictures one is searched for what misleads")
    parser.add_argument("--cache", type=Path, help="file that keeps the data between runs")
    parser.add_argument("--minutes", type=float, default=math.inf, help="at most this long for each network")
    parser.add_argument("--only", choices=[*STEPS])
    parser.add_argument("--resume", type=Path, help="folder of networks (.onnx) to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "models")
    options = parser.parse_args(arguments)
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=options.out) as folder:
        options.cache = options.cache or Path(folder) / "data"
        for name in STEPS:
            if options.only in (None, name):
                train(name, options)


if __name__ == "__main__":
    main()
