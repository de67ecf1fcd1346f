"""What the networks learn from that see the bands of a board: the finder of pieces, and what looks at whole streets.

Tables are kept as they were rendered (`pieces_data.make_table`), bands of one after those of the other; windows of them
are moved, lit and blurred where they are kept, on a GPU if they are there.
"""

from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from vision.board import bands as bd
from vision.board.layout import STREETS
from vision.pieces.streets import COLUMNS, HOUSES, ROWS
from vision.training.learning import blurred
from vision.training.quantize import LEVELS

#: No table has more bands, nor a band more pieces, than this.
MOST, PIECES = 96, 64
#: Columns of the windows that the finder is shown, and by how many px of the map a foot is told smeared.
WINDOW, SIGMA = 192, 0.95
#: Pieces that stand so many px beside a window still tell something in it.
BESIDE_PX = 14
HOUSE, HOTEL = 1, 2
#: A piece of which less is seen may be missed.
HARDLY = 0.4
#: A building stands on a street up to so far, in widths of a space, beside its ends, and its strip's edges.
BESIDE_ENDS, BESIDE_STRIP = 0.07, 0.55
#: Of streets on which nothing stands, so many are shown; and the share of a street's middle that papers may hide.
BARE, COVERED = 0.5, 0.25
#: Streets of one board that are seen together.
OF_BOARD = 8
#: Share of boards whose colors are exchanged: buildings and strips are sold in any.
REPAINTED = 0.25
#: What is made of a piece in the finder's map: it is to be found, may be, or is as good as not there.
FIND, MAY, HIDDEN = 1, 0, -1
#: Mean that a band's picture is brought to.
_LEVEL = 110


class Changes(NamedTuple):
    """How windows differ from what was rendered, each by its row.

    Attributes:
        mirrored: whether left is right.
        shift: (n, 2) px by which the empty board lies elsewhere.
        contrast: of the empty board, as a factor.
        gains: (n, 2, 3) factors of the colors now and of the empty board.
        paints: (n, 3) which channel is shown as which.
        blur, noise: (n, 2) of both, px and levels.
        leans: how much farther off the camera is thought to be, as a factor.
    """

    mirrored: np.ndarray
    shift: np.ndarray
    contrast: np.ndarray
    gains: np.ndarray
    paints: np.ndarray
    blur: np.ndarray
    noise: np.ndarray
    leans: np.ndarray

    def of(self, rows):
        """Those of some rows, again and again."""
        return Changes(*(part[rows] for part in self))


class BandData:
    """Bands of boards, each over that of the empty board.

    Args:
        tables: so many there may be.

    Attributes:
        pairs, leans: (room, 6, bd.HEIGHT, bd.WIDTH), and (room, 2, rows, columns) of every eighth px, all of them.
        levels: (room,) mean of the empty board's bands of a picture.
        tables: of each the row of its first band.
    """

    def __init__(self, tables, rng, device="cpu"):
        self.rng, self.tables, self.count, room = rng, [], 0, MOST * tables
        self.pairs = torch.empty((room, 6, bd.HEIGHT, bd.WIDTH), dtype=torch.uint8, device=device)
        self.leans = torch.empty((room, 2, bd.HEIGHT // 8, bd.WIDTH // 8), dtype=torch.uint8, device=device)
        self.levels = np.ones(room)
        self.noise = torch.Generator(device).manual_seed(int(rng.integers(1 << 60)))

    def add(self, made):
        """A further table as `pieces_data.make_table` renders it; the rows of its bands."""
        bands = np.concatenate([made["now"], made["before"]], axis=3).transpose(0, 3, 1, 2)
        rows = slice(self.count, self.count + len(bands))
        self.pairs[rows] = torch.from_numpy(np.ascontiguousarray(bands))
        self.leans[rows] = torch.from_numpy(np.ascontiguousarray(made["lean"]))
        self.levels[rows] = made["level"]
        self.tables.append(self.count)
        self.count = rows.stop
        return rows

    def changes(self, n):
        """Of n windows, by chance."""
        rng = self.rng
        is_other = rng.random((n, 1)) < 0.35
        far = rng.choice([0.6, 1.6], p=[0.7, 0.3], size=(n, 1))
        tint = np.exp(rng.normal(0, 0.12, (n, 1, 1)) + rng.normal(0, 0.05, (n, 1, 3)))
        own = np.exp(rng.normal(0, 0.02, (n, 2, 3)))
        return Changes(
            mirrored=rng.random(n) < 0.5,
            shift=np.where(is_other, rng.normal(0, far, (n, 2)), 0),
            contrast=np.where(rng.random(n) < 0.15, rng.uniform(0.75, 1.3, n), 1),
            gains=tint * own,
            paints=np.tile(np.arange(3), (n, 1)),
            blur=np.where(rng.random((n, 2)) < 0.25, rng.uniform(0.4, 1.3, (n, 2)), 0),
            noise=rng.uniform(0, 5, (n, 2)),
            leans=np.where(rng.random(n) < 0.3, np.exp(rng.normal(0, 0.3, n)), 1),
        )

    def seen(self, rows, first, size, how, top=0):
        """(n, 8, *size) windows as networks see them.

        Args:
            rows: (n,) of their bands; `first`: (n,) their first columns; `top`: (n,) or one, their first rows.
            size: rows and columns of a window.
        """
        device, n, level = self.pairs.device, len(rows), self.levels[rows]
        along = np.arange(size[1])
        columns = np.where(how.mirrored[:, None], first[:, None] + size[1] - 1 - along, first[:, None] + along)
        down = np.broadcast_to(np.asarray(top), n)[:, None] + np.arange(size[0])
        rows, columns, down = (torch.from_numpy(part).to(device) for part in (rows, columns, down))
        rows, down, columns = rows[:, None, None, None], down[:, None, :, None], columns[:, None, None]
        paints = how.paints[:, None] + [[0], [3]]
        planes = torch.from_numpy(paints.reshape(n, 6, 1, 1)).to(device)
        x = self.pairs[rows, planes, down, columns].float().unflatten(1, (2, 3))
        now, before = x[:, 0], x[:, 1]
        gain = np.clip(_LEVEL / np.maximum(level, 1), 0.4, 4)[:, None, None]
        shift, contrast, gains, blur, noise, leans = (
            torch.from_numpy(np.asarray(part, np.float32)).to(device)
            for part in (how.shift, how.contrast, how.gains * gain, how.blur, how.noise, how.leans)
        )
        before = _moved(before, shift)
        middle = before.mean((1, 2, 3), keepdim=True)
        before = (before - middle) * contrast[:, None, None, None] + middle
        pair = torch.stack([now, before], 1).flatten(0, 1)
        soft = torch.from_numpy(np.flatnonzero(how.blur)).to(device)
        pair[soft] = blurred(pair[soft], blur.flatten()[soft])
        pair = pair * gains.flatten(0, 1)[:, :, None, None]
        random = torch.randn(pair.shape, generator=self.noise, device=device)
        pair = pair + noise.flatten()[:, None, None, None] * random
        pair = (pair.clamp(0, 255) - bd.NOTHING).unflatten(0, (n, 2)).flatten(1, 2)
        ways = torch.arange(2, device=device)[None, :, None, None]
        lean = self.leans[rows, ways, down // 8, columns // 8].float() - bd.NOTHING
        lean = lean * leans[:, None, None, None]
        turned = torch.from_numpy(np.where(how.mirrored, -1, 1).astype(np.float32)).to(device)
        lean[:, 0] *= turned[:, None, None]
        return (torch.cat([pair, lean], 1) / LEVELS).contiguous(memory_format=torch.channels_last)


def _moved(pictures, shift):
    """(n, 3, h, w) by (n, 2) px [right, down]; what comes in at an edge is as the edge is."""
    height, width = pictures.shape[2:]
    size = torch.tensor([width - 1, height - 1], device=pictures.device)
    turn = torch.eye(2, device=pictures.device).expand(len(pictures), 2, 2)
    ways = torch.cat([turn, (-2 * shift / size)[:, :, None]], 2)
    grid = functional.affine_grid(ways, list(pictures.shape), align_corners=True)
    return functional.grid_sample(pictures, grid, padding_mode="border", align_corners=True)


class FinderData(BandData):
    """Random windows of bands with their heat maps.

    Attributes:
        pieces: (room, PIECES, 4) of each band [class, column, row, what is made of it].
    """

    def __init__(self, tables, rng, device="cpu"):
        super().__init__(tables, rng, device)
        self.pieces = np.full((MOST * tables, PIECES, 4), HIDDEN, np.float32)

    def add(self, made):
        rows = super().add(made)
        for row, labels in enumerate(made["labels"], rows.start):
            kind, column, line, visible, hidden = labels[:PIECES].T
            state = np.where((visible >= HARDLY) & (hidden == 0), FIND, np.where(hidden < 1, MAY, HIDDEN))
            self.pieces[row, : len(kind)] = np.stack([kind, column, line, state], 1)
        return rows

    def batch(self, n):
        """Windows (n, 8, bd.HEIGHT, WINDOW), what is to be told of each (n, classes, height / 2, width / 2), and how
        much that counts."""
        rows = self.rng.integers(self.count, size=n)
        first = 8 * self.rng.integers(0, (bd.WIDTH - WINDOW) // 8 + 1, n)
        how = self.changes(n)
        return self.seen(rows, first, (bd.HEIGHT, WINDOW), how), *self.maps(rows, first, how.mirrored)

    def maps(self, rows, first, mirrored):
        """What is to be told of windows, and how much that counts."""
        device, pieces = self.pairs.device, self.pieces[rows]
        pieces[..., 1] -= first[:, None]
        pieces[mirrored, :, 1] = WINDOW - 1 - pieces[mirrored, :, 1]
        tells = (pieces[..., 3] != HIDDEN) & (np.abs(pieces[..., 1] - WINDOW / 2) < WINDOW / 2 + BESIDE_PX)
        most = max(int(tells.sum(1).max()), 1)
        pieces = np.take_along_axis(pieces, np.argsort(~tells, axis=1, kind="stable")[:, :most, None], 1)
        kind, column, line, state = torch.from_numpy(pieces).to(device).unbind(2)
        # A cell of the map stands for the 2 x 2 px about 2 i + 0.5.
        across = (column - 0.5)[:, :, None] / 2 - torch.arange(WINDOW // 2, device=device)
        down = (line - 0.5)[:, :, None] / 2 - torch.arange(bd.HEIGHT // 2, device=device)
        far = across[:, :, None] ** 2 + down[..., None] ** 2
        right, counts = [], []
        for wanted in range(5):
            is_kind = (kind == wanted)[:, :, None, None]
            found, may = ((is_kind & (state == one)[:, :, None, None]) for one in (FIND, MAY))
            nearest = far.masked_fill(~found, 1e6).amin(1)
            right.append(torch.exp(-0.5 * nearest / SIGMA**2))
            counts.append((nearest < 9) | (far.masked_fill(~may, 1e6).amin(1) >= 36))
        return torch.stack(right, 1), torch.stack(counts, 1).float()

    def shown(self, n):
        """Windows alone, as the network sees them."""
        return self.batch(n)[0].cpu().contiguous()

    def loss(self, net, batch):
        """Focal loss on soft targets."""
        x, target, weight = batch
        with torch.autocast(x.device.type, dtype=torch.bfloat16, enabled=net.training, cache_enabled=False):
            logits = net(x)
        logits = logits.float()
        p = torch.sigmoid(logits)
        cross = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
        focus = (target - p).abs() ** 2
        return (cross * focus * weight).sum() / (target > 0.95).sum().clamp(min=8)

    def right(self, net, batch):
        """Shares of the pieces that are told where they are, and of what is told where a piece is, by class."""
        x, target, weight = batch
        with torch.no_grad():
            said = torch.sigmoid(net(x))
        is_there, is_told = target > 0.8, said > 0.4
        peak = (functional.max_pool2d(said, 5, 1, 2) == said) & is_told & (weight > 0)
        near = functional.max_pool2d(target, 5, 1, 2) > 0.8
        found = functional.max_pool2d(is_told.float(), 5, 1, 2) > 0
        of_class = (0, 2, 3)
        told = (is_there & found).sum(of_class) / is_there.sum(of_class).clamp(min=1)
        true = (peak & near).sum(of_class) / peak.sum(of_class).clamp(min=1)
        return torch.cat([told, true]).cpu().numpy().round(4)


class StreetData(BandData):
    """Streets with the numbers of houses and hotels that may be said to stand there, some of each board together.

    Attributes:
        frames: of each picture its streets: rows, first columns, answers (n, 2 * HOUSES) that are right, and whether
            nothing stands there.
    """

    def __init__(self, tables, rng, device="cpu"):
        super().__init__(tables, rng, device)
        self.frames = []

    def add(self, made):
        rows = super().add(made)
        strip = float(made["strip"]) * bd.UNIT_PX
        for frame in range(0, len(made["labels"]), 4):
            streets = []
            for street in STREETS:
                side, middle = street // 10, (bd.WIDTH - 1) / 2 - (street % 10 - 5) * bd.UNIT_PX
                left = round(middle - COLUMNS / 2 + 0.5)
                right = right_answers(made["labels"][frame + side], middle, strip)
                hidden = made["covered"][frame + side][left + 12 : left + COLUMNS - 12].mean()
                if right is not None and hidden <= COVERED:
                    streets.append((rows.start + frame + side, left, right, right[0] > 0))
            if streets:
                self.frames.append(tuple(np.array(part) for part in zip(*streets, strict=True)))
        return rows

    def batch(self, n):
        """(what is shown (n, 8, ROWS, COLUMNS), which answers are right (n, 2 * HOUSES)): `OF_BOARD` of each board."""
        rng, boards = self.rng, n // OF_BOARD
        rows, lefts, rights = zip(*(self.board() for _ in range(boards)), strict=True)
        rows, lefts, rights = (np.concatenate(part) for part in (rows, lefts, rights))
        # Lines between spaces are found a px beside where they are.
        lefts = lefts + np.clip(np.round(rng.normal(0, 1, n)), -2, 2).astype(int)
        how = self.changes(boards)
        painted = np.array([rng.permutation(3) if rng.random() < REPAINTED else np.arange(3) for _ in range(boards)])
        how = how._replace(paints=painted).of(np.repeat(np.arange(boards), OF_BOARD))
        top = (rng.random(n) < 0.25).astype(int)
        x = self.seen(rows, lefts, (ROWS, COLUMNS), how, top)
        return x, torch.from_numpy(rights).to(x.device)

    def board(self):
        """`OF_BOARD` times (row, first column, which answers are right), of one picture."""
        rng = self.rng
        while True:
            rows, lefts, rights, are_bare = self.frames[int(rng.integers(len(self.frames)))]
            chosen = np.flatnonzero(~are_bare | (rng.random(len(rows)) < BARE))
            if len(chosen):
                break
        chosen = np.resize(rng.permutation(chosen), OF_BOARD)
        return rows[chosen], lefts[chosen], rights[chosen]

    def shown(self, n):
        """(n, 8, ROWS, COLUMNS) of one board alone, as the network sees them."""
        return self.batch(OF_BOARD)[0].cpu().contiguous()

    def loss(self, net, batch):
        """Minus the logarithm of the probability of all right answers."""
        shown, right = batch
        with torch.autocast(shown.device.type, dtype=torch.bfloat16, enabled=net.training, cache_enabled=False):
            said = net.of_boards(shown, len(shown) // OF_BOARD)
        odds = functional.log_softmax(said.float(), 1)
        return -torch.logsumexp(odds.masked_fill(right == 0, -1e4), 1).mean()

    def right(self, net, batch):
        """Share that is told rightly."""
        shown, right = batch
        with torch.no_grad():
            said = net.of_boards(shown, len(shown) // OF_BOARD).argmax(1)
        return float(right[torch.arange(len(right), device=right.device), said].mean())


def right_answers(labels, middle, strip):
    """(2 * HOUSES,) 1 for what may be said of a street, whatever is made of what hardly shows; None if unknown.

    Args:
        labels: (n, 5) pieces of the band [class, column, row, share that is seen, share under papers].
        middle: column of the band in the middle of the street; `strip`: depth of its color strip, px.
    """
    most, least = [0, 0], [0, 0]
    for kind, column, row, visible, hidden in labels:
        beyond = abs(column - middle) - bd.UNIT_PX / 2
        outside = max(bd.INNER_ROWS - row, row - bd.INNER_ROWS - strip)
        is_on = beyond < BESIDE_ENDS * bd.UNIT_PX and outside < BESIDE_STRIP * bd.UNIT_PX
        if kind not in (HOUSE, HOTEL) or not is_on:
            continue
        if hidden > 0:
            return None
        most[int(kind) - 1] += 1
        least[int(kind) - 1] += visible >= HARDLY
    if most[0] >= HOUSES or most[1] > 1:
        return None
    right = np.zeros((2, HOUSES), np.float32)
    right[least[1] : most[1] + 1, least[0] : most[0] + 1] = 1
    return right.ravel()
