"""What training and reading share: scales, classes, and the crop around an upper face."""

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels import split

#: The finder looks at every fourth px and measures edges against this many px.
STRIDE = 4
FINDER_EDGE = 20.0
#: The reader sees the upper face this large, in the middle of a square of `CROP` px.
CROP = 64
CROP_EDGE = 26.0
#: Level (0-255) that is nothing to the networks, and how far from it is 1.
GRAY, SPREAD = 128, 64
#: What is seen against the empty table: blue, green, red, by how much each differs, and the view; see `shown`.
CHANNELS = 7
#: What a crop may show; the first is no die, a side face, or one that cannot be read.
CLASSES = ("none", "d6:1", "d6:2", "d6:3", "d6:4", "d6:5", "d6:6", "d4", "d8", "d20")

#: What the numeral network tells apart, and how much it is shown of them, against a d6 of their size.
NUMERALS = (*(("d20", value) for value in range(1, 21)), *(("d4", value) for value in range(1, 5)))
NUMERAL_SPAN = {"d20": 0.72, "d4": 0.55}


#: To tell whether a d6 lies cocked, so much is shown of it, against what the reader sees, and all planes but the view.
COCKED_SPAN, COCKED_CHANNELS = 1.2, CHANNELS - 1

#: Numerals of these lie on a level face: they are shown as seen from straight above.
LEVEL = ("d20",)


def cells(output: NDArray[np.float32]) -> NDArray[np.float32]:
    """(4, h, w) numbers of the finder for each of its cells, from (16, h / 2, w / 2) as it says them."""
    _, height, width = output.shape
    return output.reshape(4, 2, 2, height, width).transpose(0, 3, 1, 4, 2).reshape(4, 2 * height, 2 * width)


def frame(edge_px: float, angle: float, squash: float = 1.0) -> NDArray[np.float64]:
    """(2, 2) from steps across and down a crop, in edges, to px: turned by `angle`, level planes seen from above.

    Args:
        edge_px: root of the area of a square on a level plane.
        squash: by how much level planes look foreshortened, up and down the crop.
    """
    c, s = (edge_px / math.sqrt(squash) * turn for turn in (math.cos(angle), math.sin(angle)))
    return np.array([[c, -s * squash], [s, c * squash]])


def slant_of(lean: NDArray[np.float64], squash: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., 2) by how many radians, to the right and up, what is level is turned away from the eye where things lean so
    and level planes look so foreshortened."""
    away = np.arccos(np.minimum(squash, 1))
    return np.stack([away * np.sin(lean), away * np.cos(lean)], axis=-1)


def stance_of(slant: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., 2) lean and squash of a slant (..., 2), see `slant_of`."""
    right, up = slant[..., 0], slant[..., 1]
    return np.stack([np.arctan2(right, up), np.cos(np.hypot(right, up))], axis=-1)


def crop(
    image: NDArray[np.uint8],
    center_px: tuple[float, float],
    edge_px: float,
    angle: float = 0.0,
    squash: float = 1.0,
) -> NDArray[np.uint8]:
    """(CROP, CROP, 3) around a center, scaled so that `edge_px` becomes `CROP_EDGE`; see `frame`."""
    step = edge_px / CROP_EDGE
    half = (CROP - 1) / 2
    x, y = center_px
    if step > 1.6:
        # Average first: sampling alone would drop px. Only what is needed is scaled.
        reach = int(np.ceil(edge_px / CROP_EDGE * CROP * 0.75)) + 2
        x0, y0 = max(int(x) - reach, 0), max(int(y) - reach, 0)
        part = image[y0 : int(y) + reach, x0 : int(x) + reach]
        if part.size == 0:
            return np.zeros((CROP, CROP, 3), np.uint8)
        width, height = max(round(part.shape[1] / step), 1), max(round(part.shape[0] / step), 1)
        fx, fy = width / part.shape[1], height / part.shape[0]
        image = np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        x, y = (x - x0 + 0.5) * fx - 0.5, (y - y0 + 0.5) * fy - 0.5
        step = 1.0
    (xx, xy), (yx, yy) = frame(step, angle, squash).tolist()
    matrix = np.array([[xx, xy, x - (xx + xy) * half], [yx, yy, y - (yx + yy) * half]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(image, matrix, (CROP, CROP), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)


def crop_before(
    before: NDArray[np.uint8],
    center_px: tuple[float, float],
    edge_px: float,
    angle: float = 0.0,
    squash: float = 1.0,
) -> NDArray[np.uint8]:
    """The same crop of a picture half as large; center and edge are those in the large one."""
    x, y = center_px
    return crop(before, ((x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5), edge_px / 2, angle, squash)


def planes(picture: NDArray[Any], out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """(3, h, w) as the networks see (h, w, 3) BGR 0-255."""
    seen: Any = np.empty((3, *picture.shape[:2]), np.float32) if out is None else out
    for plane, target in zip(split(picture), seen, strict=True):
        # Twice as fast as `cv2.dnn.blobFromImage`, and the same.
        cv2.addWeighted(plane, 1 / SPREAD, plane, 0, -GRAY / SPREAD, dst=target, dtype=cv2.CV_32F)
    return np.asarray(seen, np.float32)


def shown(now: NDArray[Any], then: NDArray[Any], squash: float | NDArray[np.floating]) -> NDArray[np.float32]:
    """(CHANNELS, h, w) what is shown against the empty table: a picture, by how much it differs, and the view.

    Args:
        now: (h, w, 3) BGR 0-255.
        then: the same place without dice.
        squash: by how much level planes look foreshortened, 1 from straight above; for all, or each row or px.
    """
    seen = np.empty((CHANNELS, *now.shape[:2]), np.float32)
    np.subtract(planes(now, seen[:3]), planes(then), out=seen[3:6])
    seen[6] = squash
    return seen
