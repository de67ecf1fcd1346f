"""Makes rendered bands look like photographs: an older picture of the empty board, sculpted metal, papers on spaces.

Pictures are (h, w, 3) float32, 0-255. What is done to the empty board is what remains once it was put into the light
of the picture (`board/light.py`): colors of print that went their own way, glare in one of both pictures, paper that
bulges, sharpening by the camera.
"""

import cv2
import numpy as np

from vision.board.foreground import match_colors, recolor

#: Share of bands that are shown as they were rendered; and rows of a band in which streets are told to be hidden.
PLAIN, SPACES = 0.4, 30
#: Share of pictures that cameras keep as they are; they give others more or less contrast in the dark, and color.
_NEUTRAL, _CURVES, _VIVID = 0.6, 0.3, (0.7, 1.6)
#: Side of the grid on which fields that vary slowly are drawn by chance.
_GRID = (3, 6)


def older(before, rng):
    """The empty board as an older photograph shows it."""
    before = _faded(before, rng)
    if rng.random() < 0.5:
        before = veiled(before, rng)
    return _bulging(before, rng, float(rng.choice([0.4, 0.9], p=[0.6, 0.4])))


def _faded(picture, rng):
    """Some colors of the print, each a little otherwise."""
    away = np.zeros_like(picture)
    for _ in range(int(rng.integers(1, 6))):
        row, column = (int(rng.integers(length)) for length in picture.shape[:2])
        near = ((picture - picture[row, column]) ** 2).sum(2) / (2 * 35.0**2)
        away += np.exp(-near)[..., None] * rng.normal(0, 11, 3).astype(np.float32)
    return picture + away


def veiled(picture, rng):
    """With glare over part of it: white is mixed in, most in one place."""
    rows, columns = np.meshgrid(*(np.linspace(0, 1, length) for length in picture.shape[:2]), indexing="ij")
    down, across = rng.uniform(0.15, 0.8, 2)
    far = ((rows - rng.uniform(-0.2, 1.2)) / down) ** 2 + ((columns - rng.uniform(-0.1, 1.1)) / across) ** 2
    share = (rng.uniform(0.05, 0.35) * np.exp(-far)).astype(np.float32)[..., None]
    return picture * (1 - share) + np.float32(rng.uniform(190, 250)) * share


def _bulging(picture, rng, far):
    """Every place moved by a way that varies slowly, px."""
    height, width = picture.shape[:2]
    ways = rng.normal(0, far, (*_GRID, 2)).astype(np.float32)
    fine = cv2.resize(ways, (width, height), interpolation=cv2.INTER_CUBIC)
    columns, rows = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    return cv2.remap(
        picture, columns + fine[..., 0], rows + fine[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def recorded(picture, rng):
    """As a cheap camera keeps it: blurred, sharpened with halos, and compressed."""
    soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.5, 1.5)))
    wide = cv2.GaussianBlur(soft, (0, 0), float(rng.uniform(0.8, 2.0)))
    sharp = np.clip(soft + np.float32(rng.uniform(0, 2.2)) * (soft - wide), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", sharp, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))])
    return cv2.imdecode(data, cv2.IMREAD_COLOR).astype(np.float32)


def toned(picture, curve, vivid):
    """As a camera makes it more pleasing: by a power of brightness, and farther from gray."""
    bright = 255 * (np.clip(picture, 0, 255) / np.float32(255)) ** np.float32(curve)
    gray = bright.mean(-1, keepdims=True)
    return np.clip(gray + np.float32(vivid) * (bright - gray), 0, 255).astype(np.float32)


def sculpted(now, before, feet, rng):
    """Tokens with their feet there (n, 2), px, as if of metal with relief: gray, with small lights and darks."""
    differs = cv2.GaussianBlur(np.abs(now - before).max(2), (0, 0), 0.8)
    rows, columns = np.meshgrid(*(np.arange(length) for length in now.shape[:2]), indexing="ij")
    for column, row in feet:
        far = (rows - row) ** 2 + (columns - column) ** 2
        where = ((differs > 25) & (far < 17**2)).astype(np.float32)
        where = cv2.GaussianBlur(where, (0, 0), 0.7)[..., None]
        relief = cv2.GaussianBlur(rng.standard_normal(now.shape[:2]).astype(np.float32), (0, 0), rng.uniform(0.9, 1.8))
        relief *= rng.uniform(15, 55) / max(float(relief.std()), 1e-6)
        gray = now.mean(2) * rng.uniform(0.3, 1.0) + rng.uniform(0, 110)
        metal = (gray + relief)[..., None] * np.exp(rng.normal(0, 0.03, 3))
        now = now * (1 - where) + np.clip(metal, 0, 255).astype(np.float32) * where
    return now


def papered(now, print_bgr, rng):
    """A note or card that lies over part of the spaces: (picture, (h, w) where it lies).

    Args:
        print_bgr: (h, w, 3) what is printed on it, from any board.
    """
    height, width = now.shape[:2]
    middle = (float(rng.uniform(0, width)), float(rng.uniform(-25, 45)))
    size = (float(rng.uniform(60, 110)), float(rng.uniform(35, 65)))
    corners = cv2.boxPoints((middle, size, float(rng.uniform(0, 180)))).astype(np.int32)
    where = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(where, corners, 255)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), float(rng.uniform(0.6, 1.6)))
    marks = cv2.warpAffine(print_bgr, turn, (width, height), borderMode=cv2.BORDER_REFLECT)
    light = rng.uniform(110, 250) * np.exp(rng.normal(0, 0.12, 3))
    paper = np.clip(light + (marks - marks.mean((0, 1))) * rng.uniform(0, 0.9), 0, 255).astype(np.float32)
    shadow = cv2.GaussianBlur(where, (0, 0), 2.5).astype(np.float32)[..., None] / 255
    soft = cv2.GaussianBlur(where, (0, 0), 0.6).astype(np.float32)[..., None] / 255
    under = now * (1 - np.float32(rng.uniform(0, 0.4)) * shadow)
    return under * (1 - soft) + paper * soft, where > 0


def photographed(made, rng):
    """Bands of a rendered table, each over the empty board's in its light; `PLAIN` of them as they are, others as on
    real tables.

    Args:
        made: `reference` (4, h, w, 3) bands of the empty board, `bands` (frames, 4, h, w, 3) and `lean` (frames, 4, 2,
            rows, columns) of every eighth px; `labels` (n, 6) [frame, side, class, column, row, share that is seen].

    Returns:
        `now`, `before` (n, h, w, 3) uint8 and `lean` of each band, n = 4 * frames; `level` (n,) the empty board's mean;
        `labels` [class, column, row, share that is seen, share that papers hide] of the pieces of each; and `covered`
        (n, w) share of the rows of spaces that papers hide.
    """
    reference, wide = made["reference"], made["reference"].shape[2]
    out = {"now": [], "before": [], "level": [], "labels": [], "covered": []}
    labels = made["labels"].reshape(-1, 6)
    for number, frame in enumerate(made["bands"]):
        colors = match_colors(reference.reshape(-1, wide, 3), frame.reshape(-1, wide, 3))
        tone = (1.0, 1.0)
        if rng.random() >= _NEUTRAL:
            tone = (float(np.exp(rng.normal(0, _CURVES))), float(rng.uniform(*_VIVID)))
        level = toned(recolor(reference.reshape(-1, wide, 3), colors), *tone).mean()
        for side in range(4):
            own = labels[(labels[:, 0] == number) & (labels[:, 1] == side), 2:]
            jitter = colors.copy()
            jitter[:, :3] *= np.exp(rng.normal(0, 0.03, (3, 1)))
            now, before = toned(frame[side], *tone), toned(recolor(reference[side], jitter), *tone)
            hidden = np.zeros(now.shape[:2], bool)
            if rng.random() >= PLAIN:
                feet = own[(own[:, 0] == 0) & (own[:, 3] > 0.4), 1:3]
                now, before, hidden = _on_a_real_table(now, before, feet, reference, rng)
            shares = [_share_about(hidden, column, row) for _, column, row, _ in own]
            out["now"].append(np.clip(np.rint(now), 0, 255).astype(np.uint8))
            out["before"].append(np.clip(np.rint(before), 0, 255).astype(np.uint8))
            out["level"].append(level)
            out["labels"].append(np.column_stack([own, shares]).reshape(-1, 5))
            out["covered"].append(hidden[:SPACES].mean(0))
    lean = made["lean"].reshape(-1, *made["lean"].shape[2:])
    return {"lean": lean, "strip": made["strip"], "labels": out.pop("labels")} | {
        key: np.array(value) for key, value in out.items()
    }


def _on_a_real_table(now, before, feet, prints, rng):
    """Both pictures, and where papers hide what was there.

    Args:
        feet: (n, 2) of tokens, px; `prints`: (4, h, w, 3) what may be printed on papers.
    """
    hidden = np.zeros(now.shape[:2], bool)
    if rng.random() < 0.25:
        now = sculpted(now, before, feet[rng.random(len(feet)) < 0.7], rng)
    if rng.random() < 0.3:
        marks = prints[int(rng.integers(4)), ::-1] if rng.random() < 0.5 else prints[int(rng.integers(4)), :, ::-1]
        now, hidden = papered(now, np.ascontiguousarray(marks, np.float32), rng)
    if rng.random() < 0.3:
        before = older(before, rng)
    if rng.random() < 0.1:
        now = veiled(now, rng)
    if rng.random() < 0.25:
        now = recorded(now, rng)
    if rng.random() < 0.1:
        before = recorded(before, rng)
    return now, before, hidden


def _share_about(hidden, column, row):
    """Share of a piece with its foot there that is hidden."""
    left, top = max(int(column) - 7, 0), max(int(row) - 10, 0)
    about = hidden[top : max(int(row) + 5, 1), left : max(int(column) + 8, 1)]
    return float(about.mean()) if about.size else 0.0
