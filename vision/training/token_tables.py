"""Rendered tables as folders of pictures with their truth, on which nothing is trained.

Half have tokens of the endless shapes of `token_volumes`, as the networks were trained on, half those of the virtual
table, which the recognizer has seen stretched and bent alone and the others have never seen. A third have markers and
the cop.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.training.pieces_data import TableRenderer, make_style, table_tokens, token_set
from vision.training.token_pictures import Room
from vision.virtual.dataset import write_table
from vision.virtual.scene import TableStyle

#: Far from the seeds that are used to train: of tables with volumes, and of others.
SEED, PLAIN_SEED = 930_000, 940_000
#: Share of pictures that each token is off the board.
ABSENT = 0.06


def write(folder: Path, seed: int, frames: int) -> None:
    """Writes one table: the empty board, a picture of each token on GO, and frames, the last with the camera moved."""
    has_cop = seed % 3 == 0
    if seed >= PLAIN_SEED:
        style = TableStyle.random(seed, 3 + seed % 6)
        if has_cop:
            # Its cop is a blue pawn too.
            style = replace(style, tokens={name: kind for name, kind in style.tokens.items() if kind != "blue_pawn"})
        write_table(folder, style, frames - 1, 1, with_hands=False, cop="cop" if has_cop else None, absent=ABSENT)
        return
    rng = np.random.default_rng([seed, 29])
    style, tokens = make_style(seed), token_set(rng, 8)
    style = replace(style, tokens={f"token {k}": f"token {k}" for k in table_tokens(rng, tokens)})
    room = Room(rng, style.light)
    cop = str(rng.choice([f"token {k}" for k, (*_, kind) in enumerate(tokens) if kind == "cop"]))
    write_table(
        folder,
        style,
        frames - 1,
        1,
        with_hands=False,
        drawn_by=lambda style, camera: TableRenderer(style, camera, tokens, room),
        cop=cop if has_cop else None,
        absent=ABSENT,
    )


def folders(where: Path, tables: int, frames: int, first: int = 0) -> Iterator[Path]:
    """The folders of that many tables from the first on, written where they are missing."""
    for index in range(first, first + tables):
        seed = (SEED if index % 2 else PLAIN_SEED) + index // 2
        folder = where / str(seed)
        if not (folder / "truth.json").is_file():
            write(folder, seed, frames)
        yield folder
