"""The referee's sentences for the tablet: short, plain, one thought each."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.observations import DieSeen
from companion.referee.hands import LIKELY, Faces, is_sure, top

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
#: A die was read at all when one face is so probable.
_READ = 0.5
_SIDES = {2: ("left", "right"), 3: ("left", "middle", "right")}


def number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def plain_name(slug: str) -> str:
    """`st-charles` -> `St. Charles`: for people, where no edition's own name is at hand."""
    words = " ".join(word.capitalize() for word in slug.split("-") if not word.isdigit())
    return words.replace("St ", "St. ").replace("B And O", "B. & O.").replace("Rr", "Railroad")


def faces_label(faces: Faces) -> str:
    """`4 and 2`."""
    return listed([str(face) for face in faces], "and")


def listed(words: Sequence[str], joint: str) -> str:
    """`a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}" if words else ""


def hand(spec: str) -> str:
    """`2d6` -> `two dice`, `d20` -> `one twenty-sided die`."""
    return " and ".join(_same_dice(part.strip()) for part in spec.split("+"))


def _same_dice(part: str) -> str:
    count, sides = part.split("d")
    kind = {"6": "", "4": "four-sided ", "20": "twenty-sided "}[sides]
    return f"{number(int(count or 1))} {kind}{'die' if count in ('', '1') else 'dice'}"


def unread(dice: Sequence[DieSeen], is_moved: bool) -> str:
    """Names the die that cannot be read and what it may be."""
    doubtful = [index for index, die in enumerate(dice) if not is_sure(die)]
    if len(doubtful) != 1:
        if not is_moved:
            return "I can't read the dice."
        is_read = all(max(die.faces.values(), default=0.0) >= _READ for die in dice)
        what = "The dice I read and the token don't fit." if is_read else "I can't read the dice."
        return f"{what} What was thrown?"
    die = dice[doubtful[0]]
    side = _SIDES.get(len(dice))
    which = f"the {side[_from_left(dice, doubtful[0])]} die" if side and die.box_px is not None else "a die"
    likely = sorted((face for face, p in die.faces.items() if p >= LIKELY), key=lambda face: -die.faces[face])
    if die.cocked >= 0.5:
        return f"{which.capitalize()} lies tilted. {top(die)}, or throw again?"
    if 2 <= len(likely) <= 3:
        return f"I can't read {which}. {listed([str(face) for face in likely], 'or')}?"
    return f"I can't read {which}."


def _from_left(dice: Sequence[DieSeen], index: int) -> int:
    order = sorted(range(len(dice)), key=lambda i: (dice[i].box_px or (float(i), 0.0, 0.0, 0.0))[0])
    return order.index(index)


def wrong_dice(player: str, seen: int, spec: str, kinds_differ: bool) -> str:
    if kinds_differ:
        return f"These are other dice than {player} throws now: {hand(spec)}. Throw again?"
    sight = f"I see {number(seen)} {'die' if seen == 1 else 'dice'}"
    missing = sum(int(part.split("d")[0].strip() or 1) for part in spec.split("+")) - seen
    if missing > 0:
        return f"{sight}; {number(missing)} {'is' if missing == 1 else 'are'} missing. {player} throws {hand(spec)}."
    return f"{sight}; {player} throws {hand(spec)}. Which count?"


def next_member(player: str, faces: Faces, following: str, share: int) -> str:
    """A group throws one member after the other."""
    return f"{player} threw {faces_label(faces)}. Now {following} throws {number(share)} dice."


def maybe_moved(faces: Faces) -> str:
    return f"If {faces_label(faces)} were thrown, move the token."


def stands(counts: Mapping[str, Any]) -> str:
    """`2 houses`, `a hotel`, `nothing`."""
    if counts.get("hotel"):
        return "a hotel"
    houses = int(counts.get("houses", 0))
    return "nothing" if houses == 0 else "1 house" if houses == 1 else f"{houses} houses"


def decision_text(decision: Mapping[str, Any], space: str) -> str:
    """What is still open, before a kept throw can count; `space` is the name of the one it is about."""
    player, options = decision.get("player", ""), decision.get("options", ())
    return {
        "purchase": f"{player} still has to buy {space} or {'leave' if 'pass' in options else 'auction'} it.",
        "auction": "The auction is still open.",
        "draw": f"{player} still has to say which card came up.",
        "raise_cash": f"{player} still has to find ${decision.get('amount', '')}.",
        "move_to": f"{player} still has to choose where to stand.",
        "rob_bank": f"{player} still has to say whether to rob the Bank.",
        "pickpocket": f"{player} still has to say whose pocket to pick, if any.",
        "pass_key": f"{player} still has to say whether to use the pass key.",
    }.get(str(decision["kind"]), f"{player} still has something to decide.")
