"""Profiles are saved and loaded whole; wrong taps and pictures are told in a sentence."""

import os
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.checks import check_taps
from calibration.profile import (
    ABANDONED_S,
    MOST_EXAMPLES,
    CalibrationError,
    Profile,
    check,
    decode,
    list_profiles,
    read_folder,
)
from companion.cli.desk import Desk
from tests.vision.table_sets import virtual_table
from vision.pixels import Image
from vision.virtual.scene import HandPose

SIZE = (1280, 720)
GOOD = np.array([[950.0, 640.0], [360.0, 556.0], [490.0, 116.0], [940.0, 165.0]])
TOKENS = ("red_pawn", "blue_pawn")


def some_profile() -> Profile:
    pictures = virtual_table(3, TOKENS).pictures
    return Profile.of(pictures.empty_bgr, pictures.taps_px, pictures.enrol)


def test_profile_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    profile = some_profile()
    profile.save("Kitchen table", tmp_path)
    assert Profile.load("Kitchen table", tmp_path) == profile
    assert list_profiles(tmp_path) == ["Kitchen table"]


def test_saving_again_leaves_nothing_of_the_old_one(tmp_path: Path) -> None:
    profile = some_profile()
    profile.save("k", tmp_path)
    fewer = Profile(empty_jpeg=profile.empty_jpeg, taps=profile.taps)
    folder = fewer.save("k", tmp_path)
    assert Profile.load("k", tmp_path) == fewer
    assert sorted(path.name for path in folder.iterdir()) == ["empty.jpg", "profile.json"]
    assert [path.name for path in tmp_path.iterdir()] == ["k"]


class Plug(BaseException):
    """Pulled."""


def test_a_plug_that_is_pulled_while_a_profile_is_saved_leaves_the_old_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = some_profile(), Profile(empty_jpeg=b"new", taps=some_profile().taps)
    steps, found = 0, set()
    while "new" not in found:
        old.save("k", tmp_path)
        left = steps

        def pulled(*_: object, **__: object) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Plug

        def after(step: Callable[..., object]) -> Callable[..., object]:
            return lambda *arguments, **more: (pulled(), step(*arguments, **more))[1]

        with monkeypatch.context() as patch:
            for owner, name in ((Path, "replace"), (Path, "mkdir"), (Path, "open"), (shutil, "rmtree")):
                patch.setattr(owner, name, after(getattr(owner, name)))
            try:
                new.save("k", tmp_path)
            except Plug:
                pass
            else:
                found.add("whole")
        assert list_profiles(tmp_path) == ["k"]
        loaded = Profile.load("k", tmp_path)
        assert loaded in (old, new)
        found.add("new" if "whole" in found else "old")
        steps += 1
    assert found == {"old", "new", "whole"}
    assert steps > 5


@pytest.mark.parametrize("step", [lambda root: some_profile().save("k", root), list_profiles], ids=["save", "start"])
def test_what_a_killed_save_left_is_swept_and_what_another_writes_is_not(
    tmp_path: Path, step: Callable[[Path], object]
) -> None:
    some_profile().save("k", tmp_path)
    some_profile().save("9", tmp_path)
    for name, age_s in ((".k.4711", 2 * ABANDONED_S), (".other table.1", 2 * ABANDONED_S), (".k.4712", 0.0)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "empty.jpg").write_bytes(b"half")
        written = time.time() - age_s
        os.utime(tmp_path / name, (written, written))
    os.utime(tmp_path / "9", (0, 0))
    step(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".k.4712", "9", "k"]


def test_two_threads_save_one_table_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = some_profile()
    desk = Desk("k", tmp_path, profile)
    learning = threading.Thread(target=desk.keep, args=("red_pawn", b"learned"))
    save, saving = Profile.save, []

    def interrupted(profile: Profile, name: str, root: Path | None) -> Path:
        saving.append(profile)
        if learning.ident is None:
            learning.start()
            learning.join(0.5)
            assert len(saving) == 1, "the other has to wait"
        return save(profile, name, root)

    monkeypatch.setattr(Profile, "save", interrupted)
    desk.enrol("blue_pawn", profile.enrol_jpeg["blue_pawn"])
    learning.join()
    assert Profile.load("k", tmp_path).examples_png == {"red_pawn": (b"learned",)}


def test_examples_come_back_and_only_the_newest_are_kept(tmp_path: Path) -> None:
    profile = some_profile()
    desk = Desk("k", tmp_path, profile)
    for number in range(MOST_EXAMPLES + 2):
        desk.keep("red_pawn", bytes([number]))
    desk.keep("somebody's hat", b"not enrolled")
    saved = Profile.load("k", tmp_path)
    assert saved.examples_png == {"red_pawn": tuple(bytes([number]) for number in range(2, MOST_EXAMPLES + 2))}
    again = Desk("k", tmp_path, saved)
    assert again.profile() == saved.settings()
    again.enrol("red_pawn", profile.enrol_jpeg["red_pawn"])
    assert Profile.load("k", tmp_path).examples_png == {}, "shown again, it is learned anew"


def test_pictures_come_back_nearly_as_taken() -> None:
    pictures = virtual_table(3, TOKENS).pictures
    saved = some_profile().empty_bgr().astype(int)
    assert np.abs(saved - pictures.empty_bgr.astype(int)).mean() < 2


@pytest.mark.parametrize("name", ["../evil", "", ".hidden", "a/b", "x" * 65])
def test_names_that_are_no_folder_names_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot name a profile"):
        some_profile().save(name, tmp_path)


def test_unknown_profile_names_those_there_are(tmp_path: Path) -> None:
    some_profile().save("here", tmp_path)
    with pytest.raises(CalibrationError, match="saved profiles: here"):
        Profile.load("there", tmp_path)


def test_damaged_profile_says_so(tmp_path: Path) -> None:
    folder = some_profile().save("k", tmp_path)
    (folder / "profile.json").write_text('{"format": 1, "taps": "none"}')
    with pytest.raises(CalibrationError, match="damaged"):
        Profile.load("k", tmp_path)


def test_bytes_that_are_no_picture_are_refused() -> None:
    with pytest.raises(CalibrationError, match="take it again"):
        decode(b"not a picture")


def test_folder_of_pictures_makes_a_profile(tmp_path: Path) -> None:
    profile = some_profile()
    assert profile.taps is not None
    (tmp_path / "empty.jpg").write_bytes(profile.empty_jpeg)
    (tmp_path / "enrol_red_pawn.jpg").write_bytes(profile.enrol_jpeg["red_pawn"])
    with pytest.raises(CalibrationError, match="--no-taps"):
        read_folder(tmp_path)
    (tmp_path / "taps.json").write_text('{"empty.jpg": [[1, 2], [3, 4], [5, 6]]}')
    with pytest.raises(CalibrationError, match="3 corners"):
        read_folder(tmp_path)
    (tmp_path / "taps.json").write_text('{"empty.jpg": [[1, 2], [3, 4], [5, 6], [7, 8]]}')
    assert read_folder(tmp_path).taps == ((1, 2), (3, 4), (5, 6), (7, 8))
    assert list(read_folder(tmp_path, with_taps=False).enrol_jpeg) == ["red_pawn"]


@pytest.mark.parametrize(
    ("taps", "sentence"),
    [
        (GOOD[:3], "Four corners"),
        (GOOD + np.array([2000, 0]), "outside the picture"),
        (GOOD[[0, 2, 1, 3]], "cross over"),
        (GOOD[::-1], "wrong way"),
        (GOOD * 0.2 + 300, "px across"),
    ],
)
def test_wrong_taps_are_told(taps: np.ndarray, sentence: str) -> None:
    problems = check_taps(np.asarray(taps, float), SIZE)
    assert any(sentence in problem for problem in problems), problems


def test_good_taps_pass() -> None:
    assert check_taps(GOOD, SIZE) == []


def test_good_pictures_pass() -> None:
    pictures = virtual_table(3, TOKENS).pictures
    assert check(pictures.empty_bgr, pictures.taps_px, pictures.enrol) == []
    assert Profile.from_pictures(pictures.empty_bgr, pictures.taps_px, pictures.enrol).taps is not None


def test_picture_without_a_token_is_told_by_name() -> None:
    pictures = virtual_table(3, TOKENS).pictures
    problems = check(pictures.empty_bgr, pictures.taps_px, {"hat": pictures.empty_bgr})
    assert problems == ["No token stands on GO in the picture of “hat”: put it alone on GO and take it again."]


def on_go(*tokens: str, hand: bool = False) -> Image:
    table = virtual_table(3, TOKENS)
    setting = table.setting(5)
    for token in tokens:
        setting.put_token(token, 0)
    scene = setting.scene()
    return table.picture(replace(scene, hands=(HandPose(0.0, 0.0, 0.02, 0.5, "fist", 1),)) if hand else scene, seed=9)


def problems_of(**enrol: Image) -> list[str]:
    pictures = virtual_table(3, TOKENS).pictures
    return check(pictures.empty_bgr, pictures.taps_px, enrol)


def test_a_token_is_shown_alone_and_without_a_hand() -> None:
    assert problems_of(hat=on_go("red_pawn", "blue_pawn")) == [
        "Two tokens stand on GO in the picture of “hat”: leave only that one and take it again."
    ]
    assert problems_of(hat=on_go("red_pawn", hand=True)) == [
        "A hand is over the board in the picture of “hat”: take it away and take it again."
    ]


def test_a_token_in_a_blurred_picture_is_taken_again() -> None:
    sharp = on_go("red_pawn")
    assert problems_of(hat=cv2.GaussianBlur(sharp, (0, 0), 0.5)) == []
    assert problems_of(hat=cv2.GaussianBlur(sharp, (0, 0), 2.0)) == [
        "The picture of “hat” is blurred: wait until camera and token are still, and take it again. Where it stays so,"
        " take the one of the empty board again."
    ]


def test_a_token_that_is_shown_twice_is_told() -> None:
    told = (
        "The pictures of “{}” and “{}” show the same token: put the other one on GO, alone, and take it again. Two that"
        " look the same cannot be told apart."
    )
    again, other = on_go("red_pawn"), on_go("blue_pawn")
    pictures = virtual_table(3, TOKENS).pictures
    shown = pictures.enrol["red_pawn"]
    assert problems_of(hat=shown, car=again) == [told.format("car", "hat")]
    assert problems_of(hat=shown, car=other) == []
    assert check(pictures.empty_bgr, pictures.taps_px, {"car": again}, {"hat": shown}) == [told.format("car", "hat")]
    old = {"hat": shown, "boot": again}
    assert check(pictures.empty_bgr, pictures.taps_px, {"car": other}, old) == [], "of others nothing is told"


def test_taps_off_the_board_are_told() -> None:
    pictures = virtual_table(3, TOKENS).pictures
    middle = pictures.taps_px.mean(0)
    problems = check(pictures.empty_bgr, middle + (pictures.taps_px - middle) * 0.6, {})
    assert problems
    assert "lines between the spaces" in problems[0]


def test_dark_and_small_pictures_are_told() -> None:
    assert "next to nothing" in check(np.zeros((720, 1280, 3), np.uint8), GOOD, {})[0]
    assert "1280 by 720" in check(np.zeros((200, 300, 3), np.uint8), GOOD, {})[0]
    with pytest.raises(CalibrationError, match="next to nothing"):
        Profile.from_pictures(np.zeros((720, 1280, 3), np.uint8), GOOD)
