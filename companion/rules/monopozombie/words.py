"""What the table reads of this game: sentences, decisions, labels, and how the stages stand."""

from collections.abc import Callable
from typing import Any

from companion.rules.board import board
from companion.rules.monopozombie.outlook import count, listed, stage

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


def card_drawn(names: Any, event: Facts) -> str:
    """`Dee draws Bank Error: "Collect $200." Zombies don't care.`"""
    drawn = f"{event['player']} draws {names.card(event['card'])}"
    if "ignored" not in event:
        return f"{drawn}."
    shrug = "A zombie does not care." if event["ignored"] == "zombie" else "That means nothing any more."
    return f"{drawn}: {names.card_text(event['card'])} {shrug}"


SENTENCES: dict[str, str | Callable[[Any, Facts], str]] = {
    "converted": converted,
    "demolished": demolished,
    "card_drawn": card_drawn,
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

_STATUSES = {"human": "human", "zombie": "a zombie", "homeless": "homeless", "bankrupt": "bankrupt"}


def _group(group: Facts) -> str:
    made = f"{count(group.get('moves', 0), 'move')} made"
    return f"{listed(list(group['players']))} move together, led by {group['lead']}, with {made}"


def _began(names: Any, who: str, place: Facts | None) -> str:
    where = f"on {names.space(place['at'])}" if place else "nowhere yet"
    return f"{who}'s way round the board began {where}"


#: What a correction by hand sets.
CORRECTED: dict[str, Any] = {
    "players.status": lambda names, who, value: f"{who} is {_STATUSES[value]}",
    "players.bodyguards": lambda names, who, many: f"{who} has {count(many, 'bodyguard')}",
    "players.bodyguards_next": lambda names, who, many: f"{who} has paid for {count(many, 'bodyguard')} to come",
    "players.outbreak_start": _began,
    "players.circuit": ("{who} has been round the board", "{who} has not been round the board"),
    "players.upskilled": ("{who} has learned to throw three dice", "{who} has not learned to throw three dice"),
    "players.apart": lambda names, who, turns: f"{who} moves alone for {count(turns, 'turn')}",
    "players.once_homeless": ("{who} has been homeless", "{who} has never been homeless"),
    "players.carrying": ("{who} carries a house", "{who} carries no house"),
    "spaces.fortified": ("{who} is fortified", "{who} is not fortified"),
    "groups": lambda names, who, groups: listed([_group(each) for each in groups]) or "nobody moves in a group",
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


def take_dice(names: Any, game: Any, asked: Facts) -> list[tuple[str, Facts, Facts]]:
    """Every pair of the pool in each direction, with the space that it reaches. Rule: MZ-10.6"""
    pool, at = asked["pool"], game.state.players[asked["player"]].at or "go"
    pairs = sorted({tuple(sorted((one, other))) for place, one in enumerate(pool) for other in pool[place + 1 :]})
    answers = []
    for direction, sign in (("forward", 1), ("backward", -1)):
        for pair in pairs:
            space = board().after(at, sign * sum(pair))
            action = {"use": "take_dice", "dice": list(pair), "direction": direction, "by": asked["player"]}
            label = f"{pair[0]} and {pair[1]} {direction}: {names.space(space)}"
            answers.append((label, action, {"space": space}))
    return answers


def go_to(names: Any, game: Any, asked: Facts) -> list[tuple[str, Facts, Facts]]:
    """Every space that the dice reach, with the dice and the direction that lead there. Rule: MZ-5.2, MZ-9.7"""
    decision = next(each for each in game.state.decisions if (each.kind, each.player) == ("move_to", asked["player"]))
    ways = {str(space): (dice, forward) for space, dice, forward in reversed(decision.memo["ways"])}
    answers = []
    for option in asked["options"]:
        dice, forward = ways[option]
        how = f"{'forward' if forward else 'backward'} {' + '.join(map(str, dice))}"
        if dice == [1, 1] and game.state.players[asked["player"]].status != "zombie":
            how = f"{how}: a double one"
        action = {"choose": option, "by": asked["player"]}
        answers.append((names.space(option), action, {"note": how, "text": how}))
    return answers


#: Decisions with answers of their own: kind -> (label, action, what else the page is told) of each answer.
ANSWERS: dict[str, Callable[[Any, Any, Facts], list[tuple[str, Facts, Facts]]]] = {
    "share_dice": take_dice,
    "move_to": go_to,
}


def retold(before: Any, events: list[Facts]) -> list[Facts]:
    """The events of one action with what the table should hear besides: cards that nobody follows. Rule: MZ-5.4"""
    said = []
    for event in events:
        if event["type"] == "card_drawn" and is_ignored(before, event, events):
            said.append({**event, "ignored": before.state.players[event["player"]].status})
        else:
            said.append(event)
    return said


def is_ignored(before: Any, event: Facts, events: list[Facts]) -> bool:
    """Whether nothing comes of a card: a zombie's, and in the apocalypse money and ways. Rule: MZ-5.4, MZ-9.5"""
    if before.state.players[event["player"]].status == "zombie":
        return True
    follows = {"card_kept", "converted", "immunity_spent"}
    return bool(before.state.stage == "apocalypse" and follows.isdisjoint(each["type"] for each in events))


__all__ = [
    "ANSWERS",
    "CLAUSES",
    "DECISIONS",
    "LABELS",
    "RANKS",
    "SENTENCES",
    "USES",
    "WORDS_OF_CAUSE",
    "retold",
    "stage",
]
