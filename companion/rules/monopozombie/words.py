"""What the table reads of this game: sentences, decisions, labels, and how the stages stand."""

from collections.abc import Callable
from typing import Any

from companion.rules.board import board
from companion.rules.engine import parse_dice
from companion.rules.registry import rules_of

Facts = dict[str, Any]

#: How much an event matters for the headline.
RANKS: dict[str, int] = {
    "stage_changed": 110,
    "converted": 100,
    "immunity_spent": 95,
    "became_homeless": 91,
    "house_deposited": 72,
    "battle_fought": 71,
    "fortification_lost": 70,
    "claim_overruled": 66,
    "recovered": 62,
    "group_formed": 61,
    "group_split": 61,
    "circuit_completed": 54,
    "bodyguards_hired": 48,
    "house_carried": 47,
    "fortified": 46,
    "dice_taken": 26,
    "bodyguards_left": 8,
    "turn_delayed": 4,
}

#: Why somebody is converted, where nobody else is needed for it.
ALONE = {
    "snake_eyes": "{player} throws a double one and becomes a zombie.",
    "jail_card": "Go to Jail: the card makes {player} a zombie.",
    "jail_square": "Go to Jail: the corner makes {player} a zombie.",
    "third_double": "A third double makes {player} a zombie.",
}
WORDS_OF_CAUSE = {
    "snake_eyes": "a double one",
    "jail_card": "the Jail card",
    "jail_square": "the Jail corner",
    "third_double": "a third double",
    "infection_ground": "the infection ground",
    "outnumbered": "the zombies",
    "battle": "the zombies",
}
DEMOLITIONS = {
    "arrival": "{by} demolishes on {space}: {left}.",
    "vacated": "{by} leaves {space} to the zombies: {left}.",
    "abandoned": "{by} leaves the shelter on {space}: {left}.",
    "overrun": "{space} is overrun: {left}.",
}
STAGES = {
    "capitalism": "Capitalism begins.",
    "outbreak": "The outbreak begins: zombies walk in both directions and demolish.",
    "apocalypse": "The apocalypse begins: money is worthless, survivors throw three dice.",
}
WINS = {
    "safe_house": "{who} safe in one house: the humans win the game.",
    "last_homeless": "{who} the last human and safe in a house: the game is won.",
    "jail": "{who} first on Jail: the last brains, and the game.",
}


def count(number: int, word: str) -> str:
    return f"{number} {word if number == 1 else word + 's'}"


def listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def converted(names: Any, event: Facts) -> str:
    """`Cat is a zombie: 2 zombies against 1 human.`"""
    player, cause = event["player"], event["cause"]
    if cause in ALONE:
        return ALONE[cause].format(player=player)
    if cause == "infection_ground":
        return f"{player} is a zombie: {names.space(event['space'])} is an infection ground."
    if cause == "battle":
        return f"{player} is a zombie: the zombies win on {names.space(event['space'])}."
    attack, defence = event["against"]
    return f"{player} is a zombie: {count(attack, 'zombie')} against {count(defence, 'human')}."


def demolished(names: Any, event: Facts) -> str:
    """`Bob leaves Vermont to the zombies: 1 house left.`"""
    standing = names.buildings(event["houses"], event["hotel"]) if event["houses"] or event["hotel"] else ""
    left = f"{standing} left" if standing else "nothing stands there now"
    sentence = DEMOLITIONS[event["cause"]]
    return sentence.format(by=event.get("by") or "Somebody", space=names.space(event["space"]), left=left)


def battle(names: Any, event: Facts) -> str:
    return f"Battle on {names.space(event['space'])}: {event['attack']} against {event['defence']}, {event['won']} win."


def group_split(names: Any, event: Facts) -> str:
    why = {"three_turns": "after three turns together", "converted": "as a zombie"}.get(event["cause"], "on the way")
    return f"{listed(event['players'])} {'leaves' if len(event['players']) == 1 else 'leave'} the group {why}."


def won(names: Any, event: Facts) -> str:
    who = listed(event["winners"])
    return WINS[event["how"]].format(who=f"{who} {'is' if len(event['winners']) == 1 else 'are'}")


SENTENCES: dict[str, str | Callable[[Any, Facts], str]] = {
    "converted": converted,
    "demolished": demolished,
    "battle_fought": battle,
    "group_split": group_split,
    "game_won": won,
    "stage_changed": lambda names, event: STAGES[event["stage"]],
    "immunity_spent": lambda names, event: (
        f"{event['player']}'s card saves from {WORDS_OF_CAUSE[event['cause']]}; it is used up."
    ),
    "became_homeless": "{player} is homeless, and stays in the game.",
    "recovered": "{player} has money again and is homeless no more.",
    "bodyguards_hired": lambda names, event: f"{event['player']} hires {count(event['number'], 'bodyguard')}.",
    "bodyguards_left": lambda names, event: (
        f"{count(event['number'], 'bodyguard')} of {event['player']} {'leaves' if event['number'] == 1 else 'leave'}."
    ),
    "circuit_completed": "{player} has been round the board since the outbreak.",
    "group_formed": lambda names, event: (
        f"{listed(event['players'])} are a group; {event['lead']} leads: it moves in that turn."
    ),
    "turn_delayed": "{player} waits for the group.",
    "dice_taken": "{player} takes {dice}, {direction}.",
    "claim_overruled": lambda names, event: (
        f"{event['by']} threw the {event['die']} and keeps it: {event['player']} takes anew."
    ),
    "house_carried": "{player} carries a house off {space}.",
    "house_deposited": "{player} puts the house down on {space}: the land is {player}'s now.",
    "fortified": "{player} fortifies {space}.",
    "fortification_lost": "{space} loses its fortification.",
}

DECISIONS: dict[str, Callable[[Any, Facts], str]] = {
    "extra_go": lambda names, asked: f"{asked['player']} moved by a double and may go again.",
    "direction": lambda names, asked: f"Which way does {asked['player']} go? Then the dice.",
    "share_dice": lambda names, asked: (
        f"{asked['player']} takes two of {', '.join(str(die) for die in asked['pool'])} and a direction."
    ),
}
LABELS: dict[str, str] = {"roll": "Throw", "stop": "Stay here", "forward": "Forward", "backward": "Backward"}
#: Labels of what players may do besides, over the fields of the action.
USES: dict[str, str] = {
    "bodyguard": "Hire bodyguards: {amount}",
    "team_up": "Team up with {with}",
    "carry_house": "Carry a house off",
    "fortify": "Fortify {space}",
}
CLAUSES: dict[str, str] = {
    "stage_changed": "MZ-1.2",
    "converted": "MZ-4.12",
    "converted/snake_eyes": "MZ-4.1",
    "converted/jail_card": "MZ-4.5",
    "converted/jail_square": "MZ-4.6",
    "converted/third_double": "MZ-4.7",
    "converted/infection_ground": "MZ-6.2",
    "converted/outnumbered": "MZ-6.4",
    "converted/battle": "MZ-12.4",
    "immunity_spent": "MZ-4.8",
    "became_homeless": "MZ-3.1",
    "recovered": "MZ-3.12",
    "demolished": "MZ-7.1",
    "demolished/arrival": "MZ-7.2",
    "demolished/vacated": "MZ-7.3",
    "demolished/abandoned": "MZ-7.5",
    "demolished/overrun": "MZ-7.7",
    "paid/conversion": "MZ-4.12",
    "paid/collapse": "MZ-9.1",
    "paid/bodyguard": "MZ-6.13",
    "bodyguards_hired": "MZ-6.13",
    "bodyguards_left": "MZ-6.14",
    "circuit_completed": "MZ-8.3",
    "group_formed": "MZ-10.1",
    "group_split": "MZ-10.9",
    "turn_delayed": "MZ-10.4",
    "dice_taken": "MZ-10.6",
    "claim_overruled": "MZ-10.7",
    "battle_fought": "MZ-12.4",
    "house_carried": "MZ-12.8",
    "house_deposited": "MZ-12.9",
    "fortified": "MZ-12.10",
    "fortification_lost": "MZ-12.10",
    "game_won": "MZ-11.1",
    "game_won/last_homeless": "MZ-11.4",
    "game_won/jail": "MZ-11.6",
}


def take_dice(names: Any, game: Any, asked: Facts) -> list[tuple[str, Facts]]:
    """Every pair of the pool in each direction, with the space that it reaches. Rule: MZ-10.6"""
    pool, at = asked["pool"], game.state.players[asked["player"]].at or "go"
    pairs = sorted({tuple(sorted((one, other))) for place, one in enumerate(pool) for other in pool[place + 1 :]})
    answers = []
    for direction, sign in (("forward", 1), ("backward", -1)):
        for pair in pairs:
            space = names.space(board().after(at, sign * sum(pair)))
            action = {"use": "take_dice", "dice": list(pair), "direction": direction, "by": asked["player"]}
            answers.append((f"{pair[0]} and {pair[1]} {direction}: {space}", action))
    return answers


#: Decisions that are answered by an action of their own: kind -> (label, action) of each answer.
ANSWERS: dict[str, Callable[[Any, Any, Facts], list[tuple[str, Facts]]]] = {"share_dice": take_dice}


# -- how the game stands -----------------------------------------------------------------------------


def stage(names: Any, game: Any) -> Facts:
    """The stage, what changes it, who is what, and how near each win is.

    Returns:
        `name`, `title`, `text`; `roles`: player -> `status`, `notes`; `wins`: sentences.
    """
    rules: Any = rules_of(game.state.variant)(game.state)
    return {
        "name": game.state.stage,
        "title": game.state.stage.capitalize(),
        "text": stage_text(rules),
        "roles": {name: {"status": player.status, "notes": notes(rules, name)} for name, player in everybody(rules)},
        "due": [each.player for each in game.state.pending if is_out_of_turn(game, each)],
        "groups": [groups_text(group) for group in game.state.groups],
        "wins": wins(names, rules),
    }


def everybody(rules: Any) -> list[tuple[str, Any]]:
    return list(rules.state.players.items())


def is_out_of_turn(game: Any, decision: Any) -> bool:
    """Whether a homeless player has to move although it is not his turn. Rule: MZ-3.11"""
    is_move = decision.kind == "roll" and parse_dice(decision.facts["dice"]) == (6,)
    return bool(is_move and decision.player != game.state.turn.player)


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
        return [f"The first zombie to land on {names.space('jail')} wins."]
    houses = [slug for slug in rules.board.properties if rules.level(slug) and rules.is_human_owned(slug)]
    free = [slug for slug in houses if not rules.zombies_at(slug)]
    there = max((sum(rules.state.players[name].at == slug for name in humans) for slug in free), default=0)
    told = [
        f"Safe houses left: {len(houses)}; {there} of {count(len(humans), 'human')} in one."
        if houses
        else "No human's house stands any more."
    ]
    return [*told, f"Zombies: {count(len(humans), 'human')} to convert, then {names.space('jail')}."]
