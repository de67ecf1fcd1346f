"""What the networks learn from that see the bands of a board: the finder of pieces, and what looks at whole streets."""

import cv2
import numpy as np
import torch
from torch.nn import functional

from vision.board import bands as bd
from vision.board.foreground import match_colors, recolor
from vision.board.layout import STREETS
from vision.pieces.streets import COLUMNS, HOUSES, ROWS
from vision.training import old_pictures
from vision.training.quantize import LEVELS

CROP_H = 96
SIGMA = 0.95
HOUSE, HOTEL = 1, 2
#: A piece of which less is seen may be missed.
HARDLY = 0.4
#: A building stands on a street up to so far, in widths of a space, beside its ends, and its strip's edges.
BESIDE_ENDS, BESIDE_STRIP = 0.07, 0.25
#: Of streets on which nothing stands, so many are shown; and the share of a street's middle that papers may hide.
BARE, COVERED = 0.5, 0.25
#: Streets of one board that are seen together.
OF_BOARD = 8
#: Share of boards whose colors are exchanged: buildings and strips are sold in any.
REPAINTED = 0.25


class FinderData:
    """Random windows of bands with their heat maps.

    Attributes:
        width: of the windows, px.
    """

    width = 192

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

    def shown(self, n):
        """(n, 8, CROP_H, width) windows alone, as the network sees them."""
        return self.batch(n)[0]

    def loss(self, net, batch):
        """Focal loss on soft targets."""
        x, target, weight = batch
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=net.training):
            logits = net(x.to(memory_format=torch.channels_last))
        logits = logits.float()
        p = torch.sigmoid(logits)
        cross = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
        focus = (target - p).abs() ** 2
        return (cross * focus * weight).sum() / (target > 0.95).sum().clamp(min=8)

    def one(self, item):
        rng, labels = self.rng, item[-1]
        x0 = self.place()
        x, hidden = self.window(item, x0)
        y = np.zeros((5, CROP_H // 2, self.width // 2), np.float32)
        w = np.ones_like(y)
        columns, rows = np.meshgrid(np.arange(self.width // 2), np.arange(CROP_H // 2))
        for _, _, kind, column, row, visible in labels:
            # A cell of the map stands for the 2 x 2 px about 2 i + 0.5.
            cx, cy = (column - x0 - 0.5) / 2, (row - 0.5) / 2
            if not (-5 < cx < self.width // 2 + 5):
                continue
            d2 = (columns - cx) ** 2 + (rows - cy) ** 2
            share = _share_about(hidden, column - x0, row)
            if visible < 0.4 or share > 0:
                if share < 1:
                    w[int(kind)][d2 < 36] = 0.0
                continue
            y[int(kind)] = np.maximum(y[int(kind)], np.exp(-0.5 * d2 / SIGMA**2))
            w[int(kind)][d2 < 9] = 1.0
        if rng.random() < 0.5:
            x, y, w = x[:, :, ::-1].copy(), y[:, :, ::-1].copy(), w[:, :, ::-1].copy()
            x[6] *= -1
        return x, y, w

    def place(self):
        """First column of a window."""
        return int(self.rng.integers(0, (bd.WIDTH - self.width) // 8 + 1)) * 8

    def window(self, item, x0):
        """What a network is shown (8, CROP_H, self.width) of a band from a column on, and where papers hide it."""
        rng = self.rng
        frame, reference, colors, level, lean, labels = item
        window = np.s_[:, x0 : x0 + self.width]
        now = frame[window].astype(np.float32)
        jitter = colors.copy()
        jitter[:, :3] *= np.exp(rng.normal(0, 0.03, (3, 1)))
        before = recolor(reference[window], jitter).astype(np.float32)
        now, before, hidden = self.as_photographed(now, before, labels, x0)
        if rng.random() < 0.35:
            # Another print, another lens: the artwork lies a little elsewhere than the empty picture has it.
            far = rng.choice([0.6, 1.6], p=[0.7, 0.3])
            warp = np.array([[1, 0, rng.normal(0, far)], [0, 1, rng.normal(0, far)]])
            before = cv2.warpAffine(before, warp, (self.width, CROP_H), borderMode=cv2.BORDER_REPLICATE)
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
            pair.append(np.clip(picture, 0, 255) - np.float32(bd.NOTHING))
        shift = np.repeat(np.repeat(lean.astype(np.float32), 8, 1), 8, 2)[:, :, x0 : x0 + self.width] - bd.NOTHING
        if rng.random() < 0.3:
            # The camera is nearer or farther than was thought.
            shift = shift * np.float32(np.exp(rng.normal(0, 0.3)))
        x = np.concatenate([pair[0].transpose(2, 0, 1), pair[1].transpose(2, 0, 1), shift]) / np.float32(LEVELS)
        return x.astype(np.float32), hidden

    def as_photographed(self, now, before, labels, x0):
        """Both pictures as on real tables (`old_pictures`), and where papers hide what was there."""
        rng, hidden = self.rng, np.zeros((CROP_H, self.width), bool)
        if rng.random() < 0.25:
            tokens = labels[(labels[:, 2] == 0) & (labels[:, 5] > 0.4)]
            feet = tokens[rng.random(len(tokens)) < 0.7, 3:5] - [x0, 0]
            now = old_pictures.sculpted(now, before, feet, rng)
        if rng.random() < 0.15:
            other = self.items[int(rng.integers(len(self.items)))][1]
            marks = other[:, : self.width] if rng.random() < 0.5 else other[:, -self.width :]
            now, hidden = old_pictures.papered(now, marks.astype(np.float32), rng)
        if rng.random() < 0.3:
            before = old_pictures.older(before, rng)
        if rng.random() < 0.1:
            now = old_pictures.veiled(now, rng)
        if rng.random() < 0.25:
            now = old_pictures.recorded(now, rng)
        if rng.random() < 0.1:
            before = old_pictures.recorded(before, rng)
        return now, before, hidden


def _share_about(hidden, column, row):
    """Share of a piece with its foot there that is hidden."""
    left, top = max(int(column) - 7, 0), max(int(row) - 10, 0)
    about = hidden[top : max(int(row) + 5, 1), left : max(int(column) + 8, 1)]
    return float(about.mean()) if about.size else 0.0


class StreetData(FinderData):
    """Streets with the numbers of houses and hotels that may be said to stand there, some of each board together."""

    width = bd.WIDTH

    def __init__(self, tables, rng):
        super().__init__(tables, rng)
        self.strips = [float(table["strip"]) * bd.UNIT_PX for table in tables for _ in table["bands"]]

    def batch(self, n):
        """(what is shown (n, 8, ROWS, COLUMNS), which answers are right (n, 2 * HOUSES)): `OF_BOARD` of each board."""
        boards = [self.board(int(self.rng.integers(len(self.strips)))) for _ in range(n // OF_BOARD)]
        shown, right = zip(*(street for board in boards for street in board), strict=True)
        return torch.from_numpy(np.stack(shown)), torch.from_numpy(np.stack(right))

    def shown(self, n):
        """(n, 8, ROWS, COLUMNS) of one board alone, as the network sees them."""
        return self.batch(OF_BOARD)[0]

    def board(self, frame):
        """`OF_BOARD` times (what is shown, which answers are right), of some sides of one picture."""
        rng, seen = self.rng, []
        paints = rng.permutation(3) if rng.random() < REPAINTED else np.arange(3)
        for side in (*rng.permutation(4), *rng.permutation(4)):
            if len(seen) < OF_BOARD:
                seen += self.streets(frame, int(side), paints)
        seen = seen or self.board(int(rng.integers(len(self.strips))))
        return [seen[k] for k in np.resize(rng.permutation(len(seen)), OF_BOARD)]

    def streets(self, frame, side, paints):
        """(what is shown, which answers are right) of the streets of one side.

        Args:
            paints: (3,) which of the colors' channels is shown as which.
        """
        rng, item = self.rng, self.items[4 * frame + side]
        x, hidden = self.window(item, 0)
        x[:6] = x[:6].reshape(2, 3, *x.shape[1:])[:, paints].reshape(6, *x.shape[1:])
        seen, is_mirrored = [], rng.random() < 0.5
        for street in STREETS:
            if street // 10 != side:
                continue
            middle = (bd.WIDTH - 1) / 2 - (street % 10 - 5) * bd.UNIT_PX
            # Lines between spaces are found a px beside where they are.
            left = round(middle - COLUMNS / 2 + 0.5) + int(np.clip(np.round(rng.normal(0, 1)), -2, 2))
            top = int(rng.random() < 0.25)
            shown = x[:, top : top + ROWS, left : left + COLUMNS]
            right = self.right_answers(item[-1], middle, self.strips[frame], hidden)
            is_covered = hidden[:30, left + 12 : left + COLUMNS - 12].mean() > COVERED
            if right is None or is_covered or (right[0] and rng.random() > BARE):
                continue
            if is_mirrored:
                shown = shown[:, :, ::-1].copy()
                shown[6] *= -1
            seen.append((np.ascontiguousarray(shown), right))
        return seen

    def right_answers(self, labels, middle, strip, hidden):
        """(2 * HOUSES,) 1 for what may be said of a street, whatever is made of what hardly shows; None if unknown.

        Args:
            middle: column of the band in the middle of the street; `strip`: depth of its color strip, px.
        """
        most, least = [0, 0], [0, 0]
        for _, _, kind, column, row, visible in labels:
            beyond = abs(column - middle) - bd.UNIT_PX / 2
            outside = max(bd.INNER_ROWS - row, row - bd.INNER_ROWS - strip)
            is_on = beyond < BESIDE_ENDS * bd.UNIT_PX and outside < BESIDE_STRIP * bd.UNIT_PX
            if kind not in (HOUSE, HOTEL) or not is_on:
                continue
            if _share_about(hidden, column, row) > 0:
                return None
            most[int(kind) - 1] += 1
            least[int(kind) - 1] += visible >= HARDLY
        if most[0] >= HOUSES or most[1] > 1:
            return None
        right = np.zeros((2, HOUSES), np.float32)
        right[least[1] : most[1] + 1, least[0] : most[0] + 1] = 1
        return right.ravel()

    def loss(self, net, batch):
        """Minus the logarithm of the probability of all right answers."""
        shown, right = batch
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=net.training):
            said = net.of_boards(shown.to(memory_format=torch.channels_last), len(shown) // OF_BOARD)
        odds = functional.log_softmax(said.float(), 1)
        return -torch.logsumexp(odds.masked_fill(right == 0, -1e4), 1).mean()

    def right(self, net, batch):
        """Share that is told rightly."""
        shown, right = batch
        with torch.no_grad():
            return float(right[torch.arange(len(right)), net.of_boards(shown, len(shown) // OF_BOARD).argmax(1)].mean())
