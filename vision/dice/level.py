"""Which way is up before a camera that nobody calibrated: as most dice lie flat, they tell."""

import numpy as np
from numpy.typing import NDArray

from vision.board.view import usual_focal
from vision.dice.evidence import ALONE, slant_evidence

Floats = NDArray[np.float64]

#: Ways up that are thought of, so many degrees apart: what stands upright is seen from above, mostly from straight
#: ahead. `_ROLL` is by how many radians a hand or a stand holds a camera askew, and `_STEEP` from how near to straight
#: above any side may be up. What is beyond straight above by `_BEYOND` or more is rarer the farther, by `_SPREAD`.
_STEP, _LOWEST, _ROLL, _STEEP, _BEYOND, _SPREAD = 3, 75, 0.2, 0.25, 0.2, 0.1
#: How likely lenses are that see less than usual ones, by the factor of their focal lengths: cameras zoom, and pictures
#: are cut out.
_ZOOMS = {1.0: 0.8, 3.0: 0.2}
#: Of what was kept of a throw so much is left when the next one is: the camera may be moved.
_LEFT = 0.9


def _ways_up() -> tuple[Floats, Floats]:
    """(n, 3) unit vectors in the camera's axes (right, down, forward), and (n,) how likely each is, as logs."""
    steps = np.radians(np.arange(-_LOWEST, _LOWEST + 1, _STEP))
    right, up = (grid.ravel() for grid in np.meshgrid(steps, steps))
    away = np.hypot(right, up)
    right, up, away = (part[away < np.radians(_LOWEST)] for part in (right, up, away))
    level = np.column_stack([right, -up]) * np.sinc(away / np.pi)[:, None]
    askew = right / (_ROLL * np.maximum(np.abs(up), _STEEP) + np.radians(_STEP))
    below = np.maximum(-up - _BEYOND, 0) / _SPREAD
    return np.column_stack([level, -np.cos(away)]), -0.5 * (askew**2 + below**2)


_UP, _USUAL = _ways_up()
#: (zooms, n) as logs.
_FIRST = np.log(list(_ZOOMS.values()))[:, None] + _USUAL


class Level:
    """What is thought of which way is up, and of the lens, picture by picture."""

    def __init__(self) -> None:
        self._kept = self._latest = _FIRST

    def cocked(self, said: NDArray[np.floating], px: Floats, size: tuple[int, int]) -> Floats:
        """(n,) probability that each d6 of a picture lies cocked.

        Args:
            said: (n, 5) of each, see `slant_evidence`, in crops that are not turned.
            px: (n, 2) where they lie.
            size: (width, height) of the picture.
        """
        off = (px - (np.array(size) - 1) / 2) / usual_focal(size)
        flat = np.stack([slants(_UP, rays_of(off / zoom)) for zoom in _ZOOMS], axis=1)
        odds = slant_evidence(said[:, None, None], flat) @ np.array(ALONE.cocked)
        self._latest = self._kept + np.logaddexp(0, -odds).sum(axis=0)
        shares = np.exp(self._latest - self._latest.max())
        return np.asarray((shares / (1 + np.exp(-odds))).sum(axis=(1, 2)) / shares.sum())

    def keep(self) -> None:
        """What the latest picture told holds for the next ones: once a throw, as those of one share their faults."""
        self._kept = _FIRST + _LEFT * (self._latest - _FIRST)


def rays_of(off: Floats) -> Floats:
    """(d, 3) unit vectors in the camera's axes towards what is seen (d, 2) focal lengths off the middle."""
    rays = np.column_stack([off, np.ones(len(off))])
    return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))


def slants(up: Floats, rays: Floats) -> Floats:
    """(d, n, 2) radians to the right and up by which level faces are turned away from the eye.

    Args:
        up: (n, 3) unit vectors that are up, in the camera's axes.
        rays: (d, 3) unit vectors towards what is seen.
    """
    towards = -rays @ up.T
    across = up + towards[..., None] * rays[:, None]
    seen = across[..., :2] - across[..., 2:] * (rays[:, None, :2] / rays[:, None, 2:])
    length = np.maximum(np.linalg.norm(seen, axis=-1), 1e-9)
    return seen * np.array([1, -1]) * (np.arccos(np.clip(towards, -1, 1)) / length)[..., None]
