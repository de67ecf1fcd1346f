"""How the game stands, for the page: the stage, who is what, groups and their dice, and how near each win is."""

from typing import Any

from companion.rules.engine import parse_dice
from companion.rules.registry import rules_of

Facts = dict[str, Any]

#: Names of spaces in one sentence, before it only counts.
MOST_NAMED = 3


def count(number: int, word: str) -> str:
    return f"{number} {word if number == 1 else word + 's'}"


def listed(names: list[str], joint: str = "and") -> str:
    return f" {joint} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def stage(names: Any, game: Any) -> Facts:
    """The stage, what changes it, who is what, and how near each win is.

    Returns:
        `name`, `title`, `text`; `roles`: player -> `status`, `notes`; `due`: who has to move out of turn; `groups`
        and `wins`: sentences; `pool`: the dice of a group, each with its `face`, `roller` and `taker`.
    """
    rules: Any = rules_of(game.state.variant)(game.state)
    return {
        "name": game.state.stage,
        "title": game.state.stage.capitalize(),
        "text": stage_text(rules),
        "roles": {name: {"status": player.status, "notes": notes(rules, name)} for name, player in everybody(rules)},
        "due": [each.player for each in game.state.pending if is_out_of_turn(game, each)],
        "groups": [groups_text(group) for group in game.state.groups],
        "pool": pool(game.state),
        "wins": wins(names, rules),
    }


def everybody(rules: Any) -> list[tuple[str, Any]]:
    return list(rules.state.players.items())


def is_out_of_turn(game: Any, decision: Any) -> bool:
    """Whether a homeless player has to move although it is not his turn. Rule: MZ-3.11"""
    is_move = decision.kind == "roll" and parse_dice(decision.facts["dice"]) == (6,)
    return bool(is_move and decision.player != game.state.turn.player)


def pool(state: Any) -> list[Facts]:
    """The dice that a group shares, who threw each, and who has taken it. Rule: MZ-10.5 to MZ-10.7"""
    takers = {place: name for name, take in state.takes.items() for place in take.dice}
    return [
        {"face": face, "roller": state.together[place // 3], "taker": takers.get(place)}
        for place, face in enumerate(state.pool)
    ]


def groups_text(group: Any) -> str:
    return f"{listed(list(group.players))}: {group.lead} leads, {count(group.moves, 'move')} of 3 made."


def stage_text(rules: Any) -> str:
    """`1 zombie; the apocalypse begins with the next conversion.`"""
    state, zombies = rules.state, len(rules.zombies)
    if state.stage == "capitalism":
        return "All are human; the outbreak begins with the first conversion."
    if state.stage == "apocalypse":
        return f"{count(len(rules.humans), 'human')} against {count(zombies, 'zombie')}."
    waiting = getattr(state, "outbreak_waiting", ())
    more = rules.zombies_needed - zombies
    due = "the next conversion" if more == 1 else f"{count(more, 'more conversion')}"
    text = f"{count(zombies, 'zombie')}; the apocalypse begins with {due}"
    if more <= 0:
        text = f"{count(zombies, 'zombie')}; the apocalypse begins"
    if rules.is_small_game and more > 0:
        text += ", or when all humans have been round the board"
    return f"{text}, after a turn of {listed(list(waiting))}." if waiting else f"{text}."


def notes(rules: Any, name: str) -> list[str]:
    """What the table should know of one player."""
    player, told = rules.player(name), []
    if player.status != "zombie":
        if not rules.can_turn(name):
            told.append("immune until GO")
        cards = sum(card.startswith("get-out-of-jail") for card in player.cards)
        told += [f"{count(cards, 'immunity card')}"] if cards else []
        told += [f"{count(player.bodyguards, 'bodyguard')}"] if player.bodyguards else []
        told += [f"{count(player.bodyguards_next, 'bodyguard')} for the next turn"] if player.bodyguards_next else []
        told += ["once round the board"] if player.circuit and rules.state.stage == "outbreak" else []
        told += [f"moves alone for {count(player.apart, 'turn')}"] if player.apart else []
        told += ["carries a house"] if player.carrying else []
    return told


def wins(names: Any, rules: Any) -> list[str]:
    """How near each win is. Rule: MZ-11"""
    if rules.state.stage != "apocalypse":
        return []
    humans = rules.humans
    if not humans:
        return [f"The first zombie to land on {names.space('jail')} wins: {listed(distances(rules))}."]
    return [safe_houses(names, rules), f"Zombies win: {count(len(humans), 'human')} to convert, then to Jail first."]


def safe_houses(names: Any, rules: Any) -> str:
    """Where the humans win, and who of them is there already. Rule: MZ-11.1, MZ-11.4, MZ-12.6"""
    humans, forever = rules.humans, rules.state.options["homeless_invisible"] == "forever"
    last = rules.player(humans[0]) if len(humans) == 1 else None
    is_any = last is not None and (last.status == "homeless" or (forever and last.once_homeless))
    built = [slug for slug in rules.board.properties if rules.level(slug)]
    houses = built if is_any else [slug for slug in built if rules.is_human_owned(slug)]
    if not houses:
        return "No house is left in which the humans could win."
    there = max(houses, key=lambda slug: sum(rules.state.players[name].at == slug for name in humans))
    inside = sum(rules.state.players[name].at == there for name in humans)
    named = listed([names.space(slug) for slug in houses], "or")
    where = named if len(houses) <= MOST_NAMED else f"one of {len(houses)} houses"
    company = f"; {inside} of {len(humans)} on {names.space(there)}" if inside and len(humans) > 1 else ""
    stays = ", with no zombie there" if any(rules.zombies_at(slug) for slug in houses) else ""
    return f"{'Humans win: all' if len(humans) > 1 else f'{humans[0]} wins:'} on {where}{company}{stays}."


def distances(rules: Any) -> list[str]:
    """How far each zombie is from Jail, by the shorter way."""
    board, told = rules.board, []
    for name, player in everybody(rules):
        at = player.at or "go"
        way = min(board.distance(at, "jail"), board.distance("jail", at))
        told.append(f"{name} {way} away" if way else f"{name} has to leave it and come back")
    return told
