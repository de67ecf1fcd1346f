"""What the networks of dice learn from: chapters of pictures, made meanwhile, and shown in ever other light."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    import torch

for needed in ("torch", "onnx", "matplotlib"):
    pytest.importorskip(needed, reason=f"training needs {needed}: install the extra `training`")


def samples(values: list[int]) -> list[np.ndarray]:
    """Even pictures of these levels, each with its level as what is right."""
    levels = np.array(values)
    pictures = np.broadcast_to(levels[:, None, None, None], (len(levels), 8, 8, 3)).astype(np.uint8)
    return [pictures, np.full(len(levels), 0.8, np.float32), levels[:, None].astype(np.float32)]


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is shown in its own light."""
    monkeypatch.setattr("vision.training.on_dice.colored", lambda x, _: x)


def seen(source: Any, size: int = 200) -> tuple["torch.Tensor", "torch.Tensor"]:
    shown, right = source.batch(size)
    return shown, right[:, 0]


@pytest.mark.usefixtures("plain")
def test_the_latest_samples_are_kept_and_shown_with_what_is_right_of_them() -> None:
    from vision.dice.crops import planes
    from vision.training.on_dice import DiceData

    source = DiceData(4 * (8 * 8 * 3 + 8), 3, 1)
    source.add(samples([10, 20]))
    assert set(seen(source)[1].tolist()) == {10, 20}
    source.add(samples([30, 40]))
    assert set(seen(source)[1].tolist()) == {10, 20, 30, 40}
    source.add(samples([50, 60]))
    shown, right = seen(source)
    assert set(right.tolist()) == {30, 40, 50, 60}
    assert source.added == 6
    for one, level in zip(shown, right, strict=True):
        assert one.numpy() == pytest.approx(planes(np.full((8, 8, 3), int(level), np.uint8)), abs=1e-5)


def test_as_many_are_kept_as_come_at_once_however_few_may_be() -> None:
    from vision.training.on_dice import DiceData

    source = DiceData(0, 3, 1)
    source.add(samples([1, 2, 3]))
    source.add(samples([4, 5, 6]))
    assert set(seen(source)[1].tolist()) == {4, 5, 6}


@pytest.mark.usefixtures("plain")
def test_against_the_empty_table_all_planes_are_shown_as_they_are_read() -> None:
    from vision.dice.crops import CHANNELS, COCKED_CHANNELS, shown
    from vision.training.on_dice import DiceData
    from vision.training.samples import UNKNOWN

    now, then = (np.random.default_rng(k).integers(0, 256, (8, 8, 3), dtype=np.uint8) for k in (1, 2))
    pictures = np.concatenate([now, then], axis=2)[None]
    for view, channels in ((0.7, CHANNELS), (0.7, COCKED_CHANNELS), (UNKNOWN, COCKED_CHANNELS)):
        source = DiceData(0, channels, 1)
        source.add([pictures, np.array([view], np.float32), np.zeros((1, 1), np.float32)])
        right = shown(now, then, view)[:channels]
        if view == UNKNOWN:
            right[3:] = 0
        assert seen(source, 1)[0][0].numpy() == pytest.approx(right, abs=1e-5)


def test_light_and_colors_differ_but_are_the_same_now_and_then() -> None:
    import torch

    from vision.training.on_dice import colored

    rng = np.random.default_rng(3)
    one = torch.from_numpy(rng.uniform(60, 190, (3, 16, 16)).astype(np.float32))
    out = colored(one.repeat(400, 2, 1, 1), torch.Generator().manual_seed(5))
    assert out.shape == (400, 6, 16, 16)
    assert float(out.min()) >= 0
    assert float(out.max()) <= 255
    now, then = out[:, :3], out[:, 3:]
    is_quiet = (now == then).flatten(1).all(1)
    assert 0.7 < float(is_quiet.float().mean()) < 0.9, "noise alone is not the same"
    levels = now.mean((2, 3))
    assert float(levels.std(0).min()) > 10, "of every channel"
    spread = now.std((1, 2, 3)) / one.std()
    assert float(spread.min()) < 0.6
    assert float(spread.max()) > 1.4
    close = (now - one).abs().flatten(1).mean(1)
    assert float(close.min()) < 1, "some are left nearly as they are"


def flat(levels: list[float], count: int, seed: int) -> "torch.Tensor":
    """Means of the channels (count, 3) of an even picture of such channels, in as many lights."""
    import torch

    from vision.training.on_dice import colored

    one = torch.tensor(levels)[:, None, None].expand(3, 8, 8)
    return colored(one.repeat(count, 1, 1, 1), torch.Generator().manual_seed(seed)).mean((2, 3))


def test_channels_are_swapped_of_some_alone() -> None:
    levels = flat([20.0, 120.0, 220.0], 600, 2)
    assert float((levels.amax(1) - levels.amin(1)).min()) > 15
    orders = [tuple(one) for one in levels.argsort(1).tolist()]
    assert 0.1 < np.mean([order != (0, 1, 2) for order in orders]) < 0.35, "a sixth of a quarter falls in its own order"
    assert len(set(orders)) == 6


def test_what_is_gray_is_tinted_seven_times_in_ten() -> None:
    levels = flat([120.0, 120.0, 120.0], 600, 4)
    assert 0.6 < float((levels.amax(1) - levels.amin(1) > 1.5).float().mean()) < 0.8


def _twice(number: int) -> int:
    return 2 * number


def test_what_is_made_meanwhile_comes_in_its_order() -> None:
    from vision.training.meanwhile import AHEAD, made

    count = AHEAD + 3
    assert list(made(_twice, ((number,) for number in range(count)), 1)) == [2 * number for number in range(count)]


@pytest.mark.parametrize("name", ["dice_finder", "table_dice_reader", "dice_numerals", "dice_cocked"])
def test_a_chapter_is_the_same_by_the_same_seed_and_another_by_its_number(name: str) -> None:
    from vision.networks import MODELS
    from vision.training.dice import Lesson, chapter, network_of
    from vision.training.on_dice import DiceData

    counts = {"pictures": 4, "numbered": 12, "tables": 1, "photographs": 2, "samples": 16}
    lesson = Lesson(name, 3, None, counts, Path(MODELS), is_taught=True)
    first, again, other = (chapter(lesson, number) for number in (0, 0, 1))
    assert all(len(part) == 16 for part in first)
    assert all(np.array_equal(one, same) for one, same in zip(first, again, strict=True))
    assert not np.array_equal(first[0], other[0])
    network, loss, _, channels = network_of(lesson)
    source = DiceData(0, channels, 1)
    source.add(first)
    told, *right = source.batch(8)
    assert np.isfinite(float(loss(network(told), *right).detach()))


def test_what_lies_cocked_is_in_the_chapters_of_what_tells_it() -> None:
    from vision.networks import MODELS
    from vision.training.dice import Lesson, gather

    counts = {"pictures": 12, "numbered": 0, "tables": 1, "photographs": 2, "samples": 16}

    def share(name: str) -> float:
        lesson = Lesson(name, 3, None, counts, Path(MODELS), is_taught=True)
        rows = np.concatenate([one.rows for one in gather(lesson, 0, np.random.default_rng(1)).examples])
        return float(rows[rows[:, 0] == 0, 6].mean())

    assert share("dice_reader") < 0.25 < share("dice_cocked")
