"""Data for the network that reads the numerals of d20 and d4."""

import numpy as np

from vision.dice.crops import NUMERAL_SPAN, NUMERALS, crop
from vision.training.tables import KINDS

#: Side of the rendered pictures; they hold one or two dice.
SIDE = 144
_SEEN = 0.8
#: Nobody reads numerals on dice smaller than this, px.
_LEAST = {"d20": 15.0, "d4": 16.0}
#: Share of the crops that are turned upright.
_UPRIGHT = 0.75
Rows = np.ndarray


def legible(rows: Rows, image: np.ndarray) -> Rows:
    """The rows of numbered dice that can be read, with their upper faces whole in the picture."""
    least = np.array([_LEAST.get(kind, np.inf) for kind in KINDS])[rows[:, 0].astype(int)]
    room = np.minimum(rows[:, 2:4], image.shape[1::-1] - rows[:, 2:4]).min(axis=1)
    is_whole = (rows[:, 5] > _SEEN) & (room > 0.4 * rows[:, 4])
    return rows[(rows[:, 0] >= 0) & (rows[:, 4] > least) & is_whole & (rows[:, 6] == 0)]


def sample(image: np.ndarray, rows: Rows, rng: np.random.Generator) -> tuple[np.ndarray, int] | None:
    """(crop, index in `NUMERALS`) of one die; None where nothing fits."""
    fit = legible(rows, image)
    if not len(fit):
        return None
    kind, value, x, y, edge, _, _, lean = fit[int(rng.integers(len(fit)))]
    name = KINDS[int(kind)]
    # The reader's places of numbered dice are that far off.
    place = (x + float(rng.normal(0, 0.12)) * edge, y + float(rng.normal(0, 0.12)) * edge)
    span = edge * NUMERAL_SPAN[name] * float(np.exp(rng.normal(0, 0.12)))
    # Mostly upright, as where the camera's view is known; numerals lie in any direction anyway.
    angle = float(lean + rng.normal(0, 0.2) if rng.random() < _UPRIGHT else rng.uniform(0, 2 * np.pi))
    return crop(image, place, span, angle), NUMERALS.index((name, int(value)))
