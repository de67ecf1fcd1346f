"""The variants. Adding one is a folder and a line here."""

import functools
import importlib

from companion.rules.classic import Classic
from companion.rules.errors import Refused

#: name -> where its rules class is; loaded when first played.
VARIANTS: dict[str, str] = {
    "classic": "companion.rules.classic:Classic",
    "watch": "companion.rules.watch:Watch",
    "monopozombie": "companion.rules.monopozombie:MonopoZombie",
    "monopocalypse": "companion.rules.monopocalypse:Monopocalypse",
    "slaughterhouse": "companion.rules.slaughterhouse:Slaughterhouse",
    "dungeonopoly": "companion.rules.dungeonopoly:Dungeonopoly",
}


@functools.cache
def rules_of(variant: str) -> type[Classic]:
    """The rules class of a variant.

    Raises:
        Refused: `malformed` for a name that is not in the registry.
    """
    if variant not in VARIANTS:
        raise Refused("malformed", f"There is no variant {variant!r}; there are {', '.join(VARIANTS)}.")
    module, name = VARIANTS[variant].split(":")
    rules: type[Classic] = getattr(importlib.import_module(module), name)
    return rules
