"""What light that moves makes of a picture: leaves before the sun, a fan, a candle, a screen, who leans over the table.

It makes all that is near each other brighter or darker by the same share, and tints it alike, while what moves covers
what was there.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

#: Side of the square about each thumbnail px in which light changes about alike: 40 px of 1280.
SIDE = 5
#: It does not quite: each px may change by this share of what the light about it did besides.
ALLOWED = 0.3
#: How far no light at all is below a camera's darkest level.
BLACK = 8.0


def without_shade(changes: Floats, planes: Floats) -> Floats:
    """(3, h, w) how much of the changes to a thumbnail no change of the light explains, 0 and more.

    Args:
        changes: (3, h, w) by how much each px became brighter, redder and bluer.
        planes: (3, h, w) brightness and colors since.
    """
    before = planes - changes
    lit = before[0] + BLACK
    power = cv2.blur(lit * lit, (SIDE, SIDE))

    def lit_more(changed: Floats) -> Floats:
        """(h, w) by what share of the light about each px this changed, by least squares."""
        return np.asarray(cv2.blur(changed * lit, (SIDE, SIDE)) / power, np.float32)

    gain = lit_more(changes[0])
    left = changes - gain * before
    left[0] -= gain * BLACK
    for plane in left[1:]:
        plane -= lit_more(plane) * lit
    # Where light changes otherwise than about it, nothing is taken for more than it was.
    left = np.minimum(np.abs(changes), np.abs(left))
    return np.asarray(np.maximum(left - ALLOWED * np.abs(gain) * lit, 0), np.float32)
