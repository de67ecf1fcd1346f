"""Rendered tables as folders of pictures with their truth, on which nothing is trained.

Some have tokens of the endless shapes of `token_volumes`, as the networks were trained on, some those of the virtual
table, which the recognizer has seen stretched and bent alone, and some have the former, and houses and hotels of other
shapes and colors besides, which may be put down anyhow. A third of each have markers and the cop.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from vision.training.built import heap, long_of, looks_for_finder
from vision.training.pieces_data import TableRenderer, is_clear, make_style, table_tokens, token_set
from vision.training.token_pictures import Room
from vision.virtual.dataset import write_table
from vision.virtual.scene import Piece, TableStyle
from vision.virtual.setting import Setting

#: Far from the seeds that are used to train: of tables with volumes, of others, of such with volumes where houses and
#: hotels have other shapes and colors, and of these where they are put down anyhow.
SEED, PLAIN_SEED, BUILT_SEED, ANYHOW_SEED = 930_000, 940_000, 950_000, 960_000
#: Share of pictures that each token is off the board, and of streets on which houses are not put into a row.
ABSENT, _HEAPED = 0.06, 0.5


@dataclass
class Anyhow(Setting):
    """A setting where houses and hotels stand loosely on their strips, or anywhere on the inner part of their spaces.

    Attributes:
        long: how long houses are, as a share of a space's width.
    """

    long: float = 0.2

    def put_buildings(self, square: int, houses: int, hotel: bool) -> None:
        """Puts all of them down anew, as many as have room beside the tokens."""
        super().put_buildings(square, 0, False)
        super().put_buildings(square, houses, hotel)
        pieces = self._houses.pop(square, ())
        self.buildings.pop(square, None)
        places = 0.13 + 0.247 * np.arange(len(pieces)), np.full(len(pieces), 1 - self.geometry.strip_frac / 2)
        shares = np.column_stack(places) + self.rng.normal(0, 0.03, (len(pieces), 2))
        if self.rng.random() < _HEAPED:
            shares = heap(self.rng, self.style, len(pieces), self.long)
        moved = []
        for piece, (along, depth) in zip(pieces, shares.reshape(-1, 2), strict=False):
            x, y = self.geometry.at(square, float(along), float(depth))
            moved.append(replace(piece, x=x, y=y, yaw=piece.yaw + float(self.rng.normal(0, 0.5))))
        left = tuple(one for one in moved if is_clear(one, self.tokens.values()))
        if left:
            self._houses[square] = left
            self.buildings[square] = (0 if hotel else len(left), hotel)

    def _in_the_way(self, square: int) -> tuple[Piece, ...]:
        return (*super()._in_the_way(square), *self._houses.get(square, ()))


def style_of(seed: int) -> TableStyle:
    """The table of a seed, before it is given tokens of volumes, or a cop in place of a token."""
    return TableStyle.random(seed, 3 + seed % 6) if PLAIN_SEED <= seed < BUILT_SEED else make_style(seed)


def write(folder: Path, seed: int, frames: int) -> None:
    """Writes one table: the empty board, a picture of each token on GO, and frames, the last with the camera moved."""
    has_cop, style = seed % 3 == 0, style_of(seed)
    if PLAIN_SEED <= seed < BUILT_SEED:
        if has_cop:
            # Its cop is a blue pawn too.
            style = replace(style, tokens={name: kind for name, kind in style.tokens.items() if kind != "blue_pawn"})
        write_table(folder, style, frames - 1, 1, with_hands=False, cop="cop" if has_cop else None, absent=ABSENT)
        return
    rng = np.random.default_rng([seed, 29])
    tokens = token_set(rng, 8)
    style = replace(style, tokens={f"token {k}": f"token {k}" for k in table_tokens(rng, tokens)})
    room = Room(rng, style.light)
    looks = looks_for_finder(np.random.default_rng([seed, 37])) if seed >= BUILT_SEED else {}
    cop = str(rng.choice([f"token {k}" for k, (*_, kind) in enumerate(tokens) if kind == "cop"]))
    write_table(
        folder,
        style,
        frames - 1,
        1,
        with_hands=False,
        drawn_by=lambda style, camera: TableRenderer(style, camera, tokens, room, looks),
        cop=cop if has_cop else None,
        absent=ABSENT,
        set_by=partial(Anyhow, long=long_of(style, looks)) if seed >= ANYHOW_SEED else Setting,
    )


def folders(where: Path, tables: int, frames: int, first: int = 0) -> Iterator[Path]:
    """The folders of that many tables from the first on, written where they are missing."""
    for index in range(first, first + tables):
        seed = (PLAIN_SEED, SEED, ANYHOW_SEED)[index % 3] + index // 3
        folder = where / str(seed)
        if not (folder / "truth.json").is_file():
            write(folder, seed, frames)
        yield folder
