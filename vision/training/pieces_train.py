"""Trains the piece finder and the token recognizer on what `pieces_data` rendered.

`python -m vision.training.pieces_train finder --out vision/models/finder.onnx`, or `streets` (houses in rows),
`recognizer` or `fallen`: tables are rendered while they learn from those that are there; `finder_low` and `streets_low`
learn from what is seen from low down alone. `--whole` lets the finder that `--start` names reckon in 8 bits, on the
same pictures.
"""

import argparse
import math
import time
from copy import deepcopy
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from torch.nn import functional

from vision.board import bands as bd
from vision.pieces.streets import COLUMNS, ROWS
from vision.pieces.tokens import WITHIN
from vision.training import networks, pieces_data, presence
from vision.training.learning import Learning
from vision.training.meanwhile import ahead, growing
from vision.training.on_bands import FinderData, StreetData
from vision.training.on_crops import FallenData, RecognizerData
from vision.training.pieces_net import Fallen, Finder, Recognizer, Streets
from vision.training.quantize import as_levels, in_8_bits, of_levels, with_copies
from vision.training.settling import settle

#: Windows of bands, streets, sets of tokens that the recognizer is to tell apart, and pairs of crops in a batch; and
#: windows where a finder learns to reckon in 8 bits, and tables of them.
BATCH, SETTLED, SETTLED_ON = {"finder": 64, "streets": 384, "recognizer": 12, "fallen": 32}, 12, 60
#: How long each learns; what learns from low down alone goes on from its like; the last is for reckoning in 8 bits.
STEPS = {
    "finder": 36000,
    "finder_low": 12000,
    "streets": 25000,
    "streets_low": 8000,
    "recognizer": 58000,
    "fallen": 37000,
    "whole": 1500,
}
#: Rates of learning, at most.
RATES = {
    "finder": 2.5e-3,
    "finder_low": 8e-4,
    "streets": 2.5e-3,
    "streets_low": 8e-4,
    "recognizer": 3e-3,
    "fallen": 2.5e-3,
    "whole": 3e-4,
}
#: How much more what it says counts then where pieces are, and log odds beyond which all is plain.
ABOUT_PIECES, PLAIN = 20.0, 6.0
#: Log odds that half of the pieces of each class stay below where they are to be found, and batches by which that is
#: told: what reads the finder's scores goes by these, however long and on whatever it has learned.
USUAL, TOLD_BY = (-0.13, 0.56, 0.26, 1.19, 0.96), 100
#: Ends the names of those that learn from low down alone.
FROM_LOW = "_low"
#: Planes, rows and columns of what these networks are shown.
SHAPES = {
    "finder": (8, bd.HEIGHT, bd.WIDTH),
    "streets": (8, ROWS, COLUMNS),
    "recognizer": (6, *[WITHIN.stop - WITHIN.start] * 2),
    "fallen": (12, bd.CROP_PX, bd.CROP_PX),
}
#: Tables that nothing is learned from.
HELD = 6


def of_tables(make, tables, count, device, rng):
    """(what is learned from, what is held out) of so many tables, most of which are added to the first later."""
    few = min(HELD, count // 2)
    held = make(few, np.random.default_rng(2), device)
    for table in islice(tables, few):
        held.add(table)
    return make(count - few, rng, device), held


def train(kind, source, check, out, steps, rate, start=None, seed=1, device="cpu", minutes=math.inf, grown=None):
    """Trains a network and writes it.

    Args:
        check: the like of `source`, of tables that are held out.
        grown: is asked for its next before every batch.
        minutes: after which it ends, whatever is left.
    """
    torch.manual_seed(seed)
    net = NETWORKS[kind][0]()
    if start:
        start_from(net, start)
    size, losses, began = BATCH[kind], [], time.monotonic()
    checks = [check.batch(size) for _ in range(4)]
    learning = Learning(net, source.loss, rate, device, freeze if start else None)
    for step, batch in enumerate(ahead(source, size, steps, grown), 1):
        share = max(step / steps, (time.monotonic() - began) / 60 / minutes)
        if share > 1:
            break
        slow = min(1, step / 50 + 0.02) * max(0.01, 0.5 * (1 + np.cos(np.pi * share)))
        losses.append(learning.step(batch, rate * slow))
        if step % 500 == 0:
            net.eval()
            with torch.no_grad():
                value = np.mean([float(check.loss(net, b)) for b in checks])
            right = np.mean([check.right(net, b) for b in checks], axis=0)
            told = f"train {np.mean(losses[-100:]):.4f} held {value:.4f} right {right}"
            print(f"{kind} {step} {share:.2f} {len(source.tables)} tables {told}", flush=True)
        if step % 5000 == 0:
            export(net, kind, out)
    export(net, kind, out)
    if kind != "finder":
        off = in_8_bits(out, [source.shown(size).numpy() for _ in range(min(60, steps))])
        print(f"{kind}: in 8 bits off by {off:.1%}", flush=True)
    if kind == "streets":
        of_levels(out)


def settled(tables, count, out, steps, rate, start=None, seed=1):
    """Writes the finder `start` in 8 bits, which learns to say what that says of so many tables."""
    torch.manual_seed(seed)
    net = Finder().eval()
    start_from(net, start)
    source = FinderData(count, np.random.default_rng(seed))
    for table in tables:
        source.add(table)
    as_usual(net, source)
    export(net, "finder", out)
    # Where pieces are it says the largest numbers: none is cut off.
    off = in_8_bits(out, [source.shown(SETTLED).numpy() for _ in range(min(60, steps))], (100.0,))
    of_levels(out)

    def lessons():
        for shown, *_ in ahead(source, SETTLED, steps):
            with torch.no_grad():
                right = net(shown)
            yield torch.from_numpy(as_levels(shown.numpy())).float(), right

    settle(out, lessons(), steps, rate, as_before)
    with_copies(out)
    print(f"finder: in 8 bits off by {off:.1%} before it learned", flush=True)


def as_usual(net, source):
    """Shifts what a finder says of each class that is shown, so that its pieces show as plainly as `USUAL` says."""
    shown = [[] for _ in USUAL]
    with torch.no_grad():
        for _ in range(TOLD_BY):
            x, target, counts = source.batch(SETTLED)
            odds, is_there = net(x), (target > 0.9) & (counts > 0)
            for kind, scores in enumerate(shown):
                scores.append(odds[:, kind][is_there[:, kind]])
        for kind, scores in enumerate(map(torch.cat, shown)):
            if len(scores):
                net.head.bias[kind] += USUAL[kind] - scores.median()


def as_before(said, right):
    """What speaks against logits (n, classes, h, w) where other ones are right: most of it about pieces."""
    chance = torch.sigmoid(right)
    cross = [functional.binary_cross_entropy_with_logits(each, chance, reduction="none") for each in (said, right)]
    off = said.clamp(-PLAIN, PLAIN) - right.clamp(-PLAIN, PLAIN)
    return 1e4 * ((cross[0] - cross[1]) * (1 + ABOUT_PIECES * chance) + off**2 * (0.02 + chance) / 10).mean()


def start_from(net, path):
    """Takes the weights of a shipped network (`.onnx`), in which normalization is part of the convolutions."""
    graph = onnx.load(path).graph
    values = {name: torch.from_numpy(numbers) for name, numbers in networks.stored_weights(path).items()}
    # What `presence` teaches is no part of the network here.
    own = [node for node in graph.node if not node.name.startswith(f"/{presence.NAME}/")]
    nodes = [node for node in own if node.op_type in ("Conv", "Gemm")]
    modules = list(net.modules())
    layers = [module for module in modules if isinstance(module, torch.nn.Conv2d | torch.nn.Linear)]
    for node, layer in zip(nodes, layers, strict=True):
        weight, bias = (values[networks.own_name(name)] for name in node.input[1:3])
        layer.weight.data.copy_(weight)
        if layer.bias is not None:
            layer.bias.data.copy_(bias)
            continue
        norm = modules[modules.index(layer) + 1]
        norm.running_var.fill_(1 - norm.eps)
        norm.bias.data.copy_(bias)


def freeze(net):
    """Keeps the statistics that normalization goes by."""
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.eval()


def export(net, kind, out):
    net.eval()
    axes = (
        {"input": {0: "n", 3: "w"}, "output": {0: "n", 3: "v"}}
        if kind == "finder"
        else {"input": {0: "n"}, "output": {0: "n"}}
    )
    torch.onnx.export(
        deepcopy(net).cpu(),
        torch.zeros(1, *SHAPES[kind]),
        str(out),
        input_names=["input"],
        output_names=["output"],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )
    networks.keep_in_16_bits(out)


#: What is trained, and on what.
NETWORKS = {
    "finder": (Finder, FinderData),
    "streets": (Streets, StreetData),
    "recognizer": (Recognizer, RecognizerData),
    "fallen": (Fallen, FallenData),
}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*pieces_data.TABLES])
    parser.add_argument("--whole", action="store_true", help="lets the finder that --start names reckon in 8 bits")
    parser.add_argument("--tables", type=int, help="that are rendered")
    parser.add_argument("--first", type=int, default=20000, help="seed of the first of these; the next ones follow")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", type=Path, help="a network (.onnx) to go on from, in place of chance")
    parser.add_argument("--rate", type=float)
    parser.add_argument("--device", default="cpu", help="of PyTorch; cuda for a GPU")
    parser.add_argument("--processes", type=int, help="that render; all but one core if not given")
    parser.add_argument("--minutes", type=float, default=math.inf, help="at most this long")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    what, kind, rng = options.what, options.what.removesuffix(FROM_LOW), np.random.default_rng(options.seed)
    if options.whole and (kind != "finder" or not options.start):
        parser.error("--whole is for a finder that --start names")
    lesson = "whole" if options.whole else what
    steps = options.steps or STEPS[lesson]
    how = {"start": options.start, "seed": options.seed, "rate": options.rate or RATES[lesson]}
    count = options.tables or (SETTLED_ON if options.whole else pieces_data.TABLES[what])
    tables = pieces_data.rendered(what, count, options.first, processes=options.processes)
    if options.whole:
        settled(tables, count, options.out, steps, **how)
        return
    source, check = of_tables(NETWORKS[kind][1], tables, count, options.device, rng)
    how["grown"] = growing(source.add, tables, count - len(check.tables), steps)
    train(kind, source, check, options.out, steps, device=options.device, minutes=options.minutes, **how)


if __name__ == "__main__":
    main()
