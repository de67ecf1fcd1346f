"""The tablet's sentences: short, active, names first.

`names` knows what things are called, `events` says what happened, `actions` what somebody did, `decisions` and
`manage` make the buttons, `why` explains, `now` chooses what is shown large.
"""

from companion.words.actions import action_text
from companion.words.events import event_text, rank
from companion.words.names import Names

__all__ = ["Names", "action_text", "event_text", "rank"]
