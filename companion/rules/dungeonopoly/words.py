"""Dungeonopoly in words: events, decisions, who is enchanted. `names`: the table's names. Seats are in `seats`."""

from collections.abc import Iterator
from typing import Any

from companion.rules.dungeonopoly.rules import CATALOGUE
from companion.rules.dungeonopoly.seats import laid_on, seats
from companion.rules.dungeonopoly.sheets import sheet
from companion.rules.game import Game

__all__ = ["seats", "sheet"]

Event = dict[str, Any]
Fields = dict[str, Any]

#: Enchantments that are named otherwise than the ability that makes them.
EFFECTS = {"glyph": "a glyph", "hex": "a hex", "bless": "a blessing", "curse": "a curse", "glitterdust": "glitter"}

RANKS = {
    "damaged": 79,
    "levelled_up": 78,
    "glyph_triggered": 77,
    "conquered": 76,
    "rent_waived": 81,
    "ability_failed": 52,
    "ability_used": 51,
    "roll_discarded": 50,
    "warded": 49,
    "turn_ended": 48,
    "movement_forfeited": 47,
    "drafted": 59,
    "shifted": 30,
    "enchanted": 29,
    "disenchanted": 12,
    "revealed": 13,
    "hidden": 14,
    "learned": 31,
    "trained": 29,
    "abilities_renewed": 9,
    "ep_gained": 2,
}
PAID_RANKS = {
    "free_parking": 68,
    "hexed": 67,
    "damage": 28,
    "steal": 54,
    "pick_pockets": 54,
    "rob_bank": 54,
    "repairs": 50,
}
PAID = {
    "free_parking": "{taker} takes the pot: {sum}.",
    "damage": "{payer} pays {to} {sum} for the damage.",
    "casting_cost": "{payer} pays {sum} for the spell.",
    "pick_pockets": "{payer} loses {sum} to {taker}.",
    "rob_bank": "{taker} robs the Bank of {sum}.",
    "steal": "{payer} is robbed of {sum} by {taker}.",
    "repairs": "{payer} pays {sum} for repairs.",
    "tax": "{payer} pays {sum} tax into the pot.",
    "hexed": "{sum} for {hexed} goes to the pot: a hex.",
}
PURPOSES = {
    "far_shot": " for the Far Shot",
    "intimidate": " to intimidate",
    "skill_check": " for the skill",
    "entropic_ward": " for the Entropic Ward",
    "frightening_tune": " and flees backward",
    "inspire_greatness": " and goes on",
}
_FAILED = {"missed": "fails", "countered": "is countered", "fizzled": "fizzles"}
_LOST = {"spent": "is spent", "dispelled": "is dispelled", "ended": "is over"}


def ability(slug: str) -> str:
    """`Magic Missile`."""
    return CATALOGUE[slug].name if slug in CATALOGUE else slug.replace("_", " ")


def effect(slug: str) -> str:
    """What lies on somebody: `a hex`, `Mage Armor`."""
    return EFFECTS.get(slug) or ability(slug)


def _moved(names: Any, event: Event) -> str:
    if event["how"] == "jail":
        return f"{event['player']} goes to Jail."
    unseen = "" if event.get("counts", True) else ", without landing"
    return f"{event['player']} moves to {names.stop(event['to'])}{unseen}."


def _used(names: Any, event: Event) -> str:
    verb = "casts" if event["ability"] in CATALOGUE and CATALOGUE[event["ability"]].is_spell else "uses"
    target = event.get("target")
    at = f" on {target}" if target else f" on {names.space(event['on'])}" if isinstance(event.get("on"), str) else ""
    return f"{event['player']} {verb} {ability(event['ability'])}{at}."


def _failed(names: Any, event: Event) -> str:
    return f"{event['player']}'s {ability(event['ability'])} {_FAILED.get(event['cause'], 'fails')}."


def _damaged(names: Any, event: Event) -> str:
    return f"{event['by']}'s {ability(event['cause'])} costs {event['player']} {names.money(event['amount'])}."


def _warded(names: Any, event: Event) -> str:
    return f"{ability(event['cause'])} keeps {event['player']} from {event['by']}'s {ability(event['ability'])}."


def _enchanted(names: Any, event: Event) -> str:
    on = event.get("player") or names.space(event.get("space"))
    return f"{on}: {effect(event['enchantment'])} by {event['by']}."


def _disenchanted(names: Any, event: Event) -> str:
    on = event.get("player") or names.space(event.get("space"))
    return f"{on}: {effect(event['enchantment'])} {_LOST.get(event['cause'], 'is over')}."


def _demolished(names: Any, event: Event) -> str:
    left = (
        f"{names.buildings(event['houses'], event['hotel'])} left" if event["houses"] or event["hotel"] else "nothing"
    )
    return f"{event.get('by') or 'Somebody'}'s {ability(event['cause'])} hits {names.space(event['space'])}: {left}."


def _jailed(names: Any, event: Event) -> str:
    cause = {"three_doubles": " for a third double", "card": " by a card"}.get(event["cause"])
    if cause is None:
        cause = f": {ability(event['cause'])} failed" if event["cause"] in CATALOGUE else ""
    return f"{event['player']} goes to Jail{cause}."


def _learned(names: Any, event: Event) -> str:
    if event["what"] == "pact":
        return f"{event['player']} makes the {event['slug']} pact."
    return f"{event['player']} learns {ability(event['slug'])}."


def _went_bankrupt(names: Any, event: Event) -> str:
    heir = names.party(event["to"], inside=True)
    left = f"the cash goes to the pot, all else to {heir}" if event.get("cash_to_pot") else f"everything goes to {heir}"
    return f"{event['player']} is bankrupt; {left}."


SENTENCES: dict[str, Any] = {
    "moved": _moved,
    "jailed": _jailed,
    "demolished": _demolished,
    "ability_used": _used,
    "ability_failed": _failed,
    "damaged": _damaged,
    "warded": _warded,
    "enchanted": _enchanted,
    "disenchanted": _disenchanted,
    "learned": _learned,
    "ep_gained": "{player} gains experience: {ep} now.",
    "levelled_up": "{player} reaches level {level}.",
    "trained": lambda names, e: f"{e['player']} trains {ability(e['skill'])}: {e['ranks']} ranks more.",
    "abilities_renewed": "{player} has every ability again.",
    "rent_waived": lambda n, e: f"{e['to']} forgoes {n.money(e['amount'])} of {e['from']}: {ability(e['cause'])}.",
    "hidden": "{player} is hidden.",
    "revealed": "{player} can be seen again.",
    "roll_discarded": lambda names, e: f"{e['by']} undoes the throw of {e['player']}.",
    "conquered": "{player} conquers {space} of {from}.",
    "glyph_triggered": lambda n, e: f"{e['by']}'s glyph stops {e['player']} on {n.space(e['space'])}.",
    "shifted": "{player} is now {form}.",
    "movement_forfeited": "{player} does not move in this turn.",
    "turn_ended": lambda names, e: f"{ability(e['cause'])} ends {e['player']}'s turn.",
    "drafted": "{player} takes {space}.",
    "went_bankrupt": _went_bankrupt,
}


def _abilities(phrase: str, none: str) -> Any:
    return lambda names, who, slugs: f"{who} {phrase} {_and([ability(slug) for slug in slugs]) or none}"


def _marks(names: Any, who: str, marks: Fields) -> str:
    told = [f"{effect(slug)} by {by}" if by else f"no more {effect(slug)}" for slug, by in marks.items()]
    return f"on {who}: {_and(told) or 'nothing'}"


def _skills(names: Any, who: str, skills: Fields) -> str:
    return f"{who} has {_and([f'{many} in {ability(skill)}' for skill, many in skills.items()]) or 'no skills'}"


def _teams(names: Any, _who: str, teams: Fields) -> str:
    told = [f"team {name}: {_and(list(_team_fields(names, each)))}" for name, each in teams.items()]
    return _and(told) or "everybody plays alone"


def _team_fields(names: Any, team: Fields) -> Iterator[str]:
    if "members" in team:
        yield f"members {_and(list(team['members']))}"
    if "cash" in team:
        yield names.money(team["cash"])


#: What a correction by hand sets.
CORRECTED: dict[str, Any] = {
    "players.class": "{who} is a {value}",
    "players.second_class": lambda names, who, value: f"{who} is also {f'a {value}' if value else 'nothing else'}",
    "players.level": "{who} is at level {value}",
    "players.ep": "{who} has {value} EP",
    "players.learned": _abilities("has learned", "nothing"),
    "players.pact": lambda names, who, value: f"{who} has {f'the {value} pact' if value else 'no pact'}",
    "players.skills": _skills,
    "players.skill_points": "{who} has {value} skill points",
    "players.used": _abilities("has used", "nothing"),
    "players.enchantments": _marks,
    "players.charmed_by": lambda names, who, value: f"{who} is charmed by {_and(list(value)) or 'nobody'}",
    "players.barkskin": ("{who} has Barkskin", "{who} has no Barkskin"),
    "players.hidden": ("{who} is hidden", "{who} is not hidden"),
    "players.hidden_by": lambda names, who, value: f"{who} is hidden by {ability(value) if value else 'nothing'}",
    "players.form": lambda names, who, value: f"{who} is {'humanoid' if value == 'humanoid' else f'in {value} form'}",
    "players.paid_here": ("{who} has paid for this stay", "{who} has not paid for this stay"),
    "players.standing_decline": _abilities("is not asked about", "nothing"),
    "players.team": lambda names, who, value: f"{who} plays {f'for team {value}' if value else 'alone'}",
    "spaces.enchantments": _marks,
    "turn.spell_cast": ("a spell has been cast in this turn", "no spell has been cast in this turn"),
    "turn.running": ("the mover runs", "the mover does not run"),
    "turn.sneaking": ("the mover sneaks", "the mover does not sneak"),
    "turn.doubled": ("the next throw counts twice", "the next throw counts once"),
    "turn.unseen": ("the mover is unseen", "the mover is not unseen"),
    "turn.lucky": ("the next throw is of three dice", "the next throw is of no extra die"),
    "turn.suggested": lambda names, who, value: f"{_and(list(value)) or 'nobody'} moves along",
    "turn.leader": lambda names, who, value: f"{value or 'nobody'} leads",
    "turn.moves": "{value} throws made in this turn",
    "turn.moved": ("the mover has moved", "the mover has not moved"),
    "turn.stepped": ("an Abundant Step was taken", "no Abundant Step was taken"),
    "turn.acted": ("an ability was used in this turn", "no ability was used in this turn"),
    "turn.jailed": ("the mover was sent to Jail", "the mover was not sent to Jail"),
    "turn.uses": lambda names, who, uses: f"used in this turn: {_and([_use(each) for each in uses]) or 'nothing'}",
    "teams": _teams,
}


def _use(word: str) -> str:
    slug, _, target = word.partition(":")
    return f"{ability(slug)} on {target}" if target else ability(slug)


CLAUSES = {
    "ability_used": "DG-3.7",
    "ability_failed": "DG-6.5",
    "ep_gained": "DG-1.14",
    "levelled_up": "DG-1.12",
    "learned": "DG-1.13",
    "trained": "DG-9.2",
    "abilities_renewed": "DG-2.2",
    "damaged": "DG-5.1",
    "warded": "DG-5.3",
    "enchanted": "DG-2.6",
    "disenchanted": "DG-2.6",
    "rent_waived": "DG-5.6",
    "hidden": "DG-2.9",
    "revealed": "DG-2.9",
    "roll_discarded": "DG-8.13",
    "conquered": "DG-6.11",
    "glyph_triggered": "DG-8.18",
    "shifted": "DG-11.11",
    "movement_forfeited": "DG-8.8",
    "turn_ended/song_of_rest": "DG-10.6",
    "turn_ended/dark_delirium": "DG-12.7",
    "drafted": "DG-13.10",
    "demolished/raze": "DG-6.8",
    "demolished/fireball": "DG-7.16",
    "demolished/wrath_of_god": "DG-8.25",
    "demolished/call_lightning": "DG-11.19",
    "jailed/pick_pockets": "DG-9.8",
    "jailed/rob_bank": "DG-9.10",
    "jailed/steal": "DG-9.18",
    "released/open_locks": "DG-9.5",
    "paid/salary": "DG-1.2",
    "paid/tax": "DG-1.4",
    "paid/jail_fine": "DG-1.4",
    "paid/free_parking": "DG-1.5",
    "paid/damage": "DG-5.1",
    "paid/casting_cost": "DG-3.6",
    "paid/pick_pockets": "DG-9.7",
    "paid/rob_bank": "DG-9.9",
    "paid/steal": "DG-9.17",
    "paid/repairs": "DG-11.21",
}

# -- decisions -------------------------------------------------------------------------------------

_LEARN = {
    "melody": "a melody",
    "primal": "a primal enchantment",
    "form": "a form",
    "blast": "an enhancement of the Eldritch Blast",
    "pact": "a pact, for good",
    "jack": "an ability of another class",
    "book": "a spell of another class",
}


def _roll(names: Any, pending: Fields) -> str:
    player, purpose = pending["player"], pending["purpose"]
    if purpose == "skill_check":
        return f"{player} throws the twenty-sided die for {ability(pending['skill'])}."
    return {
        "jail": f"{player} throws two dice: doubles lead out of Jail.",
        "utility_rent": f"{player} throws two dice for the rent.",
        "start": f"{player} throws two dice: the highest begins.",
        "far_shot": f"{player} throws the twenty-sided die for the Far Shot.",
        "intimidate": f"{player} throws the twenty-sided die to intimidate.",
        "entropic_ward": f"{player} throws one die: a 1 keeps it off.",
        "frightening_tune": f"{player} throws one die and flees backward.",
        "inspire_greatness": f"{player} throws two dice and goes on.",
    }.get(purpose, f"{player} throws.")


def _react(names: Any, pending: Fields) -> str:
    player, trigger = pending["player"], pending["trigger"]
    space = names.space(pending["space"]) if pending.get("space") else ""
    thrown = _and([str(die) for die in pending.get("dice", ())])
    return {
        "rent": f"{player}: {names.money(pending.get('amount', 0))} rent is due on {space}.",
        "pass": f"{player} comes past {pending.get('target')} on {space}.",
        "sneak_past": f"{player} sneaks past {pending.get('target')} on {space}.",
        "landing": f"{player} is on {space}, her own.",
        "go": f"{player} is at GO.",
        "doubles": f"{player} has thrown doubles.",
        "damage": f"{pending.get('attacker')} has hurt {player}: {names.money(pending.get('amount', 0))}.",
        "spell": f"{pending.get('caster')} casts {ability(pending.get('spell', ''))}. {player} can stop it.",
        "roll": f"{pending.get('roller')} throws {thrown}. {player} can undo it.",
    }.get(trigger, f"{player} may do something.")


DECISIONS: dict[str, Any] = {
    "roll": _roll,
    "react": _react,
    "accept_card": lambda n, p: f"{p['player']}: follow {n.card(p['card'])}, or ignore it?",
    "sneak_end": lambda n, p: f"{p['player']} has sneaked to {n.space(p['space'])}: hide, or come out and land?",
    "keep_dice": lambda n, p: f"{p['player']} keeps two of {_and([str(die) for die in p['dice']])}.",
    "move_to": lambda n, p: f"{p['player']} says where to go: {ability(p['purpose'])}.",
    "learn": lambda n, p: f"{p['player']} learns {_LEARN.get(p['what'], p['what'])}.",
    "draft": lambda n, p: f"{p['player']} takes a property.",
}
LABELS = {
    **{slug: each.name for slug, each in CATALOGUE.items()},
    "decline": "No",
    "accept": "Follow it",
    "ignore": "Ignore it",
    "hide": "Stay hidden",
    "come_out": "Come out",
    "infernal": "Infernal",
    "fey": "Fey",
    "dark": "Dark",
}
CHOSEN = {
    **{slug: f"uses {each.name}" for slug, each in CATALOGUE.items()},
    "decline": "lets it be",
    "accept": "follows the card",
    "ignore": "ignores the card",
    "hide": "stays hidden",
    "come_out": "comes out",
}
#: What the seats offer, with more ways than a button could say.
SEATED = {**{slug: each.name for slug, each in CATALOGUE.items()}, "train": "Train"}
USED = {
    **{slug: f"{'casts' if each.is_spell else 'uses'} {each.name}" for slug, each in CATALOGUE.items()},
    "train": "trains",
    "standing_decline": "answers for good",
}


def until(slug: str) -> str:
    """How what lies on a square ends."""
    return {
        "bless": "until it is cursed or dispelled",
        "curse": "until it is blessed or dispelled",
        "glyph": "until somebody reaches it",
    }.get(slug, "until it is laid elsewhere")


def outlook(names: Any, game: Game) -> list[str]:
    """What lies on the squares of the board, and the pot."""
    told = []
    if game.state.pot:
        told.append(f"There is {names.money(game.state.pot)} in the pot on {names.space('free-parking')}.")
    for space, marks in laid_on(game).items():
        each = [f"{effect(slug)} by {maker}, {until(slug)}" for slug, maker in marks.items()]
        told.append(f"{names.space(space)}: {'; '.join(each)}.")
    return told


def retold(_before: Game, events: list[Event]) -> list[Event]:
    """The events of one action; a bankruptcy knows whether its cash went into the pot. Rule: DG-1.4, DG-12.3"""
    if not any(e["type"] == "paid" and e["reason"] == "bankruptcy" and e["to"] == "pot" for e in events):
        return events
    return [{**e, "cash_to_pot": True} if e["type"] == "went_bankrupt" else e for e in events]


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
