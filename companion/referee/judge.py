"""Decides about the throws: taken at once, by the token, by what followed, or by people."""

from collections.abc import Sequence
from typing import Any

from companion.observations import COP, TokenSeen
from companion.referee.context import Context, is_same_action
from companion.referee.desk import MOST_OPTIONS, Open
from companion.referee.effects import Choice, Note, Option
from companion.referee.hands import LIKELY, SURE, Faces, Reading, Throw, alike, fits_hand, is_sure, readings, tower_dice
from companion.referee.outlook import Outlook, Wanted
from companion.referee.retakes import ONLY_LAST, Retakes
from companion.referee.standing import FOLLOWED
from companion.referee.stories import MOST_THROWS, first_steps
from companion.referee.throws import ThrowLog, action_of
from companion.referee.tokens import Tokens
from companion.referee.told import NEXT_THROW, ask_which, instead_of, leads_to
from companion.referee.voids import Voids
from companion.referee.weighing import Weighed, buttons, likely, weigh, will_be_told
from companion.referee.words import decision_text, faces_label, maybe_moved, next_member, unread, wrong_dice

#: Readings below this joint probability are not worth a button.
WORTH = 0.01
THROW_AGAIN, INSTEAD = "throw_again", "instead"
#: Share of one reading in all that lead to the token's space from which on the token shows that it is right.
PLAIN = 0.9


class Judge:
    """Every throw is taken once, by turn order, as soon as it is certain what it was."""

    def __init__(self, context: Context, tokens: Tokens, log: ThrowLog, retakes: Retakes) -> None:
        self._context = context
        self._tokens = tokens
        self._log = log
        self._retakes = retakes
        self._voids = Voids(context, tokens, log)

    def consider(self) -> None:
        """Decides about the throw that has waited longest."""
        if self._retakes.proceed():
            return
        if self._log.disputed is not None:
            self._take_back(self._log.disputed)
            return
        if not self._log.waiting:
            self._take_again()
            return
        throw, look = self._log.waiting[0], self._context.look
        told = self._contradicted(throw)
        if told is not None:
            self._settle_told(told, throw)
            return
        if self._log.last is not None:
            self._withdraw_told(self._log.last)
        if look.is_over:
            self._drop(throw, "The game is over; the throw does not count.")
            return
        if look.wanted is None or self._is_refused(throw):
            self._wait_for_decision(throw)
            return
        self._context.desk.withdraw("decision", "decision", "It has been decided.")
        if self._voids.is_void(throw, look.wanted):
            self._log.drop(throw)
            self._withdraw(throw, "It was thrown again.")
            self.consider()
            return
        if look.wanted.group and self._by_members(look.wanted):
            return
        if self._may_be_second(throw, look.wanted):
            self._by_story()
            return
        if not fits_hand(throw.hand, look.wanted.kinds):
            self._settle_wrong_hand(throw, look.wanted)
        elif throw.is_disputed:
            if not self._by_token(throw, look.wanted, self._disputed(throw)):
                self._ask_witnesses(throw)
        elif throw.is_sure:
            self._take_sure(throw, look.wanted)
        else:
            self._settle_unsure(throw, look.wanted)

    def _take_back(self, throw: Throw) -> None:
        """The game has a throw that its other witness contradicts. Rule 6."""
        self._log.disputed = None
        if throw is self._log.last and self._log.steps_since() == 0:
            self._log.reopening = throw
            self._context.act({"undo": True}, because="Camera and tower differ.")
        else:
            self._ask_witnesses(throw)

    def _contradicted(self, throw: Throw) -> Throw | None:
        """The last throw, if it was put in by hand and this may be what was really thrown: no token has moved yet."""
        last = self._log.last
        if last is None or last.is_witnessed or throw.is_next or not throw.is_sure or self._log.standing is None:
            return None
        is_fresh = self.unplayed is not None and self._log.steps_since() == 0 and len(self._log.waiting) == 1
        return last if is_fresh and instead_of(last, throw, self._before(last)) else None

    def _settle_told(self, told: Throw, throw: Throw) -> None:
        """Other numbers were put in than lie there: the token decides, or people."""
        before, player = self._before(told), told.player or ""
        faces = instead_of(told, throw, before)
        if self._tokens.has_left(player) and leads_to(faces, before, player, self._tokens.sights[player]):
            self._answer_told(told, faces)
        else:
            ask_which(self._context.desk, told, throw, faces)

    def _answer_told(self, told: Throw, choice: Choice) -> None:
        throw = self._log.waiting[0]
        if isinstance(choice, str):
            throw.is_next = choice == NEXT_THROW
            return
        self._withdraw_told(told)
        self._log.unite(told, throw)
        self._correct(told, choice, because="Other numbers had been put in.")

    def _withdraw_told(self, told: Throw) -> None:
        if not told.is_witnessed:
            self._context.desk.withdraw("witnesses", told.key, "It is clear now.")

    def _is_refused(self, throw: Throw) -> bool:
        """The game waits for a throw, but for something else before it."""
        look = self._context.look
        if look.wanted is None or not fits_hand(throw.hand, look.wanted.kinds):
            return False
        best = readings(throw, look.wanted.kinds, False)[0]
        return look.after(best.faces) is None and look.decision() is not None and not look.wanted.is_choice

    def _take_sure(self, throw: Throw, wanted: Wanted) -> None:
        found = readings(throw, wanted.kinds, self._context.look.is_ordered)
        best = found[0]
        orders = [reading for reading in found if alike(reading.faces, best.faces)]
        same = [reading for reading in orders if self._context.look.is_same(reading.faces, best.faces)]
        rivals = [reading for reading in orders if reading not in same and reading.probability >= LIKELY]
        if rivals and not self._by_token(throw, wanted, found):
            self._ask_order(throw, wanted, [best, *rivals])
        elif not rivals:
            self._take(throw, best.faces, sum(each.probability for each in same), "The dice were read surely.")

    def _settle_unsure(self, throw: Throw, wanted: Wanted) -> None:
        """Rule 2: the token decides, or people."""
        found = readings(throw, wanted.kinds, self._context.look.is_ordered)
        # The token may have followed the next one.
        is_last = self._voids.is_last(throw)
        if self._by_token(throw, wanted, found) if is_last else self._by_story():
            return
        # A tilted die does not count: nobody moves before it has been thrown again.
        can_wait = will_be_told(found, self._context.look, wanted.player) and not throw.is_cocked and not throw.is_asked
        if can_wait and self._is_awaited(throw, wanted):
            if throw.is_read and not self._log.hands_on:
                self._tell(throw, maybe_moved(throw.best))
            return
        arrived = self._voids.arrived(throw)
        weighed = self._weighed(wanted, found, arrived)
        if is_last and arrived and weighed and min(weighed[0].probability, weighed[0].fit) >= SURE:
            self._take(throw, weighed[0].faces, weighed[0].probability, "The token shows which reading is right.")
        elif throw.is_plain and self._as_good_as_first(found) >= SURE:
            self._take(throw, found[0].faces, found[0].probability, "Whichever it was, it comes to the same.")
        elif not self._voids.may_lie_there(throw, wanted, can_wait):
            self._ask_dice(throw, wanted, weighed)

    def _settle_wrong_hand(self, throw: Throw, wanted: Wanted) -> None:
        """Rule 5: nothing is taken, unless the token shows what it was."""
        found = readings(throw, wanted.kinds, self._context.look.is_ordered)
        if not self._voids.is_last(throw):
            # The token may have followed the next one.
            if self._by_story():
                return
            if self._log.standing is None and fits_hand(self._log.waiting[1].hand, wanted.kinds):
                self._drop(throw, "It was thrown again.")
                self.consider()
                return
        elif self._tokens.has_left(wanted.player) and self._by_token(throw, wanted, found):
            return
        if self._voids.may_lie_there(throw, wanted, can_wait=True):
            return
        seen = len(throw.dice)
        differ = seen == len(wanted.kinds)
        text = wrong_dice(wanted.player, seen, wanted.spec, differ)
        if not differ and self._may_be_miscounted(throw, wanted, found):
            self._tell(throw, text.removesuffix(" Which count?"))
            return
        arrived = self._log.arrived_since(throw)
        options: list[Option] = []
        if not differ and (seen > len(wanted.kinds) or arrived):
            weighed = self._weighed(wanted, found, arrived)
            options = buttons([w for w in weighed if w.probability >= LIKELY][:3])
        options.append(Option(THROW_AGAIN, "Throw again"))
        facts = {"player": wanted.player, "wanted": wanted.spec, "seen": list(throw.best)}
        self._ask(throw, text, options, facts)

    def _by_members(self, wanted: Wanted) -> bool:
        """A group's dice, thrown one after the other; False where the throws are no such shares. Rule: MZ-10.5"""
        share, members = len(wanted.kinds) // len(wanted.group), len(wanted.group)
        thrown = self._log.waiting[:members]
        if not all(throw.is_sure and fits_hand(throw.hand, wanted.kinds[:share]) for throw in thrown):
            return False
        first, newest = thrown[0], len(thrown) - 1
        if len(thrown) < members:
            text = next_member(wanted.group[newest], thrown[newest].best, wanted.group[newest + 1], share)
            facts = {"player": wanted.player, "wanted": wanted.spec, "seen": list(thrown[newest].best)}
            self._ask(first, text, [Option(THROW_AGAIN, "Throw again")], facts)
            return True
        faces = tuple(face for throw in thrown for face in throw.best)
        for later in thrown[1:]:
            first.add_picture(later.picture)
            self._log.drop(later)
        self._take(first, faces, SURE, "The group threw one after the other.")
        return True

    def _may_be_miscounted(self, throw: Throw, wanted: Wanted, found: list[Reading]) -> bool:
        """It may be only the camera that misses a die or takes something for one: the token will show what it was."""
        is_watched = self._log.standing is not None
        will_be = will_be_told(found, self._context.look, wanted.player)
        return is_watched and will_be and self._is_awaited(throw, wanted)

    def _is_awaited(self, throw: Throw, wanted: Wanted) -> bool:
        """The token that will tell what was thrown is seen, and has yet to move, and so have all others."""
        if not self._voids.is_last(throw) or self._tokens.is_out_of_sight(wanted.player, self._log.standing):
            return False
        return not self._tokens.has_left(wanted.player) and not self._log.arrived_since(throw)

    def _tell(self, throw: Throw, text: str) -> None:
        """A line on the tablet, once; nothing to answer."""
        if not throw.is_told:
            throw.is_told = True
            self._context.desk.effects.append(Note(text=text, about="dice", picture=throw.picture))

    def _weighed(self, wanted: Wanted, found: list[Reading], arrived: dict[str, float] | None = None) -> list[Weighed]:
        """Readings weighed with where the mover's token stands, or else with where `arrived` has any token."""
        sight = self._tokens.sights.get(wanted.player) if self._tokens.has_left(wanted.player) else None
        if sight is None and arrived:
            sight = TokenSeen(token=wanted.player, spaces=arrived)
        home = self._context.look.place(wanted.player)
        return weigh(found, self._context.look, wanted.player, home, sight)

    def _by_token(self, throw: Throw, wanted: Wanted, found: list[Reading]) -> bool:
        """Takes the one reading that the token's space fits; False when there is none or more than one."""
        best = self._shown_by_token(throw, wanted, found)
        if best is not None:
            self._take_shown(throw, wanted, best)
        return best is not None

    def _take_shown(self, throw: Throw, wanted: Wanted, best: Weighed) -> None:
        throw.add_picture(self._tokens.sights[wanted.player].picture)
        told = "which reading is right" if best.probability >= SURE else "what the dice come to"
        self._take(throw, best.faces, best.probability, f"The token shows {told}.")

    def _shown_by_token(self, throw: Throw, wanted: Wanted, found: list[Reading]) -> Weighed | None:
        """The reading that the token's space fits; where several do that come to the same, the likeliest."""
        if not self._tokens.has_left(wanted.player):
            return None
        weighed = self._weighed(wanted, found)
        fitting = [w for w in weighed if w.fit >= SURE - 1e-9]
        # Of faces that lead to one space the dice must tell, and what makes several of them unsure they share.
        least = PLAIN if sum(not is_sure(die) for die in throw.dice) <= 1 else SURE
        is_plain = bool(fitting) and fitting[0].probability >= least * sum(w.probability for w in fitting)
        if is_plain and fitting[0].reading.probability >= LIKELY:
            return fitting[0]
        return weighed[0] if throw.is_plain and self._as_good_as_first(weighed) >= SURE else None

    def _as_good_as_first(self, found: Sequence[Weighed | Reading]) -> float:
        """Share of the first and of those that come to the same."""
        look, worth = self._context.look, [each for each in found if each.probability >= WORTH]
        return sum(each.probability for each in worth if look.is_as_good(each.faces, found[0].faces))

    def _may_be_again(self) -> Throw | None:
        """The last throw, if what the camera saw of it may be the next, of the same numbers."""
        last, wanted = self._log.last, self._context.look.wanted
        if last is None or not last.is_late or wanted is None:
            return None
        return last if fits_hand(last.dice, wanted.kinds) else None

    def _take_again(self) -> None:
        """The token shows that the numbers last told on the tablet were thrown once more."""
        last, wanted = self._may_be_again(), self._context.look.wanted
        if last is None or wanted is None:
            return
        best = self._shown_by_token(last, wanted, readings(last, wanted.kinds, self._context.look.is_ordered))
        if best is not None:
            self._take_shown(self._log.thrown_again(last), wanted, best)

    def _by_story(self) -> bool:
        """What the table did since makes the first of the waiting throws certain, or void."""
        throw = self._log.waiting[0]
        before = throw.before if self._is_ahead(throw) else None
        sights, trails = self._tokens.sights, self._tokens.trails
        steps = first_steps(self._context.game, self._log.waiting, sights, trails, before)
        if not steps:
            return False
        action, probability, confidence = steps[0].action, steps[0].probability, steps[0].confidence
        is_sure, is_roll = probability >= SURE, action is None or "roll" in action
        if not (is_sure or (is_roll and len(self._log.waiting) > MOST_THROWS)) or (steps[0].is_stuck and not is_roll):
            return False
        if steps[0].is_unseen and action is not None:
            throw = self._log.add_before(throw)
            self._take(throw, tuple(action["roll"]), confidence, "The token shows a throw that I did not see.")
        elif action is None:
            self._drop(throw, "The throw did not count; another came in its place.")
            self.consider()
        elif "roll" in action:
            because = "What followed shows what it was." if is_sure else "It is the likeliest; put it right if not."
            self._take(throw, tuple(action["roll"]), confidence, because)
        else:
            self._context.act(
                action, because="The table went on so.", evidence=tuple(throw.pictures), confidence=probability
            )
        return True

    def _is_ahead(self, throw: Throw) -> bool:
        """Before this throw somebody's token stood where nothing had sent it: a throw may have been overlooked."""
        wanted = self._context.look.wanted
        if throw.before is None or wanted is None:
            return False
        place = self._context.look.place(wanted.player)
        return place is not None and self._tokens.stood_elsewhere(wanted.player, throw.before)

    def _may_be_second(self, throw: Throw, wanted: Wanted) -> bool:
        """The token has gone elsewhere than this throw leads, before it was thrown."""
        if not self._is_ahead(throw):
            return False
        found = readings(throw, wanted.kinds, self._context.look.is_ordered)
        sight = self._tokens.sights.get(wanted.player)
        weighed = weigh(found, self._context.look, wanted.player, self._context.look.place(wanted.player), sight)
        return not any(w.fit >= LIKELY and w.reading.probability >= LIKELY for w in weighed)

    def _wait_for_decision(self, throw: Throw) -> None:
        """Rule 4: the throw is kept until the decision is answered."""
        decision = self._context.look.decision()
        if decision is None:
            return
        if self._tells_apart(decision) and self._by_story():
            return
        kept = next((each for each in self._log.waiting if each.is_plain), None)
        if kept is None:
            return
        throw, space = kept, self._context.name(decision["space"]) if "space" in decision else ""
        text = f"{decision_text(decision, space)} The throw {faces_label(throw.best)} is kept until then."
        options = [Option(str(o), str(o).replace("_", " ").capitalize()) for o in decision.get("options", ())]
        if self._retakes.may_replace(throw):
            options = [*options[: MOST_OPTIONS - 1], Option(INSTEAD, ONLY_LAST)]
        facts = {"player": decision.get("player"), "decision": decision["kind"], "kept": list(throw.best)}
        self._context.desk.ask("decision", "decision", text, options, picture=throw.picture, facts=facts)

    def _tells_apart(self, decision: dict[str, Any]) -> bool:
        """Only where some token was seen to have moved is there anything to weigh."""
        return bool(decision.get("options")) and any(self._tokens.has_left(token) for token in self._tokens.sights)

    def reach(self) -> dict[str, dict[str, float]]:
        """For whoever's throw waits, the share of spaces on which the token may stand by now."""
        look, last = self._context.look, self._log.last
        ways = {} if self._log.waiting else self._retakes.ways_out()
        if ways and last is not None and last.player is not None:
            return {last.player: dict.fromkeys(ways, FOLLOWED / len(ways))}
        throw = self._log.waiting[0] if self._log.waiting else self._may_be_again()
        if throw is None or look.wanted is None:
            return {}
        found = readings(throw, look.wanted.kinds, look.is_ordered)
        outcomes = [outcome for r in likely(found) or found[:1] if (outcome := look.after(r.faces)) is not None]
        spaces = {place.space for outcome in outcomes for place in outcome.spaces_for(look.wanted.player)}
        return {look.wanted.player: dict.fromkeys(spaces, FOLLOWED / max(len(spaces), 1))}

    # Taking and asking

    def _take(self, throw: Throw, faces: Faces, confidence: float, because: str) -> None:
        look = self._context.look
        if look.wanted is None or look.after(faces) is None:
            self._wait_for_decision(throw)
            return
        self._log.take(throw, faces, look.wanted.player)
        self._withdraw(throw, "It is clear now.")
        action, evidence = look.roll(faces), tuple(throw.pictures)
        is_read = confidence >= SURE or (throw.is_known and alike(throw.best, faces))
        self._context.act(action, because=because, evidence=evidence, confidence=confidence, is_read=is_read)

    def _drop(self, throw: Throw, text: str) -> None:
        self._log.drop(throw)
        self._withdraw(throw, text)
        self._context.desk.effects.append(Note(text=text, about="dice", picture=throw.picture))

    def _withdraw(self, throw: Throw, because: str) -> None:
        for about in ("dice", "witnesses"):
            self._context.desk.withdraw(about, throw.key, because)
        if not self._log.waiting:
            self._context.desk.withdraw("decision", "decision", because)

    def _ask(self, throw: Throw, text: str, options: list[Option], facts: dict[str, Any]) -> None:
        throw.is_asked = True
        self._context.desk.ask("dice", throw.key, text, options, picture=throw.picture, facts=facts)

    def _ask_dice(self, throw: Throw, wanted: Wanted, weighed: list[Weighed]) -> None:
        options = buttons([w for w in weighed if w.probability >= WORTH][:4] or weighed[:4])
        text = unread(throw.dice, self._tokens.has_left(wanted.player))
        if throw.is_cocked:
            options = [*options[: MOST_OPTIONS - 1], Option(THROW_AGAIN, "Throw again")]
        elif throw.is_read and not throw.is_plain:
            text = "Were the dice thrown, or only moved?"
            options = [*options[: MOST_OPTIONS - 1], Option(THROW_AGAIN, "Only moved")]
        facts = {"player": wanted.player, "wanted": wanted.spec}
        self._ask(throw, text, options, facts)

    def _ask_order(self, throw: Throw, wanted: Wanted, found: list[Reading]) -> None:
        options = [Option(r.faces, ", ".join(map(str, r.faces)), r.probability) for r in found]
        facts = {"player": throw.player, "wanted": wanted.spec}
        self._ask(throw, "Which of the dice was the extra one? It is the last.", options, facts)

    def _disputed(self, throw: Throw) -> list[Reading]:
        """What the tower and the camera say, each for itself."""
        wanted = self._context.look.wanted
        assert wanted is not None
        assert throw.tower is not None
        told = Reading(throw.tower.faces, 0.5)
        seen = readings(Throw(camera=throw.camera), wanted.kinds, False)[:1]
        return [told, *(Reading(reading.faces, 0.5) for reading in seen)]

    def _ask_witnesses(self, throw: Throw) -> None:
        if throw.tower is None or throw.camera is None:
            return
        seen = Throw(camera=throw.camera).best
        options = [
            Option(throw.tower.faces, f"Tower: {faces_label(throw.tower.faces)}", 0.5),
            Option(seen, f"Camera: {faces_label(seen)}", 0.5),
        ]
        text = f"The tower says {faces_label(throw.tower.faces)}, the camera {faces_label(seen)}. Which is right?"
        thrown = "+".join(die.kind for die in tower_dice(throw.tower))
        facts = {"tower": list(throw.tower.faces), "camera": list(seen), "wanted": thrown}
        self._context.desk.ask("witnesses", throw.key, text, options, picture=throw.picture, facts=facts)

    # What people and others did

    def answer(self, entry: Open, choice: Choice) -> None:
        """Dice named, a witness believed, a decision answered."""
        if entry.question.about == "decision":
            self._answer_decision(entry, str(choice))
            return
        throw = self._log.find(entry.subject)
        if throw is not None and entry.question.about == "witnesses" and not throw.is_witnessed:
            if self._log.waiting:
                self._answer_told(throw, choice)
            return
        if isinstance(choice, str):
            if throw is not None and throw in self._log.waiting:
                self._drop(throw, "Throw again." if throw.is_plain else "The dice were only moved.")
            return
        if throw is None or throw.taken is not None or throw.is_void:
            self._correct(throw, choice)
        elif throw in self._log.waiting and self._context.look.wanted is not None:
            following = self._log.waiting[1:2]
            if following and alike(following[0].best, choice) and not alike(throw.best, choice):
                self._drop(throw, "It was thrown again.")
            else:
                self._take(throw, choice, 1.0, "It was said on the tablet.")

    def _answer_decision(self, entry: Open, option: str) -> None:
        if option == INSTEAD:
            self._retakes.replace()
            return
        decision = self._context.look.decision()
        if decision is not None and option in decision.get("options", ()):
            self._context.act({"choose": option, "by": decision["player"]}, because="It was said on the tablet.")

    def doubt(self, player: str, choice: Choice) -> None:
        """The dice were misread, or a throw was missed: asks which, the readings that lead to the token first."""
        throw = self._doubtful(player)
        if not isinstance(choice, str):
            self._correct(throw, choice)
            return
        picture, subject = (throw.picture, throw.key) if throw is not None else (None, 0)
        wanted = self._before(throw).wanted
        text, facts = f"What did {player} throw?", {"player": player, **({"wanted": wanted.spec} if wanted else {})}
        self._context.desk.ask("dice", subject, text, self.guesses(player), picture=picture, facts=facts)

    def _doubtful(self, player: str) -> Throw | None:
        """The throw that may have been misread: the newest, unless its move has been seen done."""
        last = self._log.last
        return last if last is not None and self.sent(player) and not last.is_closed else None

    def guesses(self, player: str) -> list[Option]:
        """Throws that would have led the player's token to where it was seen, likeliest first."""
        throw = None if self._log.waiting else self._doubtful(player)
        taken = throw.taken if throw is not None and throw.taken is not None else ()
        weighed = [w for w in self.weighed_again(player) if not alike(w.faces, taken)]
        return buttons([w for w in weighed if w.fit >= LIKELY][:3] or weighed[:3])

    def weighed_again(self, player: str) -> list[Weighed]:
        """All readings of the player's throw weighed with where the token stands now, likeliest first.

        The throw is the first that waits, or else the newest if it was this player's and may have been
        misread, or else one that nobody saw.
        """
        throw = self._log.waiting[0] if self._log.waiting else self._doubtful(player)
        look = self._before(throw)
        if look.wanted is None or look.wanted.player != player:
            return []
        found = readings(throw or Throw(), look.wanted.kinds, look.is_ordered)
        sight = self._tokens.sights.get(player) if self._tokens.has_left(player) else None
        return weigh(found, look, player, look.place(player), sight)

    def _before(self, throw: Throw | None) -> Outlook:
        """The game as it stood before the newest throw; for any other as it stands."""
        is_last = throw is not None and throw is self._log.last
        return Outlook(self._log.game_before() if is_last else self._context.game)

    def _correct(self, throw: Throw | None, faces: Faces, because: str = "The dice had been misread.") -> None:
        """Puts other faces in the place of those that the game was given, or gives it a throw that nobody saw."""
        if throw is None or throw.taken is None:
            if self._context.look.wanted is not None and self._context.look.after(faces) is not None:
                self._take(self._log.add(), faces, 1.0, "It was said on the tablet.")
            return
        if alike(throw.taken, faces):
            return
        old = action_of(throw)
        if not any(is_same_action(action, old) for action in self._context.game.actions):
            return
        throw.taken = faces
        self._context.act(
            {"roll": list(faces), "by": throw.player},
            because=because,
            evidence=tuple(throw.pictures),
            replaces=old,
        )

    def acted(self, action: dict[str, Any], events: list[dict[str, Any]], *, is_own: bool) -> None:
        """An action was done, the referee's own or another."""
        if "undo" in action:
            self.rebased()
        elif "roll" in action and not is_own:
            rolled = next((event for event in events if event["type"] == "rolled"), {})
            throw = self._log.told_by_hand(tuple(action["roll"]), rolled.get("player", action.get("by")))
            self._withdraw(throw, "It was said on the tablet.")
        for throw in self._log.older():
            self._withdraw(throw, "The table went on.")

    def rebased(self) -> None:
        """The game was folded again."""
        throw, self._log.reopening = self._log.reopening, None
        undone = self._log.forget_undone()
        if undone is not None and undone is throw:
            self._log.reopen(throw)
        elif undone is not None:
            self._withdraw(undone, "It was taken back.")

    # What others ask

    def sent(self, player: str) -> bool:
        """Whether the newest throw sent this player's token."""
        return self._log.last is not None and self._log.last.player == player

    @property
    def unplayed(self) -> str | None:
        """Whose throw the newest is, as long as its move has not been seen done."""
        last = self._log.last
        if last is None or last.player is None or last.is_closed:
            return None
        return last.player if self._tokens.is_under_way(last.player) else None

    def has_stayed(self, player: str) -> bool:
        """Whether the newest throw was this player's and freed nobody from Jail."""
        place = self._context.look.place(player)
        return self._doubtful(player) is not None and place is not None and place.in_jail

    def is_doubted(self, player: str) -> bool:
        """Whether dice and token together speak for another reading than the one that was taken."""
        throw = self._doubtful(player)
        if throw is None or throw.taken is None or not self._tokens.has_left(player):
            return False
        weighed = self.weighed_again(player)
        return bool(weighed) and not alike(weighed[0].faces, throw.taken)

    def may_explain(self, token: str) -> bool:
        """Whether a throw that waits may be why the token stands where it does.

        The Cop is moved at the end of a turn, by hands that may be quicker than the last tap. Rule: SL-7.3
        """
        if token == COP and (self._log.waiting or self._context.look.is_under_way):
            return True
        if not self._log.waiting:
            return False
        wanted = self._context.look.wanted
        return wanted is None or wanted.player == token or len(self._log.waiting) > 1

    def close(self, player: str) -> None:
        """The player's token was seen where the newest throw sent it."""
        if self._log.last is not None and self._log.last.player == player:
            self._log.last.is_closed = True
            self._withdraw(self._log.last, f"{player}'s token stands where the dice lead.")
            if self._log.waiting:
                self.consider()
