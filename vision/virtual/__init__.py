"""The virtual table: rendered camera frames of a board on which hands throw dice and move tokens.

Everything is drawn here, from the board's artwork to the camera's noise; nothing is a photograph.
Lengths are meters in the board's frame: origin at the board's center on its top face, z up; seen
from above with GO at the lower right, x is right and y up.
"""
