"""Random games with characters: how they begin, and what must hold in them."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.rules import Game
from companion.rules.board import board
from companion.rules.dungeonopoly.rules import CATALOGUE, Dungeonopoly
from companion.rules.dungeonopoly.state import CLASSES, PACTS, SKILLS
from companion.rules.legal import is_legal, random_action

Snapshot = dict[str, Any]
Events = list[dict[str, Any]]
#: More events cannot follow from one action: whatever chains of reactions there are come to an end.
MOST_EVENTS = 400
#: What has been used so often is left to chance.
ENOUGH = 60
#: One class of each character is of these: they have the most to choose among, one spell a turn.
MANY_SPELLS = ("wizard", "cleric", "warlock")


def check_characters(game: Game, events: Events) -> None:
    """After an action: experience, levels, what is spent, who is hidden, and that reactions end."""
    earlier = game.copy()
    earlier.undo()
    before, after = earlier.snapshot(), game.snapshot()
    assert len(events) < MOST_EVENTS
    gained = dict.fromkeys(after["players"], 0)
    for event in events:
        if event["type"] == "ep_gained":
            gained[event["player"]] += 1
    rules = Dungeonopoly(game.state)
    for name, player in after["players"].items():
        if "corrected" not in [event["type"] for event in events]:
            assert player["ep"] == before["players"][name]["ep"] + gained[name]
            assert before["players"][name]["level"] <= player["level"] <= 10
        assert player["used"] == sorted(set(player["used"]))
        assert set(player["used"]) <= set(CATALOGUE)
        assert player["hidden"] == rules.is_hidden(name)
        assert not (player["in_jail"] and player["hidden"])
        assert all(0 <= ranks <= 15 for ranks in player["skills"].values())
        assert player["skill_points"] >= 0
    check_squares(after)
    if after["teams"]:
        check_pools(after)


def check_squares(snapshot: Snapshot) -> None:
    """Each primal quality lies on one square at most; a square that cannot be owned is there only if it carries one."""
    for quality in ("entangle", "obscuring_mist", "hallow", "insect_plague", "wall_of_thorns", "antimagic_field"):
        assert sum(space["enchantments"][quality] is not None for space in snapshot["spaces"].values()) <= 1
    for slug, space in snapshot["spaces"].items():
        assert board().by_slug[slug].is_property or any(space["enchantments"].values())
        assert not (space["enchantments"]["bless"] and space["enchantments"]["curse"])


def check_pools(snapshot: Snapshot) -> None:
    """Team mates have one purse."""
    for name, team in snapshot["teams"].items():
        for member in team["members"]:
            assert snapshot["players"][member]["cash"] == team["cash"]
            assert snapshot["players"][member]["team"] == name


def eventful_game(seed: int) -> Game:
    """Characters of random levels in reach of each other, on a board that is half sold; sometimes in teams."""
    rng = random.Random(f"eventful {seed}")
    names = ["Ann", "Bob", "Cat", "Dee", "Eve"][: rng.randint(3, 5)]
    options: dict[str, Any] = {"gestalt": True}
    if seed % 3 == 2:
        options["teams"] = {"Red": names[::2], "Blue": names[1::2]}
    options["quicker"] = seed % 4 == 3
    chosen = {}
    for name in names:
        first = rng.choice(MANY_SPELLS)
        second = rng.choice([word for word in CLASSES if word != first])
        chosen[name] = Dungeonopoly.suggest_character([first, second], rng)
    game = Game.new("dungeonopoly", chosen, options)
    game.act({"set": rich_board(game, rng)})
    return game


def rich_board(game: Game, rng: random.Random) -> Snapshot:
    """A correction by hand: everybody close together and able to do much; deeds and houses for all."""
    names = [name for name, player in game.state.players.items() if player.status != "bankrupt"]
    centre = rng.randrange(40)
    learnable = [slug for slug, ability in CATALOGUE.items() if ability.choice or ability.kind == "skill"]
    players: dict[str, Any] = {}
    for name in names:
        learned = rng.sample(learnable, min(4, len(learnable)))
        players[name] = {"at": (centre + rng.choice((-1, 0, 0, 1))) % 40, "level": rng.choice((3, 10, 10)), "used": []}
        players[name] |= {
            "form": rng.choice(("humanoid", "humanoid", "humanoid", "bear", "wolf")),
            "learned": learned,
            "cash": rng.choice((40, 900, 3000)),
        }
    for name in names:
        if "warlock" in game.state.players[name].classes:
            players[name]["pact"] = rng.choice(PACTS)
        if "rogue" in game.state.players[name].classes:
            players[name]["skills"] = dict.fromkeys(SKILLS, 15)
    spaces: dict[str, Any] = {}
    stock = 32
    for slug, space in game.state.spaces.items():
        houses = space.houses
        if board().by_slug[slug].is_property and space.owner is None and rng.random() < 0.5:
            spaces[slug] = {"owner": rng.choice(names), "mortgaged": rng.random() < 0.1}
        elif board().by_slug[slug].kind == "street" and space.owner and not (space.mortgaged or space.hotel):
            houses = min(stock, rng.choice((0, 1, 3)))
            spaces[slug] = {"houses": houses}
        stock -= houses
    changes: Snapshot = {"players": players, "spaces": spaces, "bank": {"houses": max(0, stock)}}
    if game.state.options["teams"]:
        changes["teams"] = {team: {"cash": rng.choice((80, 4000))} for team in game.state.options["teams"]}
    return changes


def play_eventfully(game: Game, seed: int, actions: int, uses: Counter[str]) -> Iterator[tuple[dict[str, Any], Events]]:
    """Like a random game, but what has been used least is tried first, and the characters are put together again.

    Args:
        uses: how often each ability has been used; counted on.
    """
    rng = random.Random(seed)
    for number in range(actions):
        if game.state.winners:
            return
        action = None
        if number % 15 == 14 and not (game.state.indebted or game.state.auction or game.state.decisions):
            action = {"set": rich_board(game, rng)}
        elif rng.random() < 0.7:
            action = eventful_action(game, rng, uses)
        if action is None or not is_legal(game.state, action):
            action = random_action(game, rng, 0.05)
        if action is None:
            return
        events = game.act(action)
        uses.update(event["ability"] for event in events if event["type"] == "ability_used")
        yield action, events


def eventful_action(game: Game, rng: random.Random, uses: Counter[str]) -> dict[str, Any] | None:
    """A reaction that is asked for, or an ability of the mover: the one used least so far.

    Whoever could use a double is thrown one as long as that is rare.
    """
    rules = Dungeonopoly(game.state)
    for decision in game.state.pending:
        if decision.kind == "react":
            option = min(decision.options or (), key=lambda slug: uses[slug] if slug in CATALOGUE else ENOUGH)
            return {"choose": option, "by": decision.player}
        if decision.kind == "roll" and uses["tree_stride"] < ENOUGH and rules.knows(decision.player, "tree_stride"):
            return {"roll": [rng.randint(1, 6)] * 2, "by": decision.player}
    wishes = rules.suggest_uses(game.state.turn.player, rng)
    counts = {**uses, "sneak": min(uses["sneak"], uses["backstab"])}
    for wish in sorted(wishes, key=lambda wish: counts.get(wish["use"], 0)):
        if (counts.get(wish["use"], 0) < ENOUGH or rng.random() < 0.1) and is_legal(game.state, wish):
            return wish
    return None
