"""The root of every error that Boardside raises, and the refusals of the rules."""


class BoardsideError(Exception):
    """Something that people at the table can be told about in one sentence.

    Attributes:
        code: stable snake_case word for programs.
        message: one sentence for people: what is wrong, what is expected, what to do.
    """

    code = "error"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code

    def as_json(self) -> dict[str, str]:
        """The one shape in which errors leave the program."""
        return {"error": self.code, "message": self.message}


class Refused(BoardsideError):
    """The rules do not allow an action; the state is unchanged."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message, code)
