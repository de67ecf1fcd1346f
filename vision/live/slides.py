"""Throws in pictures that are moments apart, as in a stop-motion clip: each throw is seen two or three times."""

from collections.abc import Sequence
from dataclasses import dataclass

from vision.detections import DieReading
from vision.live.throws import LEAST_DETECTION, SAME_PLACE, Look, Place, Throw, ThrowWatch, TrackedDie

#: A hand of dice where nobody says how many are thrown.
USUAL_DICE = 2
#: A face below this probability was not what the die showed.
LIKELY = 0.03


@dataclass
class SlideThrowWatch(ThrowWatch):
    """Dice count once two pictures show one of them in the same place, as tumbling dice never do.

    There will be no better picture, so what two pictures showed is reported as it is. A die that one
    of them overlooked counts too, as long as there are not enough others.
    """

    most_pictures: int = 2

    def next_picture(self, dice: list[DieReading], places: list[Place]) -> None:
        """Dice of which the next picture shows none as it lay were still tumbling, or have been thrown since."""
        if not places or not self._scene:
            return
        if not any(_is_same(die, *seen) for die in self._scene for seen in zip(dice, places, strict=True)):
            self.new_scene()
            self.lying = ()
            self.was_away = True

    def feed(
        self,
        dice: list[DieReading],
        places: list[Place],
        is_last: bool = False,
        looks: list[Look] | None = None,
        put_down: Sequence[bool] | None = None,
    ) -> Throw | None:
        if not dice:
            return None
        return super().feed(dice, places, is_last)

    def _solid(self) -> list[TrackedDie]:
        dice = [die for die in self._scene if die.detection >= LEAST_DETECTION]
        settled = [die for die in dice if die.pictures > 1]
        if not settled:
            return []
        missing = (self.wanted or USUAL_DICE) - len(settled)
        once = sorted((die for die in dice if die.pictures == 1), key=lambda die: -die.detection * die.confidence)
        return settled + once[: max(missing, 0)]


def _is_same(die: TrackedDie, seen: DieReading, place: Place) -> bool:
    """It lies where it lay, and may show what it showed."""
    x, y = die.place
    if (x - place[0]) ** 2 + (y - place[1]) ** 2 >= SAME_PLACE**2:
        return False
    return die.faces.get(seen.value, 0.0) >= LIKELY or seen.faces.get(die.value, 0.0) >= LIKELY
