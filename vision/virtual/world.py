"""The virtual table in motion: hands that throw dice, carry tokens and build, one gesture after the other."""

from collections import deque
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from companion.observations import DieKind
from vision.virtual.hand import HandPose
from vision.virtual.idle_hands import seat_angle
from vision.virtual.scene import Die, Moment, Scene, TableStyle
from vision.virtual.setting import Setting, nudge, set_out

Point = tuple[float, float]

#: A hand that is this far from the board's center is out of the picture.
AWAY_M = 0.9
REACH_S, CARRY_S, SHAKE_S, FLIGHT_S = 0.5, 0.6, 0.7, 0.8
#: Dice that nobody is seen to throw come from so far from the board's middle.
THROWN_FROM_M = 0.32
#: A hand that throws is gone after this share of the flight.
_WITHDRAWN = 0.7
#: Number of the phase of a throw in which the dice are in a hand, out of sight unless it is open.
SHAKE = 3
#: An open hand shakes dice so far from the board's middle, moves and keeps still for so long in turns, and moves so
#: far, so often in a second; each die shows so far before its fingers and from its middle.
SHOWN_M, KEEPS_S, SHAKEN_M, SHAKEN_HZ = 0.32, 0.6, (0.02, 0.015), 1.5
_SHOWS_AT = (0.012, 0.01)
#: Exposure of a frame, for motion blur.
EXPOSURE_S = 1 / 40


class Command(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that somebody at the virtual table does.

    Attributes:
        do: `throw` (dice, and their kinds when not all are d6), `move` (token, to, in_jail), `take` (token off the
            board), `build` (to, houses, hotel), `mark` (to, markers), `pass_over` (an arm crosses the board),
            `nudge` (an arm brushes a die), `hand_on` (the dice are put down elsewhere, these faces up).
        seat: which side of the table the arm comes from, 0-7.
    """

    do: str
    seat: int = 0
    dice: tuple[int, ...] = ()
    kinds: tuple[DieKind, ...] = ()
    token: str = ""
    to: int = 0
    in_jail: bool = False
    houses: int = 0
    hotel: bool = False
    markers: tuple[str, ...] = ()
    id: int = 0


@dataclass
class Gesture:
    """One command being carried out.

    Attributes:
        phases: lengths in seconds of reaching in, acting, and drawing back (a throw: shaking, reaching, flying).
    """

    command: Command
    phases: tuple[float, ...]
    grip: Point
    target: Point
    old_dice: tuple[Die, ...] = ()
    new_dice: tuple[Die, ...] = ()

    @property
    def duration_s(self) -> float:
        return sum(self.phases)


class World:
    """A setting that changes by gestures; time is given from outside.

    Attributes:
        done: ids of the commands that have been carried out.
        has_hand: a hand is over the table in the scene that was asked for last.
        thrown_m: so far from where dice come to rest a hand is seen to let them go; None for out of sight.
    """

    def __init__(
        self,
        style: TableStyle,
        seed: int,
        rest_s: tuple[float, float] = (0.9, 1.6),
        shake_s: float = SHAKE_S,
        is_open_handed: bool = False,
        thrown_m: float | None = None,
    ) -> None:
        """An empty board.

        Args:
            rest_s: shortest and longest pause after each gesture.
            shake_s: for how long dice are shaken.
            is_open_handed: dice are shaken in sight, beside the board, by a hand that keeps still now and then.
            thrown_m: so far from where dice come to rest a hand is seen to let them go; None for out of sight.
        """
        self.style = style
        self.rng = np.random.default_rng([seed, 23])
        self.setting = Setting(style, self.rng, has_decks=style.has_decks)
        self.done: set[int] = set()
        self.has_hand = False
        self._queue: deque[Command] = deque()
        self._gesture: Gesture | None = None
        self._start_s = 0.0
        self._rest_until_s = 0.0
        self._rest_s, self._shake_s = rest_s, shake_s
        self._is_open_handed, self.thrown_m = is_open_handed, thrown_m
        self._gain = np.ones(3)
        self._frames = 0

    @property
    def is_busy(self) -> bool:
        """A gesture is under way or waits its turn."""
        return self._gesture is not None or bool(self._queue)

    def do(self, command: Command) -> None:
        """Adds a command to those that wait."""
        self._queue.append(command)

    def set_up(self) -> None:
        """All tokens on GO."""
        self.setting.tokens.update(set_out(self.style, self.rng))

    def begin(self, now_s: float) -> Gesture | None:
        """Starts the next gesture when one waits and the table has rested; returns the one under way."""
        if self._gesture is None and self._queue and now_s >= self._rest_until_s:
            self._gesture = self._prepare(self._queue.popleft())
            self._start_s = now_s
        return self._gesture

    def scene_at(self, now_s: float) -> Scene:
        """The table at this time; finishes the gesture whose time is up."""
        scene = self._scene_at(now_s)
        self.has_hand = bool(scene.hands)
        return scene

    def _scene_at(self, now_s: float) -> Scene:
        gesture = self.begin(now_s)
        if gesture is None:
            return self.setting.scene()
        elapsed = now_s - self._start_s
        if elapsed >= gesture.duration_s:
            self._finish(gesture, now_s)
            return self.setting.scene()
        return self._during(gesture, elapsed)

    def moment(self) -> Moment:
        """How the next frame is taken: exposure and white balance wander slowly, the noise is new."""
        self._frames += 1
        drift = self.style.drift
        self._gain += 0.02 * (1 - self._gain) + self.rng.normal(0, drift * 0.1) + self.rng.normal(0, drift * 0.03, 3)
        gain = np.clip(self._gain, 1 - 3 * drift, 1 + 3 * drift)
        return Moment((float(gain[0]), float(gain[1]), float(gain[2])), noise_seed=self._frames)

    def _prepare(self, command: Command) -> Gesture:
        setting = self.setting
        if command.do == "throw":
            old, setting_dice = setting.dice, setting.throw(command.dice, command.kinds)
            grip = _center(old) if old else self._seat_point(command.seat, 0.25)
            reach = REACH_S if old else 0.0
            aim = 0.0 if self.thrown_m is None else REACH_S
            phases = (reach, 0.15, REACH_S if old else 0.0, self._shake_s, aim, FLIGHT_S)
            return Gesture(command, phases, grip, _center(setting_dice), old, setting_dice)
        if command.do in ("move", "take"):
            piece = setting.tokens.get(command.token)
            if command.do == "take":
                target = self._seat_point(command.seat, AWAY_M)
            else:
                target = setting.spot_on(command.to, command.in_jail, command.token)
            grip = (piece.x, piece.y) if piece is not None else self._seat_point(command.seat, 0.4)
            far = float(np.hypot(target[0] - grip[0], target[1] - grip[1]))
            return Gesture(command, (REACH_S, CARRY_S + 0.8 * far, REACH_S), grip, target)
        if command.do in ("build", "mark"):
            target = setting.geometry.at(command.to, 0.5, 1.0)
            return Gesture(command, (REACH_S, 0.4, REACH_S), target, target)
        if command.do == "hand_on" and setting.dice:
            old = setting.dice
            new = setting.together(command.dice, tuple(die.kind for die in old))
            return Gesture(command, (REACH_S, 0.15, CARRY_S, REACH_S), _center(old), _center(new), old, new)
        if command.do == "nudge" and setting.dice:
            at = (setting.dice[0].x, setting.dice[0].y)
            return Gesture(command, (REACH_S, 0.2, REACH_S), at, at)
        start, end = (self._point_on_board() for _ in range(2))
        return Gesture(command, (REACH_S, 0.6, REACH_S), start, end)

    def _during(self, gesture: Gesture, elapsed: float) -> Scene:
        phase, share = _phase(gesture.phases, elapsed)
        command = gesture.command
        if command.do == "throw":
            return self._throwing(gesture, phase, share)
        if command.do == "hand_on":
            return self._handing_on(gesture, phase, share)
        home = self._seat_point(command.seat, AWAY_M)
        if phase == 0:
            return self._with_hand(_between(home, gesture.grip, _ease(share)), command.seat, 0.05 * (1 - share))
        if phase == 1:
            at = _between(gesture.grip, gesture.target, _ease(share))
            height = 0.04 * float(np.sin(np.pi * share)) + 0.006
            if command.do in ("move", "take"):
                self._carry(command.token, at, height)
            return self._with_hand(at, command.seat, height)
        self._act(gesture)
        return self._with_hand(_between(gesture.target, home, _ease(share)), command.seat, 0.05 * share)

    def _throwing(self, gesture: Gesture, phase: int, share: float) -> Scene:
        seat = gesture.command.seat
        home = self._seat_point(seat, AWAY_M)
        if phase == 0:
            return self._with_hand(_between(home, gesture.grip, _ease(share)), seat, 0.03, "fist")
        self.setting.dice = ()
        if phase == 1:
            return self._with_hand(gesture.grip, seat, 0.01, "fist")
        if phase == 2:
            return self._with_hand(_between(gesture.grip, home, _ease(share)), seat, 0.03, "fist")
        if phase == SHAKE:
            return self._shaking(gesture, share) if self._is_open_handed else self.setting.scene()
        start, scene = self._seat_point(seat, THROWN_FROM_M), self.setting.scene()
        if self.thrown_m is not None:
            start = _towards(gesture.target, home, self.thrown_m)
            if phase == SHAKE + 1:
                return self._with_hand(_between(home, start, _ease(share)), seat, 0.06, "fist")
            if share < _WITHDRAWN:
                scene = self._with_hand(_between(start, home, _ease(share / _WITHDRAWN)), seat, 0.06, "fist")
        flying = tuple(self._tumbling(die, k, start, share) for k, die in enumerate(gesture.new_dice))
        return replace(scene, dice=flying)

    def _handing_on(self, gesture: Gesture, phase: int, share: float) -> Scene:
        """A fist takes the dice, and leaves them where it has put them down."""
        seat, home = gesture.command.seat, self._seat_point(gesture.command.seat, AWAY_M)
        if phase == 0:
            return self._with_hand(_between(home, gesture.grip, _ease(share)), seat, 0.03, "fist")
        self.setting.dice = gesture.new_dice if phase > 2 else ()
        if phase < 3:
            at = _between(gesture.grip, gesture.target, _ease(share) if phase == 2 else 0.0)
            return self._with_hand(at, seat, 0.01 + 0.02 * float(np.sin(np.pi * share)) * (phase == 2), "fist")
        return self._with_hand(_between(gesture.target, home, _ease(share)), seat, 0.03 * share, "fist")

    def _shaking(self, gesture: Gesture, share: float) -> Scene:
        """Dice in an open hand beside the board."""
        seat, passed_s = gesture.command.seat, share * self._shake_s
        moved_s = passed_s // (2 * KEEPS_S) * KEEPS_S + min(passed_s % (2 * KEEPS_S), KEEPS_S)
        turned, (x, y) = 2 * np.pi * SHAKEN_HZ * moved_s, self._seat_point(seat, SHOWN_M)
        at = np.array([x + SHAKEN_M[0] * np.sin(turned), y + SHAKEN_M[1] * np.cos(turned)])
        scene = self._with_hand((float(at[0]), float(at[1])), seat, 0.03, "fist")
        towards = np.array(self._seat_point(seat, -1.0))
        across, dice = towards[::-1] * (-1, 1), []
        for index, die in enumerate(gesture.old_dice or gesture.new_dice):
            x, y = at + _SHOWS_AT[0] * towards + _SHOWS_AT[1] * (2 * index - 1) * across
            dice.append(replace(die, x=float(x), y=float(y), z=0.03))
        return replace(scene, dice=tuple(dice))

    @staticmethod
    def _tumbling(die: Die, index: int, start: Point, share: float) -> Die:
        """A die on its way: slowing down, bouncing lower and lower, turning over less and less."""
        left = (1 - share) ** 2
        x, y = _between((die.x, die.y), start, left)
        speed = 2 * (1 - share) / FLIGHT_S * EXPOSURE_S
        bounce = 0.05 * left * abs(float(np.sin(9 * share + index)))
        faces = int(die.kind[1:])
        value = die.value if share > 0.75 else 1 + (die.value + int(share * 11) + index) % faces
        motion = ((die.x - start[0]) * speed, (die.y - start[1]) * speed)
        return Die(value, x, y, bounce, die.yaw + 9 * left, 5 * left * (1 + 0.3 * index), motion, die.kind)

    def _with_hand(self, at: Point, seat: int, z: float, posture: str = "pinch") -> Scene:
        angle = self._seat_angle(seat)
        yaw = float(np.arctan2(np.cos(angle), -np.sin(angle)))
        hand = HandPose(at[0], at[1], z, yaw, posture, look=seat)
        return replace(self.setting.scene(), hands=(hand,))

    def _carry(self, token: str, at: Point, height: float) -> None:
        piece = self.setting.tokens.get(token)
        if piece is None:
            piece = self.setting.put_token(token, 0)
        self.setting.tokens[token] = replace(piece, x=at[0], y=at[1], z=height)

    def _act(self, gesture: Gesture) -> None:
        """What the hand leaves behind."""
        command, setting = gesture.command, self.setting
        if command.do == "move":
            self._carry(command.token, gesture.target, 0.0)
        elif command.do == "take":
            setting.tokens.pop(command.token, None)
        elif command.do == "build":
            setting.put_buildings(command.to, command.houses, command.hotel)
        elif command.do == "mark" and setting.markers.get(command.to, ()) != command.markers:
            setting.put_markers(command.to, command.markers)

    def _finish(self, gesture: Gesture, now_s: float) -> None:
        self._act(gesture)
        if gesture.command.do in ("throw", "hand_on") and gesture.new_dice:
            self.setting.dice = gesture.new_dice
        elif gesture.command.do == "nudge" and self.setting.dice:
            self.setting.dice = (nudge(self.setting.dice[0], self.rng), *self.setting.dice[1:])
        self.done.add(gesture.command.id)
        self._gesture = None
        self._rest_until_s = now_s + float(self.rng.uniform(*self._rest_s))

    def _seat_angle(self, seat: int) -> float:
        """Seats go round the table; neighbors sit a little apart on the same side."""
        return seat_angle(seat) + (0.35 if seat >= 4 else -0.1)

    def _seat_point(self, seat: int, distance: float) -> Point:
        angle = self._seat_angle(seat)
        return float(distance * np.cos(angle)), float(distance * np.sin(angle))

    def _point_on_board(self) -> Point:
        x, y = self.rng.uniform(-0.2, 0.2, 2)
        return float(x), float(y)


def _center(dice: tuple[Die, ...]) -> Point:
    return float(np.mean([die.x for die in dice])), float(np.mean([die.y for die in dice]))


def _phase(phases: tuple[float, ...], elapsed: float) -> tuple[int, float]:
    """(number of the phase, share of it that is over)."""
    for index, length in enumerate(phases):
        if elapsed < length:
            return index, elapsed / length
        elapsed -= length
    return len(phases) - 1, 1.0


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _towards(a: Point, b: Point, distance: float) -> Point:
    """The point so far from `a` on the way to `b`."""
    return _between(a, b, distance / max(float(np.hypot(b[0] - a[0], b[1] - a[1])), distance))


def _ease(share: float) -> float:
    """Starts and stops gently."""
    return share * share * (3 - 2 * share)
