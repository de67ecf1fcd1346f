"""What each player's seat shows: the character, what she can do now and why not, what lies on her."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from companion.rules.dungeonopoly.abilities import LIMITED, MOVE, OPPONENT, OTHER, REACT, TURN, Ability, Use
from companion.rules.dungeonopoly.druid import MOST_BOLTS
from companion.rules.dungeonopoly.experience import EP_PER_LEVEL, QUICKER_EP_PER_LEVEL
from companion.rules.dungeonopoly.rules import CATALOGUE, Dungeonopoly
from companion.rules.dungeonopoly.state import HIGHEST_LEVEL, SKILLS, Auras, DungeonState, Wards
from companion.rules.dungeonopoly.uses import ORDER
from companion.rules.errors import Refused
from companion.rules.game import Game

Json = dict[str, Any]

WHEN = {TURN: "before or after moving", MOVE: "before the roll", REACT: "when it is asked for", "itself": "by itself"}
TRIGGERS = {
    "rent": "when she owes rent",
    "music": "when rent is due where she stands",
    "pass": "when she passes an opponent",
    "sneak_past": "when she sneaks past an opponent",
    "landing": "when she lands on her own street",
    "go": "at GO",
    "doubles": "when she throws doubles",
    "damage": "when she has taken damage",
    "spell": "when another casts a spell",
    "roll": "after any throw",
}
RANGES = {"here": "on her square", "limited": "up to {squares} away", "sight": "on the same side", "board": "anywhere"}
#: How an enchantment ends.
ENDS = {
    "mage_armor": "until the next damage",
    "slow": "until her next roll",
    "invisibility": "until her next turn",
    "shield_of_faith": "until the next damage or spell",
    "sanctuary": "until her next turn",
    "hex": "until she next collects money",
    "glitterdust": "until she would next hide",
    "charm_person": "until rent is due to her",
    "barkskin": "until she next owes money",
}
#: The most ways to use one ability that a seat lists.
MOST_WAYS = 800
#: What is chosen one after the other, with the arguments that it comes to.
Ways = Iterator[tuple[tuple[str, ...], Json]]


def seats(names: Any, game: Game) -> dict[str, Json]:
    """Per player who is in the game: class, level, experience, abilities, enchantments."""
    rules = _rules(game)
    return {name: _seat(names, rules, game, name) for name in game.state.players if rules.in_game(name)}


def laid_on(game: Game) -> dict[str, dict[str, str]]:
    """Per enchanted square what lies on it, and by whom."""
    state, found = _state(game), {}
    for space, square in state.spaces.items():
        marks = {slug: getattr(square.enchantments, slug) for slug in Wards.__struct_fields__}
        if kept := {slug: maker for slug, maker in marks.items() if maker is not None}:
            found[space] = kept
    return found


def _seat(names: Any, rules: Dungeonopoly, game: Game, player: str) -> Json:
    hero = rules.hero(player)
    per_level = QUICKER_EP_PER_LEVEL if rules.state.options["quicker"] else EP_PER_LEVEL
    to_go = None if hero.level >= HIGHEST_LEVEL else max(0, hero.level * per_level - hero.ep)
    known = [each for slug, each in CATALOGUE.items() if rules.knows(player, slug)]
    return {
        "classes": [word.capitalize() for word in hero.classes],
        "pact": hero.pact,
        "form": hero.form,
        "level": hero.level,
        "ep": hero.ep,
        "to_go": to_go,
        "hidden": hero.hidden,
        "team": _team(rules, player),
        "abilities": [_ability(names, rules, game, player, each) for each in known],
        "enchantments": _enchantments(rules, player),
        "skills": {skill: hero.skills.get(skill, 0) for skill in SKILLS} if "rogue" in hero.classes else {},
        "skill_points": hero.skill_points,
        "training": _training(game, player) if hero.skill_points else [],
    }


def _team(rules: Dungeonopoly, player: str) -> Json | None:
    """With whom she shares how much; None where everybody plays alone."""
    team = rules.hero(player).team
    if team is None:
        return None
    return {"name": team, "mates": rules.mates(player), "cash": rules.state.teams[team].cash}


def _ability(names: Any, rules: Dungeonopoly, game: Game, player: str, ability: Ability) -> Json:
    """One large button: what it does, when and on whom, the ways to use it now, or why there is none."""
    shown: Json = {
        "ability": ability.slug,
        "name": ability.name,
        "kind": ability.kind,
        "text": ability.text,
        "clause": ability.clause,
        "when": TRIGGERS.get(ability.trigger, WHEN[ability.timing]),
        "range": _range(rules, player, ability),
        "cost": ability.cost,
        "used": ability.is_single and ability.mark in rules.hero(player).used,
        "reason": None,
        "ways": [],
        "many": None,
        "declined": ability.slug in rules.hero(player).standing_decline if ability.trigger else None,
    }
    if not ability.is_usable:
        return shown
    reason = _reason(rules.moment_objections(Use(player, ability.slug))) or _reason(
        rules.right_objections(Use(player, ability.slug))
    )
    if reason is None and ability.slug == "call_lightning":
        return {**shown, **_bolts(names, rules, player)}
    if reason is None:
        reason, shown["ways"] = _ways(names, rules, player, ability)
    return {**shown, "reason": None if shown["ways"] else reason}


def _range(rules: Dungeonopoly, player: str, ability: Ability) -> str:
    if not ability.target and ability.reach != LIMITED:
        return ""
    return RANGES[ability.reach].format(squares=rules.limited_range(player))


def _reason(objections: Iterator[tuple[str, str]]) -> str | None:
    """The first objection in the order of the rules, as a sentence."""
    found = sorted(objections, key=lambda objection: ORDER.index(objection[0]))
    return found[0][1] if found else None


def _ways(names: Any, rules: Dungeonopoly, player: str, ability: Ability) -> tuple[str | None, list[Json]]:
    """Every way to use it now, and the reason why there is none."""
    ways: list[Json] = []
    reason: str | None = None
    for path, args in _arguments(names, rules, player, ability):
        try:
            clean = rules.arguments_of(ability, args)
            found = _reason(rules.objections(Use(player, ability.slug, clean)))
        except Refused as refusal:
            found = refusal.message
        if found is None and len(ways) < MOST_WAYS:
            action = {"use": ability.slug, "by": player, **args}
            ways.append({"label": ", ".join(path), "path": list(path), "action": action})
        reason = reason or found
    return reason or "There is nobody to use it on.", ways


def _arguments(names: Any, rules: Dungeonopoly, player: str, ability: Ability) -> Ways:
    """Arguments that could be meant, each with the choices that lead to it."""
    special = _SPECIAL.get(ability.slug)
    if special is not None:
        yield from special(names, rules, player)
        return
    targets: list[str | None] = [None]
    if ability.target:
        found = [name for name in rules.state.players if rules.in_game(name)]
        if ability.target == OPPONENT:
            found = [name for name in found if not rules.same_side(name, player)]
        elif ability.target == OTHER:
            found = [name for name in found if name != player]
        targets = [*found]
    squares: list[int | None] = [None]
    if "squares" in ability.needs:
        squares = [*range(1, 6), *range(-1, -6, -1)] if ability.target else [1, 2, 3, 4]
    for target, count in product(targets, squares):
        path = [] if target is None else [target]
        path += [] if count is None else [f"{abs(count)} {'forward' if count > 0 else 'back'}"]
        args: Json = {} if target is None else {"target": target}
        yield tuple(path) or (ability.name,), args if count is None else {**args, "squares": count}


def _forms(names: Any, rules: Dungeonopoly, player: str) -> Ways:
    for form in ("bear", "eagle", "mouse", "wolf", "humanoid"):
        if form == "humanoid" or form in rules.hero(player).learned:
            yield (form.capitalize(),), {"form": form}


def _squares(names: Any, rules: Dungeonopoly, player: str) -> Ways:
    for space in rules.board.slugs:
        if rules.reaches(player, space, LIMITED):
            yield (names.space(space),), {"on": space}


def _locks(names: Any, rules: Dungeonopoly, player: str) -> Ways:
    yield (player,), {}
    for name in rules.others(player):
        if rules.hero(name).in_jail:
            yield (name,), {"target": name}


def _dispelling(names: Any, rules: Dungeonopoly, player: str) -> Ways:
    """Every enchantment within range."""
    for name in (player, *rules.others(player)):
        hero = rules.hero(name)
        for slug in (*Auras.__struct_fields__, "barkskin"):
            if (slug == "barkskin" and hero.barkskin) or getattr(hero.enchantments, slug, None):
                yield (name, _name(slug)), {"enchantment": slug, "target": name}
        for caster in hero.charmed_by:
            args = {"enchantment": "charm_person", "target": name, "caster": caster}
            yield (name, f"{_name('charm_person')} by {caster}"), args
    for space in rules.board.slugs:
        for slug in ("bless", "curse", "glyph"):
            if getattr(rules.wards(space), slug):
                yield (names.space(space), _name(slug)), {"enchantment": slug, "on": space}


def _wishes(names: Any, rules: Dungeonopoly, player: str) -> Ways:
    yield ("A hotel here",), {"hotel": True}
    for slug, ability in CATALOGUE.items():
        if ability.is_spell and ability.is_usable and slug != "wish":
            for path, args in _arguments(names, rules, player, ability):
                yield (ability.name, *(step for step in path if step != ability.name)), {"spell": slug, **args}


def _forcing(names: Any, rules: Dungeonopoly, player: str) -> Ways:
    for victim in rules.opponents(player):
        for slug, ability in CATALOGUE.items():
            if ability.timing == TURN and ability.is_usable and not ability.cost and rules.knows(victim, slug):
                for path, args in _arguments(names, rules, victim, ability):
                    steps = (ability.name, *(step for step in path if step != ability.name))
                    yield (victim, *steps), {"target": victim, "forced": {"use": slug, **args}}


def _lightning(names: Any, rules: Dungeonopoly, player: str) -> Ways:
    """A storm that another's spell calls: on all opponents in reach, or one bolt."""
    options = _bolt_options(names, rules, player)
    foes: dict[str, Json] = {each["space"]: each["value"] for each in options if "target" in each["value"]}
    if len(foes) > 1:
        yield ("Every opponent in reach",), {"bolts": list(foes.values())[:MOST_BOLTS]}
    for option in options:
        yield (option["label"],), {"bolts": [option["value"]]}


_SPECIAL: dict[str, Any] = {
    "call_lightning": _lightning,
    "wild_shape": _forms,
    "glitterdust": _squares,
    "open_locks": _locks,
    "counterspell": _dispelling,
    "wish": _wishes,
    "crown_of_madness": _forcing,
}


def _bolts(names: Any, rules: Dungeonopoly, player: str) -> Json:
    """Bolts of lightning to choose from, up to seven, each on another square."""
    options = _bolt_options(names, rules, player)
    if not options:
        return {"reason": "There is nothing to strike within range."}
    action = {"use": "call_lightning", "by": player}
    return {"reason": None, "many": {"argument": "bolts", "most": MOST_BOLTS, "action": action, "options": options}}


def _bolt_options(names: Any, rules: Dungeonopoly, player: str) -> list[Json]:
    """Every bolt that would strike something."""
    options = []
    for space in rules.board.slugs:
        foes = [{"on": space, "effect": "damage", "target": name} for name in rules.here(space)]
        rest = [{"on": space, "effect": effect} for effect in ("destroy", "mortgage")]
        for bolt in (*foes, *rest):
            use = Use(player, "call_lightning", {"bolts": [bolt]})
            if _reason(rules.effect_objections(use)) is None:
                what = f"hits {bolt['target']}" if "target" in bolt else {"destroy": "a house", "mortgage": "mortgaged"}
                said = what if isinstance(what, str) else what[bolt["effect"]]
                options.append({"label": f"{names.space(space)}: {said}", "value": bolt, "space": space})
    return options


def _enchantments(rules: Dungeonopoly, player: str) -> list[Json]:
    """What lies on her: name, maker, end."""
    hero = rules.hero(player)
    found = [
        {"name": _name(slug), "by": maker, "until": ENDS[slug]}
        for slug in Auras.__struct_fields__
        if (maker := getattr(hero.enchantments, slug)) is not None
    ]
    found += [{"name": _name("charm_person"), "by": name, "until": ENDS["charm_person"]} for name in hero.charmed_by]
    if hero.barkskin:
        found.append({"name": _name("barkskin"), "by": player, "until": ENDS["barkskin"]})
    return found


def _training(game: Game, player: str) -> list[Json]:
    """One point more for each skill."""
    ways = []
    for skill in SKILLS:
        action = {"use": "train", "skill": skill, "ranks": 1, "by": player}
        try:
            game.copy().act(action)
        except Refused:
            continue
        label = f"{_name(skill)} +1"
        ways.append({"label": label, "path": [label], "action": action})
    return ways


def _name(slug: str) -> str:
    return CATALOGUE[slug].name if slug in CATALOGUE else slug.replace("_", " ").capitalize()


def _rules(game: Game) -> Dungeonopoly:
    """The rules at work on this state, for questions only."""
    return Dungeonopoly(game.state)


def _state(game: Game) -> DungeonState:
    state = game.state
    if not isinstance(state, DungeonState):
        raise TypeError(f"this is no game of Dungeonopoly but of {state.variant}")
    return state
