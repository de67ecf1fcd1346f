"""Trains the piece finder and the token recognizer on what `pieces_data` rendered.

`python -m vision.training.pieces_train finder --data FOLDER --out vision/models/finder.onnx` (or `recognizer`).
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

from vision import bands as bd
from vision.foreground import match_colors, recolor
from vision.training.pieces_net import Finder, Recognizer

CROP_W, CROP_H = 192, 96
SIGMA = 0.95
BATCH = 12


def load(folder, keys, limit=None):
    """Tables of a folder, those arrays alone that a network is trained on."""
    tables = []
    for path in sorted(folder.glob("*.npz"))[:limit]:
        with np.load(path) as arrays:
            tables.append({key: arrays[key] for key in keys if key in arrays})
    return tables


class FinderData:
    """Random windows of bands with their heat maps."""

    def __init__(self, tables, rng):
        self.rng = rng
        self.items = []
        for table in tables:
            reference = table["reference"]
            for f, frame in enumerate(table["bands"]):
                colors = match_colors(reference.reshape(-1, bd.WIDTH, 3), frame.reshape(-1, bd.WIDTH, 3))
                level = recolor(reference.reshape(-1, bd.WIDTH, 3), colors).mean()
                labels = table["labels"]
                labels = labels[labels[:, 0] == f] if len(labels) else labels.reshape(0, 6)
                for side in range(4):
                    self.items.append(
                        (
                            frame[side],
                            reference[side],
                            colors,
                            float(level),
                            table["lean"][f][side],
                            labels[labels[:, 1] == side],
                        )
                    )

    def batch(self, n):
        xs, ys, ws = zip(
            *(self.one(self.items[int(self.rng.integers(len(self.items)))]) for _ in range(n)), strict=True
        )
        return torch.from_numpy(np.stack(xs)), torch.from_numpy(np.stack(ys)), torch.from_numpy(np.stack(ws))

    def one(self, item):
        rng = self.rng
        frame, reference, colors, level, lean, labels = item
        x0 = int(rng.integers(0, (bd.WIDTH - CROP_W) // 8 + 1)) * 8
        window = np.s_[:, x0 : x0 + CROP_W]
        now = frame[window].astype(np.float32)
        jitter = colors.copy()
        jitter[:, :3] *= np.exp(rng.normal(0, 0.03, (3, 1)))
        before = recolor(reference[window], jitter).astype(np.float32)
        if rng.random() < 0.35:
            # Another print, another lens: the artwork lies a little elsewhere than the empty picture has it.
            far = rng.choice([0.6, 1.6], p=[0.7, 0.3])
            warp = np.array([[1, 0, rng.normal(0, far)], [0, 1, rng.normal(0, far)]])
            before = cv2.warpAffine(before, warp, (CROP_W, CROP_H), borderMode=cv2.BORDER_REPLICATE)
        if rng.random() < 0.15:
            middle = float(before.mean())
            before = (before - middle) * np.float32(rng.uniform(0.75, 1.3)) + middle
        gain = np.float32(np.clip(110 / max(level, 1), 0.4, 4) * np.exp(rng.normal(0, 0.12)))
        tint = np.exp(rng.normal(0, 0.05, 3)).astype(np.float32)
        pair = []
        for picture in (now, before):
            if rng.random() < 0.25:
                picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.3)))
            picture = picture * gain * tint + rng.standard_normal(picture.shape, np.float32) * np.float32(
                rng.uniform(0, 5)
            )
            pair.append(np.clip(picture, 0, 255) * np.float32(1 / 255) - np.float32(0.45))
        shift = np.repeat(np.repeat(lean.astype(np.float32), 8, 1), 8, 2)[:, :, x0 : x0 + CROP_W]
        x = np.concatenate([pair[0].transpose(2, 0, 1), pair[1].transpose(2, 0, 1), shift]).astype(np.float32)
        y = np.zeros((5, CROP_H // 2, CROP_W // 2), np.float32)
        w = np.ones_like(y)
        columns, rows = np.meshgrid(np.arange(CROP_W // 2), np.arange(CROP_H // 2))
        for _, _, kind, column, row, visible in labels:
            # A cell of the map stands for the 2 x 2 px about 2 i + 0.5.
            cx, cy = (column - x0 - 0.5) / 2, (row - 0.5) / 2
            if not (-5 < cx < CROP_W // 2 + 5):
                continue
            d2 = (columns - cx) ** 2 + (rows - cy) ** 2
            if visible < 0.4:
                w[int(kind)][d2 < 36] = 0.0
                continue
            y[int(kind)] = np.maximum(y[int(kind)], np.exp(-0.5 * d2 / SIGMA**2))
            w[int(kind)][d2 < 9] = 1.0
        if rng.random() < 0.5:
            x, y, w = x[:, :, ::-1].copy(), y[:, :, ::-1].copy(), w[:, :, ::-1].copy()
            x[6] *= -1
        return x, y, w


def finder_loss(logits, target, weight):
    """Focal loss on soft targets."""
    p = torch.sigmoid(logits)
    cross = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    focus = (target - p).abs() ** 2
    return (cross * focus * weight).sum() / (target > 0.95).sum().clamp(min=8)


def train(kind, data, out, minutes, threads, limit=None, start=None, rate=2.5e-3):
    torch.set_num_threads(threads)
    cv2.setNumThreads(1)
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    keys = (
        ("reference", "bands", "lean", "labels")
        if kind == "finder"
        else ("crops", "grounds", "names", "enrol", "metal")
    )
    tables = [table for folder in data for table in load(folder, keys, limit)]
    order = np.random.default_rng(5).permutation(len(tables))
    tables = [tables[k] for k in order if kind != "finder" or "bands" in tables[k]]
    held, tables = tables[:6], tables[6:]
    if kind == "finder":
        net, source, check = Finder(), FinderData(tables, rng), FinderData(held, np.random.default_rng(2))
    else:
        net, source, check = Recognizer(), RecognizerData(tables, rng), RecognizerData(held, np.random.default_rng(2))
    if start:
        net.load_state_dict(torch.load(start))
    net = net.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    began, step, losses = time.process_time(), 0, []
    checks = [check.batch(24) for _ in range(4)]
    while (share := (time.process_time() - began) / 60 / minutes) < 1:
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, step / 50 + 0.02) * max(0.01, 0.5 * (1 + np.cos(np.pi * share)))
        net.train()
        loss = source.loss(net, source.batch(BATCH)) if kind != "finder" else finder_loss_of(net, source.batch(BATCH))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        losses.append(loss.item())
        step += 1
        if step % 250 == 0:
            net.eval()
            with torch.no_grad():
                value = np.mean(
                    [float(check.loss(net, b) if kind != "finder" else finder_loss_of(net, b)) for b in checks]
                )
            extra = f" right {np.mean([check.right(net, b) for b in checks]):.3f}" if kind != "finder" else ""
            print(f"{kind} {step} {share:.2f} train {np.mean(losses[-100:]):.4f} held {value:.4f}{extra}", flush=True)
            torch.save(net.state_dict(), out.with_suffix(".pt"))
            export(net, kind, out)
    net.eval()
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    export(net, kind, out)


def finder_loss_of(net, batch):
    x, y, w = batch
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=net.training):
        logits = net(x.to(memory_format=torch.channels_last))
    return finder_loss(logits.float(), y, w)


class RecognizerData:
    """One table a batch: its enrolled crops, and others to be told apart."""

    def __init__(self, tables, rng):
        self.rng = rng
        self.tables = []
        for table in tables:
            crops, grounds = table["crops"], table["grounds"]
            pairs = []
            for crop, ground in zip(crops, grounds, strict=True):
                colors = match_colors(ground, crop)
                pairs.append(np.concatenate([crop, np.clip(recolor(ground, colors), 0, 255)], axis=2))
            self.tables.append((np.stack(pairs), table["names"], table["enrol"], int(table.get("metal", 18))))

    def batch(self, n):
        rng = self.rng
        episodes = []
        while len(episodes) < 3:
            pairs, names, enrol, metal = self.tables[int(rng.integers(len(self.tables)))]
            if names.max() > 12:
                # A set of tokens out of many: all of metal (the first) more often than mixed.
                pool = np.arange(metal) if rng.random() < 0.6 else np.arange(names.max() + 1)
                chosen = rng.choice(pool, int(rng.integers(4, 9)), replace=False)
                if rng.random() < 0.35:
                    chosen = np.concatenate([chosen[:3], np.arange(metal, names.max() + 1)])
                keep = np.isin(names, chosen)
                pairs, enrol = pairs[keep], enrol[keep]
                names = np.searchsorted(np.sort(chosen), names[keep])
            if not len(names) or (np.bincount(names, weights=enrol) < 1).any():
                continue
            first = [
                int(rng.choice(np.flatnonzero((names == k) & (enrol | (rng.random() < 0.3)))))
                for k in range(names.max() + 1)
            ]
            others = np.setdiff1d(np.arange(len(names)), first)
            others = rng.choice(others, min(n, len(others)), replace=False)
            chosen = np.concatenate([first, others]).astype(int)
            x = self.augment(self.reshaped(pairs[chosen], names[chosen]))
            episodes.append((torch.from_numpy(x), torch.from_numpy(names[others].astype(np.int64)), len(first)))
        return episodes

    def reshaped(self, pairs, names):
        """Every token made larger or smaller, taller or flatter about its foot, the same in all its crops.

        So that what is learned is to compare shapes, and not the few shapes there are.
        """
        rng, out = self.rng, np.empty_like(pairs)
        middle = bd.CROP_PX / 2
        if rng.random() < 0.15:
            return pairs
        for name in np.unique(names):
            size, tall = np.exp(rng.normal(0, 0.11)), np.exp(rng.normal(0, 0.09))
            warp = np.array([[size, 0, middle * (1 - size)], [0, size * tall, bd.FOOT_ROW * (1 - size * tall)]])
            shade = np.exp(rng.normal(0, 0.06))
            for k in np.flatnonzero(names == name):
                for part in (slice(0, 3), slice(3, 6)):
                    flat = np.ascontiguousarray(pairs[k][..., part])
                    out[k][..., part] = cv2.warpAffine(
                        flat, warp, (bd.CROP_PX, bd.CROP_PX), borderMode=cv2.BORDER_REPLICATE
                    )
                differs = np.abs(out[k][..., :3].astype(int) - out[k][..., 3:]).max(2, keepdims=True) > 30
                out[k][..., :3] = np.where(differs, np.clip(out[k][..., :3] * shade, 0, 255), out[k][..., :3])
        return out

    def augment(self, pairs):
        rng = self.rng
        x = pairs.astype(np.float32)
        level = x[..., 3:].mean((1, 2, 3), keepdims=True)
        x = x * np.clip(110 / np.maximum(level, 1), 0.4, 4)
        tint = np.exp(rng.normal(0, 0.08, (1, 1, 1, 3)))
        own = np.exp(rng.normal(0, 0.05, (len(x), 1, 1, 1)))
        x = x * np.concatenate([tint, tint], -1) * own
        if rng.random() < 0.4:
            order = rng.permutation(3)
            x = x[..., np.concatenate([order, order + 3])]
        if rng.random() < 0.3:
            x = x[:, :, ::-1]
        shifted = np.empty_like(x)
        for k in range(len(x)):
            dy, dx = (int(v) for v in rng.integers(-2, 3, 2))
            shifted[k] = np.roll(x[k], (dy, dx), (0, 1))
        x = shifted + rng.standard_normal(x.shape, np.float32) * 3
        return (np.clip(x, 0, 255) / 255 - 0.45).transpose(0, 3, 1, 2).astype(np.float32)

    def logits(self, net, episode):
        x, names, count = episode
        vectors = net(x)
        return vectors[count:] @ vectors[:count].T * 14, names

    def loss(self, net, batch):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=net.training):
            pairs = [self.logits(net, episode) for episode in batch]
        return sum(functional.cross_entropy(logits.float(), names) for logits, names in pairs) / len(batch)

    def right(self, net, batch):
        with torch.no_grad():
            return float(
                np.mean(
                    [
                        (scores.argmax(1) == names).float().mean()
                        for scores, names in (self.logits(net, e) for e in batch)
                    ]
                )
            )


def export(net, kind, out):
    net.eval()
    shape = (1, 8, bd.HEIGHT, bd.WIDTH) if kind == "finder" else (1, 6, bd.CROP_PX, bd.CROP_PX)
    axes = (
        {"input": {0: "n", 3: "w"}, "output": {0: "n", 3: "v"}}
        if kind == "finder"
        else {"input": {0: "n"}, "output": {0: "n"}}
    )
    torch.onnx.export(
        net,
        torch.zeros(shape),
        str(out),
        input_names=["input"],
        output_names=["output"],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["finder", "recognizer"])
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=20, help="of processor time")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    options = parser.parse_args()
    train(
        options.what,
        options.data,
        options.out,
        options.minutes,
        options.threads,
        options.limit,
        options.start,
        options.rate,
    )


if __name__ == "__main__":
    main()
