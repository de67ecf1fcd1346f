"""A lean table that bots play, to be killed: prints what a tablet would be shown, line by line.

    python -m tests.integration.victim JOURNAL

For each seed on standard input a process of its own goes on with the game. It says its `pid`; before each change
`try`, and after it has been published `shown` with version and state. Seen throws, tokens, corrections and undo are
among the changes. At the end of the game it says `over` and waits to be killed. When the process has ended, however,
`gone` is said on a line of its own.
"""

import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

from companion.bots import Bots
from companion.journal import Journal
from companion.observations import DiceSeen, DieSeen, Picture, TokenSeen
from companion.rules import Refused
from companion.session import Session
from companion.table import Table


def say(what: str, **facts: Any) -> None:
    print(json.dumps({"what": what, **facts}), flush=True)


def shown(table: Table, view: dict[str, Any]) -> None:
    """What a tablet is shown, and the number of the journal's entry that it rests on."""
    seen = {key: view[key] for key in ("snapshot", "log", "questions", "repair")}
    say("shown", number=table._fold.number, version=view["version"], view=seen)


class People:
    """Bots whose throws a camera sees, and who sometimes correct what was written down."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.rng = random.Random(seed)
        self.bots = Bots(seed)
        self.throws = 0

    def go_on(self) -> bool:
        """One more change; False when the game is over."""
        chance = self.rng.random()
        if chance < 0.06 and self.table.view()["can_undo"]:
            self.table.undo()
        elif chance < 0.12:
            self.amend()
        else:
            return self.play()
        return True

    def amend(self) -> None:
        steps = [step for step in self.table.steps() if step.counts][-4:]
        for step in steps[:1]:
            for other in self.table.alternatives(step.entry)[:1]:
                self.table.amend(step.entry, other["action"])

    def play(self) -> bool:
        action = self.bots.next_action(self.table.game())
        if action is None:
            return False
        if "roll" not in action or self.rng.random() < 0.3:
            self.table.act(action)
            return True
        self.throws += 1
        picture = f"p{self.table.version}-{self.throws}"
        self.table.take_picture(Picture(id=picture, jpeg=self.rng.randbytes(2000)))
        dice = tuple(DieSeen(faces={face: self.rng.choice((0.99, 0.9))}) for face in action["roll"])
        self.table.observe(DiceSeen(dice=dice, throw=self.throws, picture=picture))
        for name, player in self.table.view()["snapshot"]["players"].items():
            if player["at"] is not None and self.rng.random() < 0.7:
                say("try")
                self.table.observe(TokenSeen(token=name, spaces={player["at"]: 0.99}))
        return True


def play(journal: Path, seed: int) -> None:
    session = Session(Journal.open(journal))
    if session.resume_newest() is None:
        session.set_up({"players": [{"name": name} for name in ("Ann", "Bob", "Cat")]})
    table = session.table
    assert table is not None
    say("ready", version=table.version, pid=os.getpid())
    session.subscribe(lambda view: shown(table, view))
    people = People(table, seed)
    is_on = True
    while is_on:
        say("try")
        try:
            is_on = people.go_on()
        except Refused as refusal:
            say("refused", message=refusal.message)
    say("over")
    signal.pause()


def main() -> None:
    for line in sys.stdin:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            play(Path(sys.argv[1]), int(line))
            os._exit(0)
        os.waitpid(child, 0)
        # The one before may have been killed in the middle of a line.
        print(flush=True)
        say("gone")


if __name__ == "__main__":
    main()
