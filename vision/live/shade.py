"""What light that moves makes of a picture: leaves before the sun, a fan, a candle, a screen, who leans over the table.

It makes all that is near each other brighter or darker by the same share, and tints it alike, while what moves covers
what was there.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

#: Side of the square about each thumbnail px in which light changes about alike, 40 px of 1280, and the share of that
#: change by which each px may change besides, for it does not quite. (Where leaves take up to 60% of the light, 93% of
#: 1249 frames of four rendered tables at rest count as motion, 71% by the squares alone, 51% by both. By a share of 0.6
#: it would be 36%, and a hand over a plain table goes unseen.)
SIDE, ALLOWED = 5, 0.3
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
