"""Frames in, observations out: the board, dice, tokens, buildings and markers in a picture.

`reader.py` reads one picture of a table, with what `board` (where it lies, and its print in this light), `pieces`
(what stands on it) and `dice` see in it; `live` follows a game over many pictures, which `sources` bring. `virtual`
renders tables, and `training` learns from these what `models` holds.
"""
