"""The rules engine: state, actions, events, decisions and refusals. Pure: no clock, no randomness.

How to write a variant
======================
One folder `companion/rules/NAME/` with a class that subclasses `Classic` (or another variant), plus one
line in `registry.VARIANTS`. Override named steps; call `super()` for what stays. Never test for the
variant's name in shared code: add a step there and override it here.

**State.** `state_type`, `player_type`, `space_type` are subclasses of `State`, `Player`, `Space`
(`companion.rules.state`) whose added fields all have defaults; `Player` and `Space` are frozen, containers in
them are tuples or mappings that are replaced whole. They are in the snapshot and in `set`/`given` by
themselves; names in `State.internal` are not. Declare `state: MyState` in the rules class to have it typed.
`statuses` and `stages` list what `status` and `stage` can be. Spaces that cannot be owned have no entry in
`state.spaces` until an event of yours makes one.

**Events.** Nothing changes a player, a space, the Bank, the pot or a field of your own except
`self.tell(EVENT)`. An event is a frozen struct with a `tag` (its `type`) and `apply(state)`
(`companion.rules.events`); list your own in `event_types = (*Classic.event_types, ...)`. Bookkeeping
without an event of its own: `note_player(name, field=value)`, `note_space(...)`, `note(...)`. Money moves by
`charge` (must be paid: opens a debt; `charge_fee` for fees), `spend` (a wish; `check_cash` first) and `receive`
(from the Bank), which all end in `transfer`.
Only the flow is set directly: `state.base` (what follows when nothing is open: `roll` or `done`),
`state.again` (a further roll is due), `state.dice`, and what `then`, `ask` and `close` keep.

**Flow.** An action runs to its end unless something has to be waited for. `self.ask(KIND, player, options,
memo={...}, **facts)` opens a decision: `choose` goes to `answer_KIND(decision, word)`; dice go to
`throw_PURPOSE(decision, dice)` if it was opened with `ask_roll(player, "2d6", PURPOSE, memo)` or has the
option `roll`; other actions look for it in `state.decisions`. The handler calls `self.close(decision)`.
`self.then(STEP, player, *args)` puts off `do_STEP(player, *args)` until the present handler has returned and
nothing is open (last put, first done; args are plain JSON values, because they are state). So to interrupt
anything: put what comes after it with `then`, and `ask`. `ask(..., blocks=False)` lets the steps go on.
`use: ABILITY` goes to `use_ABILITY(by, args)`, declared with its argument names in `abilities`.
`self.refuse(CODE, sentence)` refuses the whole action at any point; everything done in it is forgotten.

**Steps of the classic rules** (in the order of a turn; each in the module that is named after its subject):

* set-up: `fill_options`, `check_setup(names, edition, settings)`, `set_up(settings)`, `do_begin`
* turn: `next_player`, `has_turns`, `start_turn`, `turn_decisions(player)` (what is asked when a movement is due:
  put somebody else's roll first here), `movement_roll`, `movement_dice(player)`, `phase_while(pending)`
* throw: `take_throw` (before anything comes of any dice), `throw_move`, `is_double`, `third_double`,
  `move_by_roll(player, dice)` (ask for a direction here), `do_end_move` (all is settled: further roll or end)
* move: `move` = `leave`, `moved`, `pass_go`, `land` = `landed_on`, `take_effect` = `land_on_property`,
  `land_on_cards`, `land_on_tax`, `land_on_corner`
* property: `offer`, `answer_purchase`, `bidders_for`, `do_auction`, `auction_won`, `visit` (rent is due), `rent_of`,
  `is_rent_doubled`, `utility_times`, `owe_rent`, `adjusted_rent`, `settle_rent(claim)` (between owed and paid:
  reactions), `lapse_claims`
* building: `is_owner`, `check_site` = `check_group_for_building`, `check_even_building`; `check_stock`,
  `building_price`, `put_building`, `check_even_selling`, `buildings_to_sell`, `check_no_buildings`, `houses_for_hotel`
* cards: `decks`, `carry_out`, `card_EFFECT(player, card)`, `partners`
* jail: `go_to_jail`, `answer_jail`, `pay_jail_fine`, `throw_jail`, `pay_and_leave`, `do_leave_jail`
* deals: `check_partner`, `check_deal`, `check_bundle`, `hand_over_mortgages`
* ruin: `can_raise`, `go_bankrupt`, `leave_game`, `drop_affairs`, `is_decided`, `win`
* bots and tests: `suggest_KIND(decision, rng)`, `suggest_affairs`, `suggest_players` propose actions; extend them, so
  that the random games of tests/properties reach everything
* any action: `check_actor(verb, by)` (forbid verbs here), `act_VERB`, `open_choice`; after `set`: `is_still_open`,
  `check_corrected`
"""

from companion.rules.errors import BoardsideError, Refused
from companion.rules.game import Game, decide, event_from, evolve, fold, new_state, replay, snapshot_of

__all__ = [
    "BoardsideError",
    "Game",
    "Refused",
    "decide",
    "event_from",
    "evolve",
    "fold",
    "new_state",
    "replay",
    "snapshot_of",
]
