"""`boardside demo`: what the command line means."""

import pytest

from companion.cli.demo import demo
from companion.rules.errors import BoardsideError


def test_a_time_for_reactions_is_refused_where_nobody_waits() -> None:
    with pytest.raises(BoardsideError, match="nobody waits for reactions"):
        demo(turns=1, headless=True, reactions=30)
