"""What a correction would change, in sentences and in figures."""

from typing import Any

from companion.table.book import Book, Step
from companion.table.repair import Repair, differences
from companion.words import Names, action_text

Snapshot = dict[str, Any]


def consequences(names: Names, old: Book, new: Book, *, with_cash: bool = True) -> dict[str, Any]:
    """The difference between two books.

    Returns:
        `changes`: sentences; `cash`: player -> dollars more or less; `moves`: player -> (from, to); `buildings`:
        space -> (houses, hotel) before and after; `no_longer_fits`: entries that stop fitting, with text and
        reason; `fits_again`: those that fit again; `repair`: what hands would have to do; `refused`: None.
    """
    before, after = old.game.snapshot(), new.game.snapshot()
    changed = differences(before, after)
    old_misfits = {step.entry for step in old.misfits}
    new_misfits = {step.entry for step in new.misfits}
    repair = Repair(names, with_cash)
    repair.corrected(before, after)
    misfits = [_line(names, step) for step in new.misfits if step.entry not in old_misfits]
    return {
        "changes": [
            *_count(misfits),
            *(_change(names, key, was, now) for key, was, now in changed),
            *_turn(before, after),
        ],
        "cash": {name: now - was for (what, name), was, now in changed if what == "cash"},
        "moves": {name: [was[0], now[0]] for (what, name), was, now in changed if what == "token"},
        "buildings": {name: [list(was), list(now)] for (what, name), was, now in changed if what == "buildings"},
        "no_longer_fits": misfits,
        "fits_again": [_line(names, step) for step in new.steps if step.entry in old_misfits - new_misfits],
        "repair": [line["text"] for line in repair.lines(after)],
        "refused": None,
    }


def _line(names: Names, step: Step) -> dict[str, Any]:
    return {"entry": step.entry, "text": action_text(names, step.action, step.context), "reason": step.refusal}


def _count(misfits: list[dict[str, Any]]) -> list[str]:
    """First of all, where much of the log would hang in the air."""
    return [f"{len(misfits)} later lines no longer fit."] if len(misfits) > 2 else []


def _turn(before: Snapshot, after: Snapshot) -> list[str]:
    if before["turn"]["player"] != after["turn"]["player"]:
        return [f"It is {after['turn']['player']}'s turn, not {before['turn']['player']}'s."]
    if before["turn"]["phase"] == "done" != after["turn"]["phase"]:
        return [f"{after['turn']['player']} is not done yet."]
    return []


def _change(names: Names, key: tuple[str, str], was: Any, now: Any) -> str:
    what, name = key
    if what == "cash":
        return f"{name} has {names.money(now)} instead of {names.money(was)}."
    if what == "token":
        return f"{name} is {_place(names, now)} instead of {_place(names, was)}."
    if what == "card":
        return f"{now or 'Nobody'} holds the card {names.card(name)}, not {was or 'nobody'}."
    where = names.space(name)
    if what == "buildings":
        return f"{where} has {names.buildings(*now)} instead of {names.buildings(*was)}."
    if what == "deed":
        return f"{where} belongs to {now or 'the Bank'} instead of {was or 'the Bank'}."
    return f"{where} is {'mortgaged' if now else 'no longer mortgaged'}."


def _place(names: Names, where: tuple[str | None, bool]) -> str:
    at, in_jail = where
    if at is None:
        return "off the board"
    if at == "jail":
        return "in Jail" if in_jail else "just visiting Jail"
    return f"on {names.space(at)}"
