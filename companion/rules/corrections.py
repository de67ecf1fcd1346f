"""Partial states: `given` of a scenario and the action `set`."""

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from companion.rules.errors import Refused
from companion.rules.events import typed_fields
from companion.rules.state import State

if TYPE_CHECKING:
    from companion.rules.classic import Classic

#: Parts of the snapshot that are not there to be set.
FIXED = frozenset({"variant", "edition", "options", "pending"})


def normal(engine: "Classic", changes: Any) -> dict[str, Any]:
    """A partial state with spaces by slug, checked against the types of the state.

    Raises:
        Refused: `malformed`.
    """
    if not isinstance(changes, dict):
        raise Refused("malformed", "A correction is a partial state.")
    state = engine.state
    clean: dict[str, Any] = {}
    for key, value in changes.items():
        if not isinstance(key, str) or key in FIXED or key in state.internal or key not in state.__struct_fields__:
            raise Refused("malformed", f"{key!r} is no part of the state that can be set.")
        clean[key] = value
    try:
        if "players" in clean:
            clean["players"] = {name: _player(engine, name, part) for name, part in _mapping(clean["players"]).items()}
        if "spaces" in clean:
            spaces = _mapping(clean["spaces"])
            clean["spaces"] = {engine.space_named(slug): _space(part) for slug, part in spaces.items()}
        if "turn" in clean:
            clean["turn"] = dict(_mapping(clean["turn"]))
        trial = state.fork()
        merge(trial, clean)
        engine.check_corrected(trial)
    except Refused as refusal:
        raise Refused("malformed", refusal.message) from refusal
    except (msgspec.ValidationError, TypeError, KeyError, ValueError) as error:
        raise Refused("malformed", f"This is no partial state: {error}.") from error
    builtins: dict[str, Any] = msgspec.to_builtins(clean)
    return builtins


def _mapping(value: Any) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no mapping")
    return value


def _player(engine: "Classic", name: Any, part: Any) -> dict[str, Any]:
    """A player's part, with `at` as a slug; in Jail means on the Jail square."""
    engine.player_named(name)
    fields = dict(_mapping(part))
    if fields.get("in_jail") is True:
        fields["at"] = "jail"
    elif fields.get("at") is not None:
        fields["at"] = engine.space_named(fields["at"])
        if fields["at"] != "jail":
            fields["in_jail"] = False
    return fields


def _space(part: Any) -> dict[str, Any]:
    """A space's part: a hotel stands in place of houses, and houses in place of a hotel."""
    fields = dict(_mapping(part))
    if fields.get("hotel") is True and "houses" not in fields:
        fields["houses"] = 0
    elif fields.get("houses") and "hotel" not in fields:
        fields["hotel"] = False
    if fields.get("hotel") is True and fields["houses"]:
        raise ValueError("a hotel counts as houses: 0, hotel: true")
    return fields


def merge(state: State, changes: dict[str, Any]) -> None:
    """Merge a partial state into `state`, in place."""
    for key, value in changes.items():
        if key == "players":
            for name, fields in value.items():
                state.players[name] = merged(state.players[name], fields)
            state.count_debts()
        elif key == "spaces":
            for slug, fields in value.items():
                before = state.spaces.get(slug) or _space_type(state)()
                state.spaces[slug] = merged(before, fields)
        else:
            setattr(state, key, merged_value(type(state), key, getattr(state, key), value))


def _space_type(state: State) -> Any:
    """The struct that this variant keeps for a space."""
    return type(next(iter(state.spaces.values())))


def merged(struct: Any, fields: dict[str, Any]) -> Any:
    """A struct with these fields merged in: mappings and structs within are merged, all else replaced."""
    changes = {}
    for name, value in fields.items():
        if name not in struct.__struct_fields__:
            raise KeyError(name)
        changes[name] = merged_value(type(struct), name, getattr(struct, name), value)
    return replace(struct, **changes)


def merged_value(struct: type[msgspec.Struct], name: str, old: Any, value: Any) -> Any:
    """The new value of one field, of the type that the field has."""
    if isinstance(old, msgspec.Struct) and isinstance(value, dict):
        return merged(old, value)
    if isinstance(old, dict) and isinstance(value, dict):
        value = {**old, **{key: merged_item(old.get(key), item) for key, item in value.items()}}
    return typed_fields(struct, {name: value})[name]


def merged_item(old: Any, value: Any) -> Any:
    """The new value of one entry of a mapping."""
    if isinstance(old, msgspec.Struct) and isinstance(value, dict):
        return merged(old, value)
    return value
