"""Rendered tables as folders of pictures with their truth, on which nothing is trained.

Half have tokens of the endless shapes of `token_volumes`, as the networks were trained on, half those of the virtual
table, which the recognizer has seen stretched and bent alone and the others have never seen. A third have markers and
the cop. A third kind of table has houses and hotels of other shapes and colors besides.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.training.built import looks_for_finder
from vision.training.pieces_data import TableRenderer, make_style, table_tokens, token_set
from vision.training.token_pictures import Room
from vision.virtual.dataset import write_table
from vision.virtual.scene import TableStyle

#: Far from the seeds that are used to train: of tables with volumes, of others, and of such with volumes where houses
#: and hotels have other shapes and colors.
SEED, PLAIN_SEED, BUILT_SEED = 930_000, 940_000, 950_000
#: Share of pictures that each token is off the board.
ABSENT = 0.06


def write(folder: Path, seed: int, frames: int) -> None:
    """Writes one table: the empty board, a picture of each token on GO, and frames, the last with the camera moved."""
    has_cop = seed % 3 == 0
    if PLAIN_SEED <= seed < BUILT_SEED:
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
    )


def folders(where: Path, tables: int, frames: int, first: int = 0) -> Iterator[Path]:
    """The folders of that many tables from the first on, written where they are missing."""
    for index in range(first, first + tables):
        seed = (SEED if index % 2 else PLAIN_SEED) + index // 2
        folder = where / str(seed)
        if not (folder / "truth.json").is_file():
            write(folder, seed, frames)
        yield folder
