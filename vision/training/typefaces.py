"""Typefaces in which the numerals of dice are drawn that the networks learn from: those that come with matplotlib."""

from functools import lru_cache
from pathlib import Path

#: Beginnings of the names of those with usual figures; the others hold symbols.
_USUAL = ("DejaVuSans", "DejaVuSerif", "STIXGeneral", "cmb10", "cmr10", "cmss10", "cmtt10")


@lru_cache(maxsize=1)
def typefaces() -> tuple[str, ...]:
    """Files of TrueType fonts, bold ones three times: figures on dice mostly are."""
    import matplotlib

    files = sorted((Path(matplotlib.get_data_path()) / "fonts" / "ttf").glob("*.ttf"))
    usual = [str(file) for file in files if file.stem.startswith(_USUAL) and "Display" not in file.stem]
    return tuple(file for file in usual for _ in range(3 if "Bol" in file or "cmb" in file else 1))
