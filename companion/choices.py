"""What people choose at set-up, made the record that a game begins with."""

from typing import Any

from companion.journal import GameRecord
from companion.observations import COP
from companion.patience import check_reaction_s
from companion.rules import Refused
from companion.rules.registry import rules_of

Json = dict[str, Any]

#: How much the app does (users.md): tells what goes against the rules; says what is owed; keeps the Bank.
AUTOMATION = ("warn", "show", "bank")


def record_of(choices: Json, game_id: str, started: str, settings: Json) -> GameRecord:
    """The record of a new game.

    Args:
        choices: as for `Session.set_up`; its `settings` go before these.
        started: wall time, ISO 8601 UTC.
        settings: of the table: `reaction_s`, where nothing else is chosen, `camera`, `tray` and `profile`.
    Raises:
        Refused: `malformed`. Whether the rules allow such a game only `opening` tells.
    """
    names = [player["name"] for player in choices["players"]]
    if len(set(names)) < len(names):
        raise Refused("malformed", "Two players have the same name.")
    _check_tokens([player.get("token") or "" for player in choices["players"]])
    initials = initials_of(names)
    variant = choices.get("variant") or "classic"
    automation = choices.get("automation") or "show"
    if automation not in AUTOMATION:
        raise Refused("malformed", f"automation is one of {', '.join(AUTOMATION)}, not {automation}.")
    patience = choices.get("reaction_s", settings["reaction_s"])
    check_reaction_s(patience)
    chosen = {"automation": automation, "reaction_s": patience, **(choices.get("settings") or {})}
    return GameRecord(
        id=game_id,
        variant=variant,
        edition=choices.get("edition") or rules_of(variant).default_edition,
        options=choices.get("options") or {},
        players={player["name"]: player.get("extra") or {} for player in choices["players"]},
        faces=tuple(face_of(player, initials[player["name"]]) for player in choices["players"]),
        first=choices.get("first"),
        given=choices.get("given"),
        settings={**settings, **chosen},
        started=started,
    )


def _check_tokens(tokens: list[str]) -> None:
    """The camera tells players apart by their tokens. Those who have not said which one is theirs have "".

    Raises:
        Refused: `malformed`.
    """
    words = [token.strip().casefold() for token in tokens if token.strip()]
    if COP in words:
        raise Refused("malformed", f"No player's token is called {COP}: that is the Cop of Slaughterhouse.")
    twice = next((word for word in words if words.count(word) > 1), None)
    if twice is not None:
        raise Refused("malformed", f"Two players have the same token, {twice}.")


def face_of(player: Json, initial: str) -> Json:
    """How the page shows a player: `name`, `token`, `color`, `shape`, `initial`."""
    return {**{key: player.get(key) for key in ("name", "token", "color", "shape")}, "initial": initial}


def initials_of(names: list[str]) -> dict[str, str]:
    """The shortest beginning that tells each name from the others."""
    shortest = {}
    for name in names:
        others = [other.casefold() for other in names if other != name]
        lengths = range(1, len(name) + 1)
        clear = (n for n in lengths if not any(other.startswith(name[:n].casefold()) for other in others))
        shortest[name] = name[: next(clear, len(name))].capitalize()
    return shortest
