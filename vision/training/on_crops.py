"""What the networks learn from that see crops of tokens: what tells them apart, and what tells that some lie."""

from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch.nn import functional

from vision.board import bands as bd
from vision.pieces.tokens import FOOT_PX, LEAST_SCALE, MIDDLE, SIZE, STEEP, WITHIN
from vision.training.learning import blurred

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
#: Tokens of a set that the recognizer is to tell apart, more than at a table, so that it is harder.
TOLD_APART = 13
#: Share of the sets of which the first look at each token is the one on GO, where tokens are enrolled.
FROM_GO = 0.6
#: Share of looks with a marker beside the token, and of crops of which one with such a marker is made; colors (BGR) of
#: markers.
BESIDE_DISC, WITH_DISC, DISCS = 0.1, 0.15, ((35, 30, 205), (60, 170, 50))
#: Share of a set that is not enrolled; looks at other cops, and at things that are no token, beside it.
NOT_ENROLLED, BESIDE = 0.08, {COP: 5, STRANGER: 4}
#: A foot that is farther off than this, px, is to be put right before the token is named: so many such looks of a set
#: teach where the foot is alone.
FAR_PX, FAR_LOOKS = 4.5, 12
#: In place of which look it is: of what is no token of the set, of a foot that is far off, and of none at all.
NONE, FAR, NOTHING = -1, -2, -3
#: Cops are few among the tokens: each counts for so many. What telling where the foot is counts for beside naming.
COP_WEIGHT, FOOT_WEIGHT = 3.0, 0.2
#: Px of a crop by which feet are off when it is told whether a token has fallen.
ASTRAY = (1.0, 4.0)
#: No table has more crops than this, those with markers among them.
MOST = 1250
_FOOT = np.array([bd.CROP_PX / 2, bd.FOOT_ROW])
#: What a crop's px are taken to have as their mean where nothing stands, and what is then shown as nothing (0-1).
_LEVEL, _NOTHING = 110, 0.45


class Table(NamedTuple):
    """Crops of one table, all of them by their rows among all tables' crops.

    Attributes:
        first: row of the first crop.
        names, off, lies, enrol: of each crop: which token it shows, (n, 2) px by which its foot is beside the one that
            was cropped about, whether it lies, and whether it is one by which tokens are enrolled.
        kinds: of each token.
        crops_of: rows of each token, those with a far foot aside.
        pools: of each of `SETS` the tokens.
        beside: of each of `BESIDE` rows.
        far: rows of crops far beside a foot.
        disc, astray: of each crop the row of the same one with a marker beside the token, -1 without, and (n, 2) px by
            which the foot is found off then.
    """

    first: int
    names: np.ndarray
    off: np.ndarray
    lies: np.ndarray
    enrol: np.ndarray
    kinds: np.ndarray
    crops_of: list
    pools: dict
    beside: dict
    far: np.ndarray
    disc: np.ndarray
    astray: np.ndarray


class CropData:
    """Tables of crops, each over what lies under it.

    Attributes:
        pairs: (room, 6, CROP_PX, CROP_PX) all of them.
        has_discs: whether some are shown with a marker beside the token.
    """

    has_discs = False

    def __init__(self, tables, rng, device="cpu"):
        """
        Args:
            tables: so many there may be.
        """
        self.rng, self.tables, self.count = rng, [], 0
        self.pairs = torch.empty((MOST * tables, 6, bd.CROP_PX, bd.CROP_PX), dtype=torch.uint8, device=device)
        self.noise = torch.Generator(device).manual_seed(int(rng.integers(1 << 60)))

    def add(self, made):
        """A further table as `pieces_data` renders it."""
        pairs = np.concatenate([made["crops"], made["grounds"]], axis=3)
        names, kinds, off = made["names"], made["kinds"], made["off"]
        is_far, first = np.hypot(*off.T) > FAR_PX, self.count
        disc, astray, discs = np.full(len(names), -1), np.zeros((len(names), 2)), []
        if self.has_discs:
            for k in np.flatnonzero(~is_far & (self.rng.random(len(names)) < WITH_DISC)):
                disc[k] = first + len(pairs) + len(discs)
                pair, astray[k] = beside_disc(pairs[k], self.rng)
                discs.append(pair)
        every = np.concatenate([pairs, discs]) if discs else pairs
        self.count += len(every)
        self.pairs[first : self.count] = torch.from_numpy(np.ascontiguousarray(every.transpose(0, 3, 1, 2)))
        is_far &= kinds[names] != STRANGER
        crops_of = [first + np.flatnonzero((names == name) & ~is_far) for name in range(len(kinds))]
        seen_again = [name for name in range(len(kinds)) if len(crops_of[name]) > 1]
        pools = {kinds_of: [name for name in seen_again if kinds[name] in kinds_of] for kinds_of in SETS}
        beside = {kind: first + np.flatnonzero((kinds[names] == kind) & ~is_far) for kind in BESIDE}
        far = first + np.flatnonzero(is_far)
        told = (names, off, np.asarray(made["lies"], bool), np.asarray(made["enrol"], bool), kinds)
        self.tables.append(Table(first, *told, crops_of, pools, beside, far, disc, astray))

    def reshaped(self, table, rows):
        """Every token made larger or smaller, taller or flatter about its foot, the same in all its crops: the rows
        that are shown, (n, 2, 3) where their px are seen, and where their feet are then, (n, 2) px.

        So there are more shapes than were rendered. Besides, each foot is a little off, as it is when it is found.
        """
        rng, own = self.rng, rows - table.first
        names, off = table.names[own], table.off[own]
        side = -1 if rng.random() < 0.5 else 1
        size, tall = np.exp(rng.normal(0, 0.12, len(table.kinds))), np.exp(rng.normal(0, 0.1, len(table.kinds)))
        turn = rng.normal(0, 0.05, len(rows))
        warps = np.empty((len(rows), 2, 3))
        warps[:, 0, 0], warps[:, 0, 1] = side * np.cos(turn), -np.sin(turn)
        warps[:, 1, 0], warps[:, 1, 1] = side * np.sin(turn), np.cos(turn)
        warps[:, :, :2] *= np.stack([size, size * tall], axis=1)[names][:, :, None]
        with_disc = (table.disc[own] >= 0) & (rng.random(len(rows)) < BESIDE_DISC / WITH_DISC) & self.has_discs
        found = _FOOT + np.where(with_disc[:, None], table.astray[own], 0)
        warps[:, :, 2] = _FOOT + rng.normal(0, 1.3, (len(rows), 2)) - _moved(warps, found)
        feet = _moved(warps, _FOOT + off) + warps[:, :, 2] - _FOOT
        return np.where(with_disc, table.disc[own], rows), warps, feet

    def light(self, n):
        """What n crops of one table are lit by: (n, 3) color, (n,) blur, and (n,) noise."""
        rng = self.rng
        tint, own = np.exp(rng.normal(0, 0.08, 3)), np.exp(rng.normal(0, 0.05, (n, 1)))
        blur = np.where(rng.random(n) < 0.25, rng.uniform(0.4, 1.6, n), 0)
        return tint * own, blur, np.full(n, rng.uniform(0, 5))

    def seen(self, rows, warps, lights, within=slice(bd.CROP_PX)):
        """(n, 6, px, px) crops as networks see them.

        Args:
            rows, warps: as of `reshaped`.
            lights: as of `light`.
            within: the part of the crops that is seen.
        """
        device = self.pairs.device
        tint, blur, noise = (torch.from_numpy(part.astype(np.float32)).to(device) for part in lights)
        back = np.linalg.inv(warps[:, :, :2])
        back = np.concatenate([back, -_moved(back, warps[:, :, 2])[..., None]], axis=2)
        along = np.arange(bd.CROP_PX)[within]
        places = np.stack([*np.meshgrid(along, along), np.ones([len(along)] * 2)], axis=-1)
        back, places = (torch.from_numpy(part.astype(np.float32)).to(device) for part in (back, places))
        grid = torch.einsum("nij,hwj->nhwi", back, places) * (2 / (bd.CROP_PX - 1)) - 1
        shown = self.pairs[torch.from_numpy(rows).to(device)].float()
        x = functional.grid_sample(shown, grid, padding_mode="border", align_corners=True)
        level = x[:, 3:].mean((1, 2, 3), keepdim=True)
        x = x * (_LEVEL / level.clamp(min=1)).clamp(0.4, 4) * tint.repeat(1, 2)[:, :, None, None]
        soft = torch.from_numpy(np.flatnonzero(lights[1])).to(device)
        x[soft, :3] = blurred(x[soft, :3], blur[soft])
        x = x + noise[:, None, None, None] * torch.randn(x.shape, generator=self.noise, device=device)
        return (x.clamp(0, 255) / 255 - _NOTHING).contiguous(memory_format=torch.channels_last)


def _moved(warps, points):
    """(n, 2) of points (n, 2)."""
    return np.einsum("nij,nj->ni", warps[:, :, :2], points)


def beside_disc(pair, rng):
    """A crop with a bomb or a miner before or behind the token, and by how much (2,) px the foot is found off then.

    The disc has the size of the virtual table's, `vision.virtual.shapes`, on a board of usual size.
    """
    pair = pair.copy()
    squash, turn = rng.uniform(0.45, 0.95), rng.uniform(0, 2 * np.pi)
    away = rng.uniform(6, 24) * np.array([np.cos(turn), np.sin(turn) * squash])
    axes = 0.018 * bd.CROP_SCALE * np.exp(rng.normal(0, 0.1)) * np.array([1.0, squash])
    light = pair[..., 3:].mean() / 150 * rng.uniform(0.7, 1.3)
    color = np.clip(np.array(DISCS[int(rng.integers(len(DISCS)))]) * light * np.exp(rng.normal(0, 0.15, 3)), 0, 255)
    thick = 0.006 * bd.CROP_SCALE * np.sqrt(1 - squash**2)
    center = _FOOT + away
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


class RecognizerData(CropData):
    """Sets of tokens in a few looks each, every one of which is to be named by every other."""

    has_discs = True

    def batch(self, sets):
        """What is seen of some sets (`episode`), and what is right: crops (n, 6, 48, 48); which token each is by those
        of each look (sets, LOOKS, m), TOLD_APART for none and -1 where it is not asked; which of the set (sets, LOOKS,
        TOLD_APART) can be named then; which look (sets, m) each is; whether it is a cop (sets, m); and where its foot
        is (sets, m, 2) px."""
        rows, warps, lights, *told = zip(*(self.episode() for _ in range(sets)), strict=True)
        lights = [np.concatenate(part) for part in zip(*lights, strict=True)]
        x = self.seen(np.concatenate(rows), np.concatenate(warps), lights, WITHIN)
        return [x, *(torch.from_numpy(np.stack(part)).to(x.device) for part in told)]

    def episode(self):
        """Of one set: rows, warps, and lights of its crops, then as of `batch`.

        The first are `LOOKS` looks at each of `TOLD_APART` tokens, then those of `BESIDE`, and far ones. Sets with flat
        faces are taken from among those that were made one after the other: they are the most alike.
        """
        rng = self.rng
        while True:
            table = self.tables[int(rng.integers(len(self.tables)))]
            wanted = list(SETS)[int(rng.choice(len(SETS), p=list(SETS.values())))]
            pool = table.pools[wanted]
            if len(pool) > 1:
                break
        if wanted == (SOLID,):
            pool = np.roll(pool, int(rng.integers(len(pool))))[: TOLD_APART + 3]
        chosen = rng.permutation(pool)[:TOLD_APART]
        kept = int(rng.random() < FROM_GO)
        slots = [np.full((TOLD_APART, LOOKS), -1)]
        for slot, name in zip(slots[0], chosen, strict=False):
            of_name = table.crops_of[name]
            looks = np.concatenate([of_name[:kept], rng.permutation(of_name[kept:])])[:LOOKS]
            slot[: len(looks)] = looks
        look = [np.where(slots[0] < 0, NOTHING, np.arange(LOOKS)).ravel()]
        for kind, most in BESIDE.items():
            others = table.beside[kind]
            others = others[~np.isin(table.names[others - table.first], chosen)]
            slots.append(_filled(rng.permutation(others)[:most], most))
            look.append(np.where(slots[-1] < 0, NOTHING, NONE))
        slots.append(_filled(rng.permutation(table.far)[:FAR_LOOKS], FAR_LOOKS))
        look.append(np.where(slots[-1] < 0, NOTHING, FAR))
        rows, look = np.concatenate([slot.ravel() for slot in slots]), np.concatenate(look)
        rows = np.where(rows < 0, table.first, rows)
        cop = (table.kinds[table.names[rows - table.first]] == COP).astype(np.float32)
        shown, warps, feet = self.reshaped(table, rows)
        can, which = self._asked(look)
        return shown, warps, self.light(len(rows)), which, can, look, cop, feet.astype(np.float32)

    def _asked(self, look):
        """Which of the set can be named by each look (LOOKS, TOLD_APART), and which each crop is (LOOKS, m)."""
        tokens = np.repeat(np.arange(TOLD_APART), LOOKS)
        can = (look[: len(tokens)].reshape(TOLD_APART, LOOKS) >= 0).T
        can = can & (self.rng.random(can.shape) >= NOT_ENROLLED)
        which = np.full((LOOKS, len(look)), TOLD_APART)
        which[:, : len(tokens)] = np.where(can[:, tokens], tokens, TOLD_APART)
        is_asked = (look >= NONE) & (look != np.arange(LOOKS)[:, None])
        return can, np.where(is_asked, which, -1)

    def shown(self, sets):
        """(n, 6, 48, 48) crops alone, as the network sees them."""
        return self.batch(sets)[0].cpu().contiguous()

    def told(self, net, batch):
        """Log odds of being each of the set and none (sets, LOOKS, m, TOLD_APART + 1), of being a cop (sets, m), and
        feet (sets, m, 3) as of `Recognizer`."""
        x, which, can, *_ = batch
        with torch.autocast(x.device.type, dtype=torch.bfloat16, enabled=net.training, cache_enabled=False):
            out = net(x)
        out = out.float().unflatten(0, (len(which), -1))
        vectors = out[..., :SIZE]
        enrolled = vectors[:, : TOLD_APART * LOOKS].unflatten(1, (TOLD_APART, LOOKS)).transpose(1, 2)
        alike = STEEP * (vectors[:, None] @ enrolled.transpose(2, 3) - MIDDLE)
        alike = alike.masked_fill(~can[:, :, None], -1e4)
        return functional.pad(alike, (0, 1)), out[..., SIZE], out[..., SIZE + 1 :]

    def loss(self, net, batch):
        alike, odds, feet = self.told(net, batch)
        _, which, _, look, cop, foot = batch
        named = functional.cross_entropy(alike.permute(0, 3, 1, 2), which, reduction="none", ignore_index=-1)
        is_asked = which >= 0
        named = (named.sum(2) / is_asked.sum(2).clamp(min=1)).mean()
        near = (look > FAR).float()
        cops = functional.binary_cross_entropy_with_logits(odds, cop, reduction="none")
        cops = (cops * near * (1 + (COP_WEIGHT - 1) * cop)).sum() / near.sum()
        has_foot = ((look != NONE) | (cop > 0.5)) & (look != NOTHING)
        off = (foot_loss(feet, foot) * has_foot).sum() / has_foot.sum()
        return named + cops + FOOT_WEIGHT * off

    def right(self, net, batch):
        """Shares that are named rightly, and told to be a cop or not; px by which half of the far feet are off."""
        with torch.no_grad():
            alike, odds, feet = self.told(net, batch)
        _, which, _, look, cop, foot = batch
        named = (alike.argmax(3) == which)[which >= 0].float().mean()
        cops = ((odds > 0) == (cop > 0.5))[look > FAR].float().mean()
        off = (feet[..., :2] * FOOT_PX - foot).norm(dim=2)[look == FAR].median()
        return np.array([float(named), float(cops), float(off)])


def _filled(rows, count):
    """So many rows, -1 where there are not enough."""
    return np.concatenate([rows, np.full(count - len(rows), -1)])


def foot_loss(said, foot):
    """(...) what a Laplace distribution about the place and scale that were said (..., 3) has against feet (..., 2)."""
    scale = LEAST_SCALE + functional.softplus(said[..., 2])
    return (said[..., :2] - foot / FOOT_PX).abs().sum(-1) / scale + 2 * torch.log(scale)


class FallenData(CropData):
    """Pairs of a token and the same as it was enrolled, and which of them lie."""

    def batch(self, n):
        """(crops (n, 12, 64, 64), whether the tokens lie (n, 1))."""
        rows, warps, lights, lies = zip(*(self.pair() for _ in range(n)), strict=True)
        lights = [np.concatenate(part) for part in zip(*lights, strict=True)]
        x = self.seen(np.concatenate(rows), np.concatenate(warps), lights)
        shape = (n, 12, bd.CROP_PX, bd.CROP_PX)
        return x.reshape(shape), torch.tensor(lies, dtype=torch.float32, device=x.device)[:, None]

    def shown(self, n):
        """(n, 12, 64, 64) crops alone, as the network sees them."""
        return self.batch(n)[0].cpu()

    def pair(self):
        """Rows, warps and lights of a token and the same token as it stands on GO; whether it lies."""
        rng = self.rng
        while True:
            table = self.tables[int(rng.integers(len(self.tables)))]
            name = int(rng.choice(np.flatnonzero(table.kinds == rng.choice([METAL, PAWN, MEEPLE]))))
            of_name = table.crops_of[name]
            shown = of_name[table.enrol[of_name - table.first]]
            others = of_name[table.lies[of_name - table.first] == (rng.random() < 0.5)]
            if not len(shown) or not len(others):
                continue
            then, now = int(rng.choice(shown)), int(rng.choice(others))
            if then != now:
                break
        rows, warps, _ = self.reshaped(table, np.array([now, then]))
        # The foot of a token that lies is found up to so far off; so are the others' here.
        warps[0, :, 2] += rng.normal(0, rng.choice(ASTRAY), 2)
        return rows, warps, self.light(2), bool(table.lies[now - table.first])

    def loss(self, net, batch):
        seen, lies = batch
        with torch.autocast(seen.device.type, dtype=torch.bfloat16, enabled=net.training, cache_enabled=False):
            said = net(seen)
        return functional.binary_cross_entropy_with_logits(said.float(), lies)

    def right(self, net, batch):
        """Share that is told rightly."""
        seen, lies = batch
        with torch.no_grad():
            return float(((net(seen) > 0) == (lies > 0.5)).float().mean())
