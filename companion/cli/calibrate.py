"""`boardside calibrate`: makes, checks and lists profiles of tables."""

import json
import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from calibration.profile import CalibrationError, Profile, check, list_profiles, profiles_root, read_folder
from vision.board.outline import find_taps
from vision.live.stills import Stills
from vision.sources import open_source, parse_source

#: A camera's first pictures are dark until its exposure has settled.
_SETTLE_S = 1.5


def calibrate(
    folder: Annotated[
        Path | None, typer.Argument(help="Holds empty.jpg, taps.json and enrol_*.jpg; not needed with --camera.")
    ] = None,
    camera: Annotated[str | None, typer.Option(help="Take the pictures with this camera: 0, FILE or URL.")] = None,
    tokens: Annotated[
        str, typer.Option(help="With --camera: names of the tokens to enrol, and cop for the Cop, separated by commas.")
    ] = "",
    name: Annotated[str | None, typer.Option("--profile", help="Save under this name; without it only check.")] = None,
    taps: Annotated[bool, typer.Option(help="Find the board without taps.json with --no-taps.")] = True,
    show: Annotated[bool, typer.Option("--list", help="List the saved profiles.")] = False,
) -> None:
    """Make or check a profile; prints a JSON line, exit status 1 when something is wrong with it."""
    if show:
        for known in list_profiles():
            print(json.dumps({"profile": known, "folder": str(profiles_root() / known)}))
        return
    if (folder is None) == (camera is None):
        raise CalibrationError("Give a folder of pictures, or --camera.")
    if camera is not None:
        profile = _from_camera(camera, [token.strip() for token in tokens.split(",") if token.strip()])
    else:
        assert folder is not None
        profile = read_folder(folder, with_taps=taps)
    corners = None if profile.taps is None else np.array(profile.taps)
    problems = check(profile.empty_bgr(), corners, profile.enrol_bgr())
    saved = str(profile.save(name)) if name is not None and not problems else None
    print(json.dumps({"problems": problems, "tokens": sorted(profile.enrol_jpeg), "saved": saved}))
    raise typer.Exit(1 if problems else 0)


def _from_camera(camera: str, tokens: list[str]) -> Profile:
    """Takes the pictures one after the other; the person presses Enter for each."""
    empty = _take(camera, "Clear the board, then press Enter")
    corners = find_taps(empty)
    enrol = {token: _take(camera, f"Put {token} alone on GO, then press Enter") for token in tokens}
    return Profile.of(empty, corners, enrol)


def _take(camera: str, prompt: str) -> NDArray[np.uint8]:
    typer.prompt(prompt, default="", show_default=False, err=True)
    return settled_picture(camera)


def settled_picture(camera: str) -> NDArray[np.uint8]:
    """A picture of a source in the syntax of `--camera`, once its exposure has had time to settle; see `Stills`.

    Raises:
        CalibrationError: it ends without a picture.
    """
    spec = parse_source(camera)
    source = open_source(spec)
    try:
        began, stills, frame = time.monotonic(), Stills(), source.read()
        if frame is None:
            raise CalibrationError(f"There is no picture from {spec.label}.")
        while frame is not None:
            stills.feed(frame.shot, frame.t_ns)
            if not spec.is_live or time.monotonic() - began >= _SETTLE_S:
                break
            frame = source.read()
        return stills.picture()
    finally:
        source.close()
