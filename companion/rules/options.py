"""House rules and other choices at set-up, as data."""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.rules.errors import Refused


class Option(msgspec.Struct, frozen=True):
    """One option of a variant.

    Attributes:
        values: the allowed ones; a `range` for whole numbers.
        default: the rule as its author printed it.
        help: one line for people.
        clause: where the rules document says so.
        many: any number of the values, each once, as a list.
        needs: another option that must be on for this one to matter.
        gathers: of what a player chooses: it groups the players, and this option of the game is the mapping of each
            value to those who chose it, in turn order. `values` are suggestions, other words may be typed; None is
            no group.
    """

    name: str
    values: tuple[Any, ...]
    default: Any
    help: str
    clause: str
    many: bool = False
    needs: str = ""
    gathers: str = ""

    def allows(self, value: Any) -> bool:
        if not self.many:
            return any(value == allowed and type(value) is type(allowed) for allowed in self.values)
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            return False
        return len(set(value)) == len(value) and set(value) <= set(self.values)


def fill_in(options: tuple[Option, ...], given: dict[str, Any] | None) -> dict[str, Any]:
    """All options with their values, the defaults where nothing is given.

    Raises:
        Refused: `malformed` for an option or a value that the variant does not have.
    """
    if given is not None and not isinstance(given, dict):
        raise Refused("malformed", "Options are a mapping of names to values.")
    known = {option.name: option for option in options}
    for name, value in (given or {}).items():
        if name not in known:
            raise Refused("malformed", f"There is no option {name!r} here; there are: {', '.join(known) or 'none'}.")
        if not known[name].allows(value):
            allowed_words = ", ".join(str(allowed) for allowed in known[name].values)
            form = "is a list of" if known[name].many else "can be"
            raise Refused("malformed", f"Option {name} {form} {allowed_words}, not {value!r}.")
    return {name: (given or {}).get(name, option.default) for name, option in known.items()}


def gathered(choices: tuple[Option, ...], chosen: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, list[str]]]:
    """The options of the game that players' own choices make up: nothing where nobody has chosen a group.

    Args:
        chosen: player -> what she chooses at set-up, in turn order.
    """
    options: dict[str, dict[str, list[str]]] = {}
    for choice in choices:
        for player, own in chosen.items():
            group = own.get(choice.name)
            if choice.gathers and group is not None:
                options.setdefault(choice.gathers, {}).setdefault(group, []).append(player)
    return options
