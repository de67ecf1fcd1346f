"""Scenes to frames: sprites over a cached background, then the camera's blur, noise and compression."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.artwork import Image, draw_board
from vision.virtual.background import draw_background, vignette
from vision.virtual.camera import Camera
from vision.virtual.dice_sprites import draw_die
from vision.virtual.everyday import solid_of
from vision.virtual.geometry import rotation_z
from vision.virtual.hand import draw_hand
from vision.virtual.scene import Die, Moment, Piece, Scene, TableStyle
from vision.virtual.sprite import Sprite, blend, cut, draw_solid, smear
from vision.virtual.surfaces import draw_surface

#: Sprites kept from earlier frames.
MOST_SPRITES = 400
#: Mugs are drawn that lie so far before the camera, along its line of sight, at least.
NEAR_M = 0.05
_NOISE_MARGIN = 64
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Drawn:
    """Where one thing came out in the picture.

    Attributes:
        box: px of the whole thing, cut to the picture.
        visible: share of its own area that nothing covers, 0-1.
    """

    box: Box
    visible: float


class Renderer:
    """Draws the scenes of one table as its camera sees them.

    Attributes:
        board: (TEXTURE_PX, TEXTURE_PX, 3) uint8, what is printed on the board, seen straight from above.
    """

    def __init__(self, style: TableStyle, camera: Camera | None = None) -> None:
        """Draws what never moves.

        Args:
            camera: in place of the style's own, when it was touched.
        """
        self.style = style
        self.camera = camera or style.camera
        rng = np.random.default_rng([style.seed, 5])
        self.board = draw_board(style.geometry, style.board, rng)
        surface = draw_surface(style.surface, rng)
        self._background = draw_background(self.board, surface, style.geometry, self.camera, style.light, style.papers)
        self._vignette = vignette(self.camera.size)
        self._sprites: dict[object, Sprite] = {}
        for mug in style.mugs:
            if not self._is_ahead(mug):
                continue
            sprite = self._sprite(mug)
            if sprite.shadow is not None:
                blend(self._background, sprite.shadow)
            blend(self._background, sprite.body)
        self._noise = self._draw_noise(rng)
        self._last: tuple[Scene, Image] | None = None

    def render(self, scene: Scene, moment: Moment | None = None) -> Image:
        """One frame: (h, w, 3) uint8 BGR, as decoded from the camera's JPEG stream."""
        return np.asarray(cv2.imdecode(self.render_jpeg(scene, moment), cv2.IMREAD_COLOR), np.uint8)

    def render_jpeg(self, scene: Scene, moment: Moment | None = None, quality: int | None = None) -> NDArray[np.uint8]:
        """One frame as the bytes of a JPEG file."""
        frame = self._expose(self.compose(scene), moment or Moment())
        ok, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality or self.style.jpeg_quality])
        assert ok, "OpenCV could not compress a frame"
        return np.asarray(data, np.uint8)

    def compose(self, scene: Scene) -> Image:
        """The scene before the camera's own faults; the result is shared, not to be written to."""
        if self._last is not None and self._last[0] == scene:
            return self._last[1]
        frame = self._background.copy()
        sprites = [self._sprite(thing) for thing in scene.things]
        for sprite in sprites:
            if sprite.shadow is not None:
                blend(frame, sprite.shadow)
        frame = self._shining(frame)
        for sprite in sorted(sprites, key=lambda sprite: -sprite.depth_m):
            blend(frame, sprite.body)
        for hand in scene.hands:
            layers = draw_hand(hand, self.camera, self.style.light)
            if layers is not None:
                blend(frame, layers[1])
                blend(frame, layers[0])
        self._last = (scene, frame)
        return frame

    def _shining(self, frame: Image) -> Image:
        """The ground with what it mirrors beside the sheen of its varnish: nothing here."""
        return frame

    def locate(self, scene: Scene) -> list[Drawn]:
        """Box and visible share of every piece, then every die, in the scene's order."""
        things = scene.things
        sprites = [self._sprite(thing) for thing in things]
        owner = np.full(self._background.shape[:2], -1, np.int32)
        for index in sorted(range(len(sprites)), key=lambda index: -sprites[index].depth_m):
            overlap = cut(sprites[index].body, owner.shape)
            if overlap is not None:
                rows, columns, own_rows, own_columns = overlap
                solid = sprites[index].body.alpha[own_rows, own_columns] > 0.5
                owner[rows, columns][solid] = index
        for hand in scene.hands:
            layers = draw_hand(hand, self.camera, self.style.light)
            overlap = cut(layers[0], owner.shape) if layers is not None else None
            if layers is not None and overlap is not None:
                rows, columns, own_rows, own_columns = overlap
                owner[rows, columns][layers[0].alpha[own_rows, own_columns] > 0.5] = -1
        width, height = self.camera.size
        drawn = []
        for index, sprite in enumerate(sprites):
            area = max(int((sprite.body.alpha > 0.5).sum()), 1)
            x0, y0, x1, y1 = sprite.box
            box = (max(x0, 0.0), max(y0, 0.0), min(x1, width - 1.0), min(y1, height - 1.0))
            drawn.append(Drawn(box, float((owner == index).sum()) / area))
        return drawn

    def _sprite(self, thing: Piece | Die) -> Sprite:
        sprite = self._sprites.get(thing)
        if sprite is None:
            if len(self._sprites) >= MOST_SPRITES:
                self._sprites.clear()
            sprite = self._sprites[thing] = self._draw(thing)
        return sprite

    def _is_ahead(self, piece: Piece) -> bool:
        """Whether all of it lies before the camera: one low down may stand among the mugs."""
        placed = solid_of(piece.kind).vertices @ rotation_z(piece.yaw).T + [piece.x, piece.y, piece.z]
        return bool(((placed - self.camera.eye) @ self.camera.rotation[2]).min() > NEAR_M)

    def _draw(self, thing: Piece | Die) -> Sprite:
        at = np.array([thing.x, thing.y, 0.0])
        x, y = np.round(self.camera.project(at[None])[0]).astype(int)
        height, width = self._vignette.shape
        shade = float(self._vignette[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)])
        on_board = max(abs(thing.x), abs(thing.y)) <= self.style.geometry.size_m / 2
        ground = 0.0 if on_board else -self.style.geometry.thickness_m
        if isinstance(thing, Die):
            sprite = draw_die(thing, self.style, self.camera, shade, ground)
        else:
            solid = solid_of(thing.kind)
            placed = solid.vertices @ rotation_z(thing.yaw).T + [thing.x, thing.y, thing.z + ground]
            sprite = draw_solid(solid, placed, self.camera, self.style.light, shade, ground)
        if thing.speed == (0.0, 0.0):
            return sprite
        moved = self.camera.project(np.stack([at, at + np.array([*thing.speed, 0.0])]))
        dx, dy = moved[1] - moved[0]
        return Sprite(smear(sprite.body, float(dx), float(dy)), sprite.shadow, sprite.depth_m, sprite.box)

    def _draw_noise(self, rng: np.random.Generator) -> tuple[Image, Image]:
        """Noise above and below zero, slightly blurred as webcams do."""
        height, width = self._background.shape[:2]
        shape = (height + _NOISE_MARGIN, width + _NOISE_MARGIN, 3)
        noise = cv2.GaussianBlur(rng.standard_normal(shape, np.float32), (3, 3), 0.6)
        noise = noise * np.float32(self.style.noise / float(noise.std()))
        return np.clip(noise, 0, 255).astype(np.uint8), np.clip(-noise, 0, 255).astype(np.uint8)

    def _expose(self, frame: Image, moment: Moment) -> Image:
        sigma = float(np.hypot(self.style.softness_px, moment.blur_px))
        out = cv2.GaussianBlur(frame, (0, 0), sigma)
        if moment.shake_px != (0.0, 0.0):
            out = cv2.filter2D(out, -1, _line_kernel(*moment.shake_px))
        if self.style.sharpening:
            amount = self.style.sharpening
            out = cv2.addWeighted(out, 1 + amount, cv2.GaussianBlur(out, (5, 5), 1.2), -amount, 0)
        if moment.gain != (1.0, 1.0, 1.0):
            levels = np.arange(256, dtype=np.float32)[:, None] * np.array(moment.gain, np.float32)
            out = cv2.LUT(out, np.clip(levels, 0, 255).astype(np.uint8)[None])
        offset_y, offset_x = np.random.default_rng(moment.noise_seed).integers(0, _NOISE_MARGIN, 2)
        height, width = frame.shape[:2]
        window = np.s_[offset_y : offset_y + height, offset_x : offset_x + width]
        return np.asarray(cv2.subtract(cv2.add(out, self._noise[0][window]), self._noise[1][window]), np.uint8)


def _line_kernel(dx: float, dy: float) -> NDArray[np.float32]:
    reach = int(np.ceil(max(abs(dx), abs(dy)) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    ends = [
        tuple(np.round((np.array([reach, reach]) + s * np.array([dx, dy]) / 2) * 16).astype(int).tolist())
        for s in (-1, 1)
    ]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)
