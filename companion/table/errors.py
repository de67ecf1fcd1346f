"""What the table refuses besides what the rules refuse."""

from companion.rules.errors import BoardsideError


class Stale(BoardsideError):
    """The request was made looking at an older state."""

    code = "stale"


class UnknownEntry(BoardsideError):
    """No line of the log has this number."""

    code = "unknown_entry"


class Answered(BoardsideError):
    """The question is not open any more."""

    code = "answered"
