"""Frames in, observations out: the board, dice, tokens, buildings and markers in a picture."""
