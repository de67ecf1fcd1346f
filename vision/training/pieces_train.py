"""Trains the piece finder and the token recognizer on what `pieces_data` rendered.

`python -m vision.training.pieces_train finder --data FOLDER --out vision/models/finder.onnx`, or `streets` on streets
crowded with houses, or `recognizer` on crops, or `fallen` on crops in which some tokens lie. `whole` lets the finder
that `--start` names reckon in 8 bits, on the same pictures.
"""

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from torch.nn import functional

from vision import bands as bd
from vision.foreground import match_colors, recolor
from vision.streets import COLUMNS, ROWS
from vision.tokens import FOOT_PX, LEAST_SCALE, MIDDLE, SIZE, STEEP, WITHIN
from vision.training import networks, presence
from vision.training.on_bands import FinderData, StreetData
from vision.training.pieces_net import Fallen, Finder, Recognizer, Streets
from vision.training.quantize import as_levels, in_8_bits, of_levels, with_copies
from vision.training.settling import settle

#: Windows of bands, and streets, in a batch; tokens of a set that the recognizer is to tell apart, more than at a
#: table, so that it is harder; and pairs of crops.
BATCH = {"finder": 12, "streets": 96, "recognizer": 13, "fallen": 32}
STEPS = {"finder": 20000, "streets": 8000, "recognizer": 85000, "fallen": 37000, "whole": 1500}
#: Rate of learning, at most, and that at which a finder learns to reckon in 8 bits.
RATE, WHOLE_RATE = 2.5e-3, 3e-4
#: How much more what it says counts then where pieces are, and log odds beyond which all is plain.
ABOUT_PIECES, PLAIN = 20.0, 6.0
#: Cops are few among the tokens: each counts for so many. What telling where the foot is counts for beside naming.
COP_WEIGHT, FOOT_WEIGHT = 3.0, 0.2
#: Planes, rows and columns of what these networks are shown.
SHAPES = {
    "finder": (8, bd.HEIGHT, bd.WIDTH),
    "streets": (8, ROWS, COLUMNS),
    "recognizer": (6, *[WITHIN.stop - WITHIN.start] * 2),
    "fallen": (12, bd.CROP_PX, bd.CROP_PX),
}
#: Px of a crop by which feet are off when it is told whether a token has fallen.
ASTRAY = (1.0, 4.0)
#: Kinds in a table of crops.
METAL, PAWN, MEEPLE, COP, STRANGER, SOLID = range(6)
#: Looks at each token of a set; the kinds of a set, and how often such a one is taken.
LOOKS = 3
SETS = {
    (METAL,): 0.25,
    (SOLID,): 0.22,
    (METAL, SOLID): 0.07,
    (PAWN,): 0.06,
    (MEEPLE,): 0.06,
    (PAWN, MEEPLE): 0.08,
    (PAWN, MEEPLE, COP): 0.12,
    (METAL, SOLID, PAWN, MEEPLE): 0.07,
    (METAL, SOLID, PAWN, MEEPLE, COP): 0.07,
}
#: Share of the sets of which the first look at each token is the one on GO, where tokens are enrolled.
FROM_GO = 0.6
#: Share of looks with a marker beside the token; colors (BGR) of markers.
BESIDE_DISC, DISCS = 0.1, ((35, 30, 205), (60, 170, 50))
#: Share of a set that is not enrolled; looks at other cops, and at things that are no token, beside it.
NOT_ENROLLED, BESIDE = 0.08, {COP: 5, STRANGER: 4}
#: A foot that is farther off than this, px, is to be put right before the token is named: so many such looks of a set
#: teach where the foot is alone, and stand as this among the looks.
FAR_PX, FAR_LOOKS, FAR = 4.5, 12, -2


def load(folder, keys, limit=None):
    """Tables of a folder, those arrays alone that a network is trained on."""
    tables = []
    for path in sorted(folder.glob("*.npz"))[:limit]:
        with np.load(path) as arrays:
            tables.append({key: arrays[key] for key in keys if key in arrays})
    return tables


def train(kind, data, out, steps, threads, limit=None, start=None, rate=RATE, seed=1):
    torch.set_num_threads(threads)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net, make, keys = {
        "finder": (Finder, FinderData, ("reference", "bands", "lean", "labels")),
        "streets": (Streets, StreetData, ("reference", "bands", "lean", "labels", "strip")),
        "recognizer": (Recognizer, RecognizerData, ("crops", "grounds", "names", "enrol", "kinds", "lies", "off")),
        "fallen": (Fallen, FallenData, ("crops", "grounds", "names", "enrol", "kinds", "lies", "off")),
    }[kind]
    tables = [table for folder in data for table in load(folder, keys, limit)]
    order = np.random.default_rng(5).permutation(len(tables))
    tables = [tables[k] for k in order]
    few = min(6, len(tables) // 2)
    held, tables = tables[:few], tables[few:]
    net, source, check = net(), make(tables, rng), make(held, np.random.default_rng(2))
    if start:
        start_from(net, start)
    net = net.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-2)
    losses = []
    size = BATCH[kind]
    checks = [check.batch(2 * size if kind == "finder" else size) for _ in range(4)]
    for step, batch in enumerate(ahead(source, size, steps), 1):
        share = step / steps
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, step / 50 + 0.02) * max(0.01, 0.5 * (1 + np.cos(np.pi * share)))
        net.train()
        if start:
            freeze(net)
        loss = source.loss(net, batch)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        losses.append(loss.item())
        if step % 500 == 0:
            net.eval()
            with torch.no_grad():
                value = np.mean([float(check.loss(net, b)) for b in checks])
            right = np.mean([check.right(net, b) for b in checks], axis=0) if kind != "finder" else ""
            extra = f" right {right}"
            print(f"{kind} {step} {share:.2f} train {np.mean(losses[-100:]):.4f} held {value:.4f}{extra}", flush=True)
            export(net, kind, out)
    net.eval()
    export(net, kind, out)
    if kind != "finder":
        off = in_8_bits(out, [source.shown(size).numpy() for _ in range(min(60, steps))])
        print(f"{kind}: in 8 bits off by {off:.1%}", flush=True)
    if kind == "streets":
        of_levels(out)


def settled(data, out, steps, threads, limit=None, start=None, rate=WHOLE_RATE, seed=1):
    """Writes the finder `start` in 8 bits, which learns to say what that says."""
    torch.set_num_threads(threads)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    net = Finder().eval()
    start_from(net, start)
    tables = [table for folder in data for table in load(folder, ("reference", "bands", "lean", "labels"), limit)]
    source = FinderData(tables, np.random.default_rng(seed))
    export(net, "finder", out)
    # Where pieces are it says the largest numbers: none is cut off.
    off = in_8_bits(out, [source.shown(BATCH["finder"]).numpy() for _ in range(min(60, steps))], (100.0,))
    of_levels(out)

    def lessons():
        for shown, *_ in ahead(source, BATCH["finder"], steps):
            with torch.no_grad():
                right = net(shown)
            yield torch.from_numpy(as_levels(shown.numpy())).float(), right

    settle(out, lessons(), steps, rate, as_before)
    with_copies(out)
    print(f"finder: in 8 bits off by {off:.1%} before it learned", flush=True)


def as_before(said, right):
    """What speaks against logits (n, classes, h, w) where other ones are right: most of it about pieces."""
    chance = torch.sigmoid(right)
    cross = [functional.binary_cross_entropy_with_logits(each, chance, reduction="none") for each in (said, right)]
    off = said.clamp(-PLAIN, PLAIN) - right.clamp(-PLAIN, PLAIN)
    return 1e4 * ((cross[0] - cross[1]) * (1 + ABOUT_PIECES * chance) + off**2 * (0.02 + chance) / 10).mean()


def ahead(source, size, count):
    """So many batches, each made while the network learns from the one before."""
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(source.batch, size)
        for _ in range(count):
            batch, made = made.result(), pool.submit(source.batch, size)
            yield batch


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


def _paired(table):
    """(crops over the ground under them in the crop's light, names, enrol, kinds)."""
    pairs = []
    for crop, ground in zip(table["crops"], table["grounds"], strict=True):
        under = recolor(ground, match_colors(ground, crop))
        pairs.append(np.concatenate([crop, under], axis=2))
    return np.stack(pairs), table["names"], table["enrol"], table["kinds"]


class RecognizerData:
    """Tables of crops: sets of tokens in a few looks each, every one of which is to be named by every other."""

    discs = BESIDE_DISC

    def __init__(self, tables, rng):
        self.rng, self.asking = rng, rng.spawn(1)[0]
        self.tables = [_paired(table) for table in tables]
        self.off = [table["off"] for table in tables]
        self.far, self.crops_of = [], []
        for (_, names, _, kinds), off in zip(self.tables, self.off, strict=True):
            is_far = (np.hypot(*off.T) > FAR_PX) & (kinds[names] != STRANGER)
            self.far.append(np.flatnonzero(is_far))
            self.crops_of.append([np.flatnonzero((names == name) & ~is_far) for name in range(len(kinds))])

    def batch(self, n):
        return [self.episode(n) for _ in range(3)]

    def episode(self, n):
        """(crops (m, 6, 48, 48), which token of the set (m,) each is, which look (m,) at it, whether it is a cop (m,),
        where its foot is (m, 2) px).

        Token and look are -1 for what is none of the set, and `FAR` for crops far beside a foot. Sets with flat faces
        are taken from among those that were made one after the other: they are the most alike.
        """
        rng = self.rng
        while True:
            table = int(rng.integers(len(self.tables)))
            pairs, names, _, kinds = self.tables[table]
            crops_of = self.crops_of[table]
            wanted = list(SETS)[int(rng.choice(len(SETS), p=list(SETS.values())))]
            pool = [name for name in np.flatnonzero(np.isin(kinds, wanted)) if len(crops_of[name]) > 1]
            if len(pool) > 1:
                break
        if wanted == (SOLID,):
            pool = np.roll(pool, int(rng.integers(len(pool))))[: n + 3]
        chosen = rng.permutation(pool)[:n]
        kept = int(rng.random() < FROM_GO)
        seen = [
            np.concatenate([rows[:kept], rng.permutation(rows[kept:])])[:LOOKS]
            for rows in (crops_of[name] for name in chosen)
        ]
        token = np.repeat(np.arange(len(seen)), [len(one) for one in seen])
        look = [np.arange(len(one)) for one in seen]
        for kind, most in BESIDE.items():
            others = np.flatnonzero((kinds[names] == kind) & ~np.isin(names, chosen))
            others = np.setdiff1d(others, self.far[table])
            seen.append(rng.permutation(others)[:most])
        far = rng.permutation(self.far[table])[:FAR_LOOKS]
        rows = np.concatenate([*seen, far])
        none = np.full(len(rows) - len(token), -1)
        none[len(none) - len(far) :] = FAR
        crops, off = self.reshaped(pairs[rows], names[rows], self.off[table][rows])
        x = torch.from_numpy(self.augment(crops[:, WITHIN, WITHIN])).contiguous(memory_format=torch.channels_last)
        cop = torch.from_numpy((kinds[names[rows]] == COP).astype(np.float32))
        foot = torch.from_numpy(off.astype(np.float32))
        return x, np.concatenate([token, none]), np.concatenate([*look, none]), cop, foot

    def shown(self, n):
        """(m, 6, 48, 48) crops alone, as the network sees them."""
        return self.episode(n)[0].contiguous()

    def reshaped(self, pairs, names, off):
        """Every token made larger or smaller, taller or flatter about its foot, the same in all its crops; and where
        their feet are then (n, 2) px.

        So there are more shapes than were rendered. Besides, each foot is a little off, as it is when it is found.

        Args:
            off: (n, 2) px by which the feet are beside those that were cropped about.
        """
        rng, out, feet = self.rng, np.empty_like(pairs), np.empty((len(pairs), 2))
        side = -1 if rng.random() < 0.5 else 1
        for name in np.unique(names):
            size, tall = np.exp(rng.normal(0, 0.12)), np.exp(rng.normal(0, 0.1))
            for k in np.flatnonzero(names == name):
                turn = rng.normal(0, 0.05)
                warp = np.array([[side * np.cos(turn), -np.sin(turn)], [side * np.sin(turn), np.cos(turn)]])
                warp = np.diag([size, size * tall]) @ warp
                foot = np.array([bd.CROP_PX / 2, bd.FOOT_ROW], float)
                shift = foot + rng.normal(0, 1.3, 2) - warp @ foot
                pair, astray = pairs[k], np.zeros(2)
                if rng.random() < self.discs and np.hypot(*off[k]) < FAR_PX:
                    pair, astray = self.beside_disc(pair)
                shift -= warp @ astray
                feet[k] = warp @ (foot + off[k]) + shift - foot
                for part in (slice(0, 3), slice(3, 6)):
                    flat = np.ascontiguousarray(pair[..., part])
                    out[k][..., part] = cv2.warpAffine(
                        flat,
                        np.column_stack([warp, shift]),
                        (bd.CROP_PX, bd.CROP_PX),
                        borderMode=cv2.BORDER_REPLICATE,
                    )
        return out, feet

    def beside_disc(self, pair):
        """A crop with a bomb or a miner before or behind the token, and by how much (2,) px the foot is found off then.

        The disc has the size of the virtual table's, `vision.virtual.shapes`, on a board of usual size.
        """
        rng, pair = self.rng, pair.copy()
        squash, turn = rng.uniform(0.45, 0.95), rng.uniform(0, 2 * np.pi)
        away = rng.uniform(6, 24) * np.array([np.cos(turn), np.sin(turn) * squash])
        axes = 0.018 * bd.CROP_SCALE * np.exp(rng.normal(0, 0.1)) * np.array([1.0, squash])
        light = pair[..., 3:].mean() / 150 * rng.uniform(0.7, 1.3)
        color = np.clip(np.array(DISCS[int(rng.integers(len(DISCS)))]) * light * np.exp(rng.normal(0, 0.15, 3)), 0, 255)
        thick = 0.006 * bd.CROP_SCALE * np.sqrt(1 - squash**2)
        center = np.array([bd.CROP_PX / 2, bd.FOOT_ROW]) + away
        now, px = np.ascontiguousarray(pair[..., :3]), 16
        for down, shade in ((0.0, 0.6), (-thick, 1.0)):
            at = tuple(int(v) for v in np.round((center + np.array([0, down])) * px))
            size = tuple(int(v) for v in np.round(axes * px))
            cv2.ellipse(now, at, size, 0, 0, 360, (color * shade).tolist(), cv2.FILLED, cv2.LINE_AA, 4)
        if away[1] < 0:
            differs = np.abs(pair[..., :3].astype(int) - pair[..., 3:]).max(-1) > 20
            is_token = cv2.medianBlur(differs.astype(np.uint8), 5) > 0
            now[is_token] = pair[is_token][:, :3]
        pair[..., :3] = cv2.GaussianBlur(now, (0, 0), 0.6)
        return pair, away * rng.uniform(0, 0.6)

    def augment(self, pairs):
        rng = self.rng
        x = pairs.astype(np.float32)
        level = x[..., 3:].mean((1, 2, 3), keepdims=True)
        x *= np.clip(110 / np.maximum(level, 1), 0.4, 4).astype(np.float32)
        tint = np.exp(rng.normal(0, 0.08, (1, 1, 1, 3)))
        own = np.exp(rng.normal(0, 0.05, (len(x), 1, 1, 1)))
        x *= (np.concatenate([tint, tint], -1) * own).astype(np.float32)
        for k in np.flatnonzero(rng.random(len(x)) < 0.25):
            x[k, ..., :3] = cv2.GaussianBlur(x[k, ..., :3], (0, 0), float(rng.uniform(0.4, 1.6)))
        x += rng.standard_normal((1, *x.shape[1:]), np.float32) * np.float32(rng.uniform(0, 5))
        return (np.clip(x, 0, 255) / 255 - 0.45).transpose(0, 3, 1, 2).astype(np.float32)

    def told(self, net, episodes):
        """(vectors (m, 64) of each episode, log odds of being a cop (all,), feet (all, 3) as of `Recognizer`)."""
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=net.training):
            out = net(torch.cat([episode[0] for episode in episodes]))
        out = out.float()
        parts = torch.split(out[:, :SIZE], [len(episode[0]) for episode in episodes])
        return parts, out[:, SIZE], out[:, SIZE + 1 :]

    def named(self, vectors, token, look):
        """With one look at each token enrolled, for each of the looks: log odds of being each of these and none of them
        (asked, enrolled + 1), of all other crops, and which they are."""
        for first in range(look.max() + 1):
            enrolled = np.flatnonzero((look == first) & (self.asking.random(len(look)) >= NOT_ENROLLED))
            asked = np.flatnonzero((look != first) & (look != FAR))
            column = np.full(token.max() + 2, len(enrolled))
            column[token[enrolled]] = np.arange(len(enrolled))
            alike = STEEP * (vectors[asked] @ vectors[enrolled].T - MIDDLE)
            yield torch.cat([alike, torch.zeros(len(alike), 1)], 1), torch.from_numpy(column[token[asked]])

    def _asked(self, parts, episodes):
        pairs = zip(parts, episodes, strict=True)
        return [one for vectors, (_, token, look, _, _) in pairs for one in self.named(vectors, token, look)]

    def loss(self, net, episodes):
        parts, odds, feet = self.told(net, episodes)
        asked = self._asked(parts, episodes)
        named = torch.stack([functional.cross_entropy(*one) for one in asked]).mean()
        look, cop, foot = _joined(episodes)
        near = look > FAR
        weight = 1 + (COP_WEIGHT - 1) * cop[near]
        cops = functional.binary_cross_entropy_with_logits(odds[near], cop[near], weight=weight)
        return named + cops + FOOT_WEIGHT * foot_loss(feet, foot)[_has_foot(look, cop)].mean()

    def right(self, net, episodes):
        """Shares that are named rightly, and told to be a cop or not; px by which half of the far feet are off."""
        with torch.no_grad():
            parts, odds, feet = self.told(net, episodes)
            named = [(alike.argmax(1) == which).float().mean() for alike, which in self._asked(parts, episodes)]
            look, cop, foot = _joined(episodes)
            off = (feet[:, :2] * FOOT_PX - foot).norm(dim=1)[look == FAR].median()
            return np.array([np.mean(named), ((odds > 0) == (cop > 0.5))[look > FAR].float().mean(), off])


def _joined(episodes):
    """Looks, which are cops, and feet of all crops of some episodes."""
    look = torch.from_numpy(np.concatenate([episode[2] for episode in episodes]))
    return look, *(torch.cat([episode[part] for episode in episodes]) for part in (3, 4))


def _has_foot(look, cop):
    """Which crops show a token, so that it is known where its foot is."""
    return (look != -1) | (cop > 0.5)


def foot_loss(said, foot):
    """(n,) what a Laplace distribution about the place and scale that were said (n, 3) has against feet (n, 2) px."""
    scale = LEAST_SCALE + functional.softplus(said[:, 2])
    return (said[:, :2] - foot / FOOT_PX).abs().sum(1) / scale + 2 * torch.log(scale)


class FallenData(RecognizerData):
    """Tables of crops, and which of them show a token that lies."""

    discs = 0.0

    def __init__(self, tables, rng):
        super().__init__(tables, rng)
        self.lies = [np.asarray(table["lies"], bool) for table in tables]

    def batch(self, n):
        """(crops (n, 12, 64, 64), whether the tokens lie (n, 1))."""
        seen, lies = zip(*(self.pair() for _ in range(n)), strict=True)
        return torch.from_numpy(np.stack(seen)), torch.tensor(lies, dtype=torch.float32)[:, None]

    def shown(self, n):
        """(n, 12, 64, 64) crops alone, as the network sees them."""
        return self.batch(n)[0]

    def pair(self):
        """A token over what lies under it beside the same token as it stands on GO; whether it lies."""
        rng = self.rng
        while True:
            table = int(rng.integers(len(self.tables)))
            pairs, names, enrol, kinds = self.tables[table]
            name = int(rng.choice(np.flatnonzero(kinds == rng.choice([METAL, PAWN, MEEPLE]))))
            of_name = self.crops_of[table][name]
            shown = of_name[enrol[of_name]]
            others = of_name[self.lies[table][of_name] == (rng.random() < 0.5)]
            if not len(shown) or not len(others):
                continue
            then, now = int(rng.choice(shown)), int(rng.choice(others))
            if then != now:
                break
        both, _ = self.reshaped(pairs[[now, then]], names[[now, then]], self.off[table][[now, then]])
        # The foot of a token that lies is found up to so far off; so are the others' here.
        warp = np.column_stack([np.eye(2), rng.normal(0, rng.choice(ASTRAY), 2)])
        for half in (np.s_[..., :3], np.s_[..., 3:]):
            flat = np.ascontiguousarray(both[0][half])
            both[0][half] = cv2.warpAffine(flat, warp, (bd.CROP_PX, bd.CROP_PX), borderMode=cv2.BORDER_REPLICATE)
        return self.augment(both).reshape(12, bd.CROP_PX, bd.CROP_PX), bool(self.lies[table][now])

    def loss(self, net, batch):
        seen, lies = batch
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=net.training):
            said = net(seen)
        return functional.binary_cross_entropy_with_logits(said.float(), lies)

    def right(self, net, batch):
        """Share that is told rightly."""
        seen, lies = batch
        with torch.no_grad():
            return float(((net(seen) > 0) == (lies > 0.5)).float().mean())


def export(net, kind, out):
    net.eval()
    axes = (
        {"input": {0: "n", 3: "w"}, "output": {0: "n", 3: "v"}}
        if kind == "finder"
        else {"input": {0: "n"}, "output": {0: "n"}}
    )
    torch.onnx.export(
        net,
        torch.zeros(1, *SHAPES[kind]),
        str(out),
        input_names=["input"],
        output_names=["output"],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )
    networks.keep_in_16_bits(out)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*STEPS])
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--start", type=Path, help="a network (.onnx) to go on from, in place of chance")
    parser.add_argument("--rate", type=float)
    options = parser.parse_args(arguments)
    how = [options.data, options.out, options.steps or STEPS[options.what], options.threads, options.limit]
    how += [options.start, options.rate or (WHOLE_RATE if options.what == "whole" else RATE), options.seed]
    settled(*how) if options.what == "whole" else train(options.what, *how)


if __name__ == "__main__":
    main()
