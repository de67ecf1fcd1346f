"""The frames of a table at rest, laid upon each other: a camera's noise falls as the root of their number.

In the dark that is what keeps dice from being read: of 168 pictures of 12 rendered tables (light 0.16 of usual, noise
of 8 levels) dice and tokens are both right in 98, and in 159 where four frames each show the table, the empty board and
the tokens on GO.
"""

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.gate import Gate, Points, Scene
from vision.sources.base import FrameBgr, Shot, decoded

#: So many frames are enough; what moves too little for the gate is never blurred for long.
MOST_FRAMES = 4
#: Frames between which the camera swayed by more, thumbnail px, are not laid upon each other. (While it shakes by 2 px
#: of 1280 six times a second, dice are right in 84 of 120 means of four frames of 24 rendered tables, and in all 120
#: single frames; while it sways by as much in 0.7 s, in 119 of both.)
MOST_SWAY = 0.12


class Stills:
    """Fed with every frame, in order of time."""

    def __init__(self) -> None:
        self._gate = Gate()
        self._recent: deque[Shot] = deque(maxlen=MOST_FRAMES)
        self._picture: FrameBgr | None = None

    def feed(self, shot: Shot, t_ns: int) -> Scene:
        """Judges the newest frame as the gate does."""
        scene = self._gate.feed(shot, t_ns)
        if scene.still_s == 0 or scene.sway > MOST_SWAY:
            self._recent.clear()
        self._recent.append(shot)
        self._picture = None
        return scene

    def attend(self, corners_px: Points) -> None:
        """Where the board is in its picture, see `Gate.attend`."""
        self._gate.attend(corners_px, self.picture().shape)

    def are_held(self, boxes_px: Points) -> NDArray[np.bool_]:
        """Which of these dice in its picture lie in a hand, see `Gate.are_held`."""
        return self._gate.are_held(boxes_px, self.picture().shape)

    def are_put_down(self, boxes_px: Points) -> NDArray[np.bool_]:
        """Which of these dice in its picture a hand has put down, see `Gate.are_put_down`."""
        return self._gate.are_put_down(boxes_px, self.picture().shape)

    @property
    def is_attending(self) -> bool:
        """Whether it is known where the board is."""
        return self._gate.is_attending

    def attend_everywhere(self) -> None:
        """It is not known any more where the board is."""
        self._gate.attend_everywhere()

    def picture(self) -> FrameBgr:
        """The mean of the newest frames since anything moved; the very newest while something does.

        Raises:
            ValueError: before the first frame.
        """
        if self._picture is None:
            frames = [decoded(shot) for shot in self._recent]
            mean, *further = (frame for frame in frames if frame.shape == frames[-1].shape)
            for count, frame in enumerate(further, 1):
                mean = np.asarray(cv2.addWeighted(mean, count / (count + 1), frame, 1 / (count + 1), 0), np.uint8)
            self._picture = mean
        return self._picture
