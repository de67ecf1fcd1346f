"""A throw that people put in by hand, and a witness who saw other numbers: a wrong tap, or the next throw."""

from companion.observations import TokenSeen
from companion.referee.desk import Desk
from companion.referee.effects import Option
from companion.referee.hands import SURE, Faces, Throw, fits_hand, readings
from companion.referee.outlook import Outlook, Place
from companion.referee.weighing import best_space
from companion.referee.words import faces_label

NEXT_THROW = "next_throw"


def instead_of(told: Throw, seen: Throw, before: Outlook) -> Faces:
    """What was seen, as the faces that could have been thrown in place of those told; none if they could not.

    Args:
        before: the game without the throw that was told.
    """
    if before.wanted is None or before.wanted.player != told.player or not fits_hand(seen.hand, before.wanted.kinds):
        return ()
    faces = readings(seen, before.wanted.kinds, before.is_ordered)[0].faces
    return faces if before.after(faces) is not None else ()


def leads_to(faces: Faces, before: Outlook, player: str, sight: TokenSeen) -> bool:
    """Whether the token surely stands where these faces would have led it."""
    outcome, (space, p) = before.after(faces), best_space(sight)
    return outcome is not None and p >= SURE and Place(space) in outcome.spaces_for(player)


def ask_which(desk: Desk, told: Throw, seen: Throw, faces: Faces) -> None:
    """Asks what was thrown; the question hangs on the throw that was told."""
    said = told.taken or ()
    witness = "the camera saw" if seen.tower is None else "the tower says"
    text = f"{told.player}'s throw was put in as {faces_label(said)}, but {witness} {faces_label(faces)}."
    options = [
        Option(faces, f"It was {faces_label(faces)}"),
        Option(said, f"It was {faces_label(said)}"),
        Option(NEXT_THROW, "It is the next throw"),
    ]
    facts = {"player": told.player, "told": list(said), "seen": list(faces)}
    desk.ask("witnesses", told.key, text, options, picture=seen.picture, facts=facts)
