"""The tablet's sentences, buttons and explanations."""

from typing import Any

import pytest

from companion.rules import Game, catalog
from companion.rules.events import CLASSIC_EVENTS
from companion.words import Names, action_text, event_text
from companion.words.decisions import MOST_BUTTONS, decisions
from companion.words.events import SENTENCES
from companion.words.manage import manage
from companion.words.names import hand
from companion.words.now import headline, log_text
from companion.words.why import CLAUSES, PLAIN, why
from tests.unit.table.tables import dice, line, new_table, place, play, token

NAMES = Names("classic", "classic", ({"name": "Ann", "token": "hat"}, {"name": "Bob", "token": None}))
TWD = Names("classic", "walking-dead")


def event(kind: str, **facts: Any) -> dict[str, Any]:
    return {"type": kind, **facts}


@pytest.mark.parametrize(
    ("happened", "said"),
    [
        (event("rolled", player="Ann", dice=[4, 3], purpose="move"), "Ann throws 4 and 3."),
        (event("rolled", player="Ann", dice=[4, 3], purpose="jail"), "Ann throws 4 and 3 in Jail."),
        (event("moved", player="Bob", to="vermont", how="roll", **{"from": "go"}), "Bob moves to Vermont."),
        (event("moved", player="Bob", to="jail", how="roll", **{"from": "go"}), "Bob moves to Just Visiting."),
        (event("moved", player="Bob", to="jail", how="jail", **{"from": "chance1"}), "Bob goes to Jail."),
        (event("moved", player="Bob", to="jail", how="jail", **{"from": "go"}), "Bob goes to Jail."),
        (event("rent_owed", **{"from": "Bob"}, to="Ann", space="vermont", amount=50), "Bob owes Ann $50 for Vermont."),
        (
            event("rent_owed", **{"from": "Bob"}, to="Ann", space="boardwalk", amount=2000),
            "Bob owes Ann $2,000 for Boardwalk.",
        ),
        (
            event("paid", **{"from": "bank"}, to="Ann", amount=200, reason="salary"),
            "Ann gets $200 for passing GO.",
        ),
        (event("paid", **{"from": "Ann"}, to="bank", amount=75, reason="tax"), "Ann pays $75 tax."),
        (event("paid", **{"from": "Ann"}, to="pot", amount=5, reason="spell"), "Ann pays the pot $5: spell."),
        (event("bought", player="Bob", space="oriental", price=100), "Bob buys Oriental for $100."),
        (event("auction_won", player="Bob", price=5, building="hotel"), "Bob gets a hotel for $5."),
        (event("built", player="Bob", space="baltic", houses=2, hotel=False), "Bob builds on Baltic: two houses now."),
        (event("built", player="Bob", space="baltic", houses=0, hotel=True), "Bob builds a hotel on Baltic."),
        (
            event("unbuilt", player="Bob", space="baltic", houses=0, hotel=False),
            "Bob sells on Baltic: nothing stands there now.",
        ),
        (
            event("demolished", space="baltic", houses=1, hotel=False, cause="spell", by=None),
            "Baltic is hit: one house left.",
        ),
        (
            event(
                "traded",
                player="Ann",
                give={"cash": 50, "spaces": ["baltic", "vermont"], "cards": []},
                get={"cash": 0, "spaces": [], "cards": ["get-out-of-jail-chance"]},
                **{"with": "Bob"},
            ),
            "Ann gives Bob $50, Baltic and Vermont for the card Get out of Jail free.",
        ),
        (event("jailed", player="Cat", cause="three_doubles"), "Cat goes to Jail for a third double."),
        (event("went_bankrupt", player="Cat", to="bank"), "Cat is bankrupt; everything goes to the Bank."),
        (event("game_won", winners=["Ann"], how="last_standing"), "Ann wins the game."),
        (
            event("game_won", winners=["Ann", "Bob"], how="net_worth", worth={"Ann": 1234}),
            "Ann and Bob win the game with $1,234.",
        ),
        (
            event("corrected", changes={"players": {"Ann": {"at": "jail", "in_jail": True}}}),
            "Put right by hand: Ann stands in Jail.",
        ),
        (
            event("corrected", changes={"spaces": {"baltic": {"owner": None, "hotel": True}}}),
            "Put right by hand: Baltic belongs to nobody, Baltic has a hotel.",
        ),
        # Events of variants that nobody has words for are readable all the same.
        (
            event("spell_cast", player="Dee", spell="fire_ball", on="vermont", amount=50),
            "Dee: spell cast, spell fire ball, on Vermont, amount $50.",
        ),
        (event("fog_rises", spaces=["baltic", "go"], by=None), "Fog rises, spaces Baltic and GO."),
    ],
)
def test_events_are_told_in_one_short_sentence(happened: dict[str, Any], said: str) -> None:
    assert event_text(NAMES, happened) == said


def test_every_event_of_the_classic_rules_has_a_sentence() -> None:
    tags = {str(kind.__struct_config__.tag) for kind in CLASSIC_EVENTS if not kind.hidden}
    assert tags - set(SENTENCES) == set()


def test_the_edition_names_things() -> None:
    built = event("built", player="Bob", space="oriental", houses=2, hotel=False)
    assert event_text(TWD, built) == "Bob builds on light blue 1: two Walls now."
    assert event_text(TWD, event("built", player="Bob", space="oriental", houses=0, hotel=True)).startswith(
        "Bob builds a Guard Tower"
    )
    drawn = decisions(
        TWD, Game.new("classic", ["Ann", "Bob"], edition="walking-dead", given={"players": {"Ann": {"at": "go"}}})
    )
    assert drawn[0]["text"] == "Ann throws two dice."


@pytest.mark.parametrize(
    ("action", "context", "said"),
    [
        ({"roll": [4, 3], "by": "Ann"}, {}, "Ann throws 4 and 3."),
        ({"choose": "buy", "by": "Ann"}, {"space": "baltic"}, "Ann buys Baltic."),
        ({"choose": "vermont", "by": "Ann"}, {}, "Ann chooses Vermont."),
        ({"choose": "eat_brains", "by": "Ann"}, {}, "Ann chooses: eat brains."),
        ({"use": "fire_ball", "on": "vermont", "by": "Dee"}, {}, "Dee uses fire ball: Vermont."),
        ({"bid": 1200, "by": "Ann"}, {}, "Ann bids $1,200."),
        ({"pass": True, "by": "Ann"}, {}, "Ann leaves the auction."),
        ({"set": {"pot": 50}}, {}, "Put right by hand: the pot holds $50."),
    ],
)
def test_actions_are_told_without_their_events(action: dict[str, Any], context: dict[str, Any], said: str) -> None:
    assert action_text(NAMES, action, context) == said


def test_hands_of_dice_are_named() -> None:
    assert [hand(spec) for spec in ("2d6", "d20", "2d6+d4")] == [
        "two dice",
        "one twenty-sided die",
        "two dice and one four-sided die",
    ]


# -- NOW -------------------------------------------------------------------------------------------------


def test_now_shows_the_greatest_consequence_since_the_last_throw() -> None:
    table = new_table(given={"spaces": {"vermont": {"owner": "Bob", "houses": 1}}})
    assert table.view()["now"] is None
    play(table, {"roll": [5, 3]})
    now = table.view()["now"]
    assert (now["kind"], now["headline"], now["dice"]) == ("rent", "Ann owes Bob $30 for Vermont.", [5, 3])
    assert now["lines"] == ["Ann moves to Vermont."]
    play(table, {"roll": [1, 2]})
    now = table.view()["now"]
    assert (now["kind"], now["headline"]) == ("move", "Bob moves to Baltic.")
    play(table, {"choose": "buy"})
    now = table.view()["now"]
    assert (now["entry"], now["headline"], now["dice"]) == (3, "Bob buys Baltic for $60.", [1, 2])


@pytest.mark.parametrize(
    ("automation", "said"),
    [
        ("show", "Ann owes Bob $6 for Vermont."),
        ("bank", "Ann pays Bob $6 for Vermont."),
        ("warn", "Ann moves to Vermont."),
    ],
)
def test_the_level_of_automation_changes_what_is_said(automation: str, said: str) -> None:
    table = new_table(given={"spaces": {"vermont": {"owner": "Bob"}}}, settings={"automation": automation})
    play(table, {"roll": [5, 3]})
    assert table.view()["now"]["headline"] == said
    table.undo()
    asks_for_money = any("gives" in each["text"] for each in table.view()["repair"])
    assert asks_for_money == (automation == "show")


def test_nothing_told_is_nothing_now() -> None:
    assert headline(NAMES, [(1, [event("landed_on", player="Ann", space="go")])]) is None


def test_a_line_of_the_log_tells_throw_and_consequence() -> None:
    events = [
        event("rolled", player="Ann", dice=[1, 3], purpose="move"),
        event("moved", player="Ann", to="income-tax", how="roll", **{"from": "go"}),
        event("landed_on", player="Ann", space="income-tax"),
        event("paid", **{"from": "Ann"}, to="bank", amount=200, reason="tax"),
    ]
    assert log_text(NAMES, {"roll": [1, 3]}, events) == "Ann throws 1 and 3. Ann pays $200 tax."


# -- buttons ---------------------------------------------------------------------------------------------


def shown(**given: Any) -> dict[str, Any]:
    """The first decision of a game that begins so."""
    return decisions(NAMES, Game.new("classic", ["Ann", "Bob"], given=given))[0]


def labels(decision: dict[str, Any]) -> list[str]:
    return [each["label"] for each in decision["buttons"]]


def game_with(*actions: dict[str, Any], **setup: Any) -> Game:
    game = Game.new("classic", ["Ann", "Bob"], **setup)
    for action in actions:
        game.act(action)
    return game


def test_a_purchase_offers_to_buy_first_and_says_why_not() -> None:
    rich = decisions(NAMES, game_with({"roll": [1, 2]}))[0]
    assert labels(rich) == ["Buy for $60", "Auction it"]
    assert [each["likeliest"] for each in rich["buttons"]] == [True, False]
    poor = decisions(NAMES, game_with({"roll": [1, 2]}, given={"players": {"Ann": {"cash": 10}}}))[0]
    assert labels(poor) == ["Auction it", "Buy for $60"]
    assert "$60" in poor["buttons"][1]["reason"]


def test_an_auction_has_raises_within_the_purse_for_every_bidder() -> None:
    game = game_with(
        {"roll": [1, 2]}, {"choose": "auction"}, {"bid": 40, "by": "Ann"}, given={"players": {"Bob": {"cash": 95}}}
    )
    (bob,) = decisions(NAMES, game)
    assert (bob["player"], bob["text"]) == ("Bob", "Auction of Baltic. Ann bids $40.")
    assert labels(bob) == ["$50", "$90", "Leave"]


def test_a_card_is_chosen_from_the_whole_deck() -> None:
    (draw,) = decisions(NAMES, game_with({"roll": [3, 4]}))
    assert (draw["text"], draw["buttons"]) == ("Ann draws Chance. Which card?", [])
    assert len(draw["choices"]) == len(catalog.decks()["chance"])
    assert all(each["text"] for each in draw["choices"])


def test_in_jail_there_are_money_card_and_dice() -> None:
    jailed = {"at": "jail", "in_jail": True, "cards": ["get-out-of-jail-chest"]}
    decision = shown(players={"Ann": jailed})
    assert labels(decision) == ["Pay $50", "Use the card", "Throw for doubles"]
    assert decision["fields"]["dice"] == "2d6"


def test_a_debt_waits_for_the_cash() -> None:
    given = {"players": {"Ann": {"cash": 100}}, "spaces": {"baltic": {"owner": "Ann"}}}
    (debt,) = decisions(NAMES, game_with({"roll": [1, 3]}, given=given))
    assert debt["text"] == "Ann owes the Bank $200 and has to find the cash."
    assert [(each["label"], each["enabled"]) for each in debt["buttons"]] == [("Give up", True), ("Pay $200", False)]


def test_when_the_turn_is_done_the_next_player_throws() -> None:
    (following,) = decisions(NAMES, game_with({"roll": [4, 6]}))
    assert (following["player"], following["text"], following["fields"]["dice"]) == ("Bob", "Bob is next.", "2d6")


def test_rent_to_be_asked_for_is_a_button_of_the_owner() -> None:
    game = game_with({"roll": [5, 3]}, options={"rent": "demand"}, given={"spaces": {"vermont": {"owner": "Bob"}}})
    claim = next(each for each in decisions(NAMES, game) if each["kind"] == "rent_claim")
    assert labels(claim) == ["Bob asks for $6"]
    game.act(claim["buttons"][0]["action"])
    assert game.state.players["Bob"].cash == 1506


def test_never_more_than_four_buttons() -> None:
    for actions in ([], [{"roll": [1, 2]}], [{"roll": [3, 4]}], [{"roll": [1, 2]}, {"choose": "auction"}]):
        for decision in decisions(NAMES, game_with(*actions)):
            assert len(decision["buttons"]) <= MOST_BUTTONS


def test_an_unknown_decision_still_has_its_options() -> None:
    class Odd(Game):
        @property
        def pending(self) -> list[dict[str, Any]]:
            return [{"kind": "cast_lots", "player": "Ann", "options": ["long_straw", "baltic"]}]

    game = Odd(Game.new("classic", ["Ann", "Bob"]).state)
    (decision,) = decisions(NAMES, game)
    assert decision["text"] == "Ann: cast lots?"
    assert sorted(labels(decision)) == ["Baltic", "Long straw"]


def test_what_can_be_managed_is_offered_and_what_is_lacking_said() -> None:
    given = {
        "players": {"Ann": {"cash": 60}},
        "spaces": {
            "baltic": {"owner": "Ann", "houses": 1},
            "mediterranean": {"owner": "Ann"},
            "reading": {"owner": "Bob"},
        },
    }
    offered = manage(NAMES, Game.new("classic", ["Ann", "Bob"], given=given))
    ann = {each["label"]: each["reason"] for each in offered["Ann"]}
    assert ann["Build on Mediterranean"] is None
    assert "come first" in str(ann["Build on Baltic"])
    assert ann["Sell a building on Baltic"] is None
    assert [each["label"] for each in offered["Bob"]] == ["Mortgage Reading Railroad"]


# -- why ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spaces", "throw", "clause", "sum_"),
    [
        ({"vermont": {"owner": "Bob"}}, [5, 3], "CL-5.3", "$6"),
        ({"vermont": {"owner": "Bob", "houses": 3}}, [5, 3], "CL-5.2", "$270"),
        ({"vermont": {"owner": "Bob", "hotel": True}}, [5, 3], "CL-5.2", "$550"),
        (
            {"baltic": {"owner": "Bob"}, "mediterranean": {"owner": "Bob"}},
            [1, 2],
            "CL-5.3",
            "2 × $4 = $8",
        ),
        ({"reading": {"owner": "Bob"}, "b-and-o": {"owner": "Bob"}}, [2, 3], "CL-5.5", "$50"),
    ],
)
def test_the_rent_is_explained_by_clause_and_sum(
    spaces: dict[str, Any], throw: list[int], clause: str, sum_: str
) -> None:
    table = new_table(given={"spaces": spaces})
    play(table, {"roll": throw})
    assert table.view()["now"]["why"]
    told = table.why(1)
    assert (told["clause"], told["sum"]) == (clause, sum_)
    assert catalog.clause(told["clause"]) is not None


def test_a_utilitys_rent_is_a_multiple_of_the_throw() -> None:
    table = new_table(given={"players": {"Ann": {"at": "reading"}}, "spaces": {"electric": {"owner": "Bob"}}})
    play(table, {"roll": [3, 4]}, {"roll": [2, 6]})
    told = table.why(2)
    assert (told["clause"], told["sum"]) == ("CL-5.6", "4 × 8 = $32")


def test_a_card_is_explained_with_its_text_and_who_pays_whom() -> None:
    table = new_table()
    play(table, {"roll": [3, 4]}, {"draw": "chairman"})
    told = table.why(2)
    assert told["clause"] == "CL-6.10"
    assert told["sum"] == "$50"
    assert told["inputs"] == [{"label": "Ann to Bob", "value": "$50"}]


def test_every_clause_that_is_named_is_in_the_rules() -> None:
    for number in {*CLAUSES.values(), *PLAIN}:
        assert catalog.clause(number) is not None, number
    assert set(CLAUSES.values()) <= set(PLAIN)


def test_an_event_without_a_clause_is_told_as_it_is() -> None:
    odd = event("fog_rises")
    assert why(NAMES, odd, [odd], Game.new("classic", ["Ann", "Bob"]))["text"] == "Fog rises."


# -- alternatives --------------------------------------------------------------------------------------------


def test_other_throws_are_ranked_by_what_the_camera_saw() -> None:
    table = new_table()
    table.observe(dice({4: 0.99}, {2: 0.55, 3: 0.44}))
    table.observe(token("hat", "oriental"))
    entry = table.view()["log"][0]["entry"]
    best = table.alternatives(entry)[0]
    assert (best["label"], best["action"]) == ("4 and 3: Chance", {"roll": [4, 3], "by": "Ann"})
    assert best["probability"] > 0.4
    assert sum(each["probability"] for each in table.alternatives(entry)) <= 1.0001


def test_without_a_camera_neighboring_faces_come_first() -> None:
    table = new_table()
    play(table, {"roll": [4, 2]})
    found = table.alternatives(1)
    assert {each["label"].split(":")[0] for each in found[:4]} == {"3 and 2", "5 and 2", "4 and 1", "4 and 3"}
    assert all(each["probability"] is None for each in found)
    assert len(found) == 20


def test_corrections_of_other_actions_are_what_the_rules_would_have_allowed() -> None:
    table = new_table(given={"spaces": {slug: {"owner": "Ann"} for slug in ("baltic", "mediterranean", "reading")}})
    play(
        table,
        {"build": "baltic", "by": "Ann"},
        {"roll": [3, 4]},
        {"draw": "dividend"},
        {"roll": [1, 5]},
        {"choose": "buy"},
    )
    assert [each["label"] for each in table.alternatives(1)] == ["Mediterranean"]
    assert "Bank dividend" not in [each["label"] for each in table.alternatives(3)]
    assert [each["action"] for each in table.alternatives(5)] == [{"choose": "auction", "by": "Bob"}]
    table.amend(3, table.alternatives(3)[0]["action"])
    assert line(table, 3)["status"] == "amended"
    assert place(table, "Ann") == "go"
