"""What the networks learn from that see bands of a board: windows that are changed, and what is right to say."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.board import bands as bd
from vision.pieces.streets import COLUMNS, HOUSES, ROWS

if TYPE_CHECKING:
    from vision.training.on_bands import Changes, FinderData, StreetData

pytest.importorskip("torch", reason="training needs torch: install the extra `training`")

TOKEN, HOUSE, HOTEL = 0, 1, 2
#: Where pieces of the bands below have their feet [column, row].
FEET = np.array([[101.0, 40.0], [262.0, 62.0], [377.0, 30.0]])


def table(visible: float = 1.0, hidden: float = 0.0, kind: int = TOKEN) -> dict[str, Any]:
    """Four bands of gray, each with a bright spot about every one of `FEET`."""
    columns, rows = np.meshgrid(np.arange(bd.WIDTH), np.arange(bd.HEIGHT))
    far = [(columns - column) ** 2 + (rows - row) ** 2 for column, row in FEET]
    spots = 60 + 120 * np.exp(-np.min(far, axis=0) / 8)
    labels = np.array([[kind, column, row, visible, hidden] for column, row in FEET])
    return {
        "now": np.repeat(spots[None, ..., None].astype(np.uint8), 4, axis=0).repeat(3, axis=3),
        "before": np.full((4, bd.HEIGHT, bd.WIDTH, 3), 60, np.uint8),
        "lean": np.full((4, 2, bd.HEIGHT // 8, bd.WIDTH // 8), 125, np.uint8),
        "level": np.full(4, 110.0),
        "labels": [labels] * 4,
        "covered": np.zeros((4, bd.WIDTH)),
        "strip": 0.3,
    }


def finder_data(made: dict[str, Any]) -> "FinderData":
    from vision.training.on_bands import FinderData

    source = FinderData(1, np.random.default_rng(4))
    source.add(made)
    return source


def unchanged(n: int) -> "Changes":
    """No changes of n windows."""
    from vision.training.on_bands import Changes

    paints = np.tile(np.arange(3), (n, 1))
    same = {"mirrored": np.zeros(n, bool), "shift": np.zeros((n, 2)), "contrast": np.ones(n), "paints": paints}
    return Changes(**same, gains=np.ones((n, 2, 3)), blur=np.zeros((n, 2)), noise=np.zeros((n, 2)), leans=np.ones(n))


def levels(seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """Planes as levels, 0-255."""
    return seen * 255 + bd.NOTHING


def test_a_window_that_is_not_changed_is_seen_as_it_is_and_mirrored_the_other_way_round() -> None:
    source, made = finder_data(table()), table()
    how = unchanged(2)._replace(mirrored=np.array([False, True]))
    seen = levels(source.seen(np.array([0, 3]), np.array([64, 64]), (bd.HEIGHT, 192), how).numpy())
    now = made["now"][0, :, 64 : 64 + 192].transpose(2, 0, 1)
    assert np.allclose(seen[0, :3], now, atol=0.01)
    assert np.allclose(seen[0, 3:6], 60, atol=0.01)
    assert np.allclose(seen[1, :3], now[..., ::-1], atol=0.01)
    assert np.allclose(seen[0, 6:], 125, atol=0.01)
    assert np.allclose(seen[1, 6], 2 * bd.NOTHING - 125, atol=0.01), "what leans to the right leans to the left"
    assert np.allclose(seen[1, 7], 125, atol=0.01)


def test_colors_blur_and_place_of_a_window_are_changed_as_they_are_said_to_be() -> None:
    made = table()
    made["before"][:] = made["now"]
    made["now"][..., 2] = 20
    source, plain = finder_data(made), unchanged(1)
    size = (bd.HEIGHT, 192)

    def seen(**how: Any) -> NDArray[np.float32]:
        return levels(source.seen(np.array([0]), np.array([64]), size, plain._replace(**how)).numpy())[0]

    as_it_is = seen()
    assert np.allclose(seen(paints=np.array([[2, 0, 1]]))[:6], as_it_is[[2, 0, 1, 5, 3, 4]], atol=0.01)
    moved = seen(shift=np.array([[3.0, -2.0]]))
    assert np.allclose(moved[:3], as_it_is[:3], atol=0.01), "the picture itself stays"
    assert np.allclose(moved[3:6, 10:80, 13:180], as_it_is[3:6, 12:82, 10:177], atol=0.01)
    soft = seen(blur=np.array([[1.2, 0.0]]))
    assert soft[0].max() < as_it_is[0].max() - 20
    assert np.allclose(soft[3:6], as_it_is[3:6], atol=0.01)
    lit = seen(gains=np.array([[[1.1, 1.0, 0.9], [1.0, 1.0, 1.0]]]))
    assert np.allclose(lit[:3], as_it_is[:3] * np.array([1.1, 1.0, 0.9])[:, None, None], atol=0.02)
    assert np.allclose(seen(leans=np.array([1.5]))[6:], bd.NOTHING + 15, atol=0.01)
    dark = finder_data(made | {"level": np.full(4, 55.0)})
    brighter = levels(dark.seen(np.array([0]), np.array([64]), size, plain).numpy())[0]
    assert np.allclose(brighter[2], 40, atol=0.01), "boards of any light are seen as bright"


def test_feet_are_to_be_found_where_they_are_seen_whatever_is_done_to_a_window() -> None:
    source = finder_data(table())
    told = 0
    for _ in range(6):
        x, right, counts = (part.numpy() for part in source.batch(8))
        assert (counts == 1).all()
        assert right[:, 1:].max() < 1e-6
        for seen, wanted in zip(x[:, :3].mean(1), right[:, TOKEN], strict=True):
            for down, across in np.argwhere(wanted > 0.8):
                row, column = 2 * down, 2 * across
                about = seen[max(row - 3, 0) : row + 5, max(column - 3, 0) : column + 5]
                beyond = seen[max(row - 12, 0) : row + 14, max(column - 12, 0) : column + 14]
                assert about.max() == pytest.approx(beyond.max(), abs=0.12)
                assert about.max() > np.median(seen) + 0.05
                told += 1
    assert told > 40


def test_of_pieces_that_hardly_show_nothing_is_to_be_said_and_those_under_papers_are_not_there() -> None:
    _, right, counts = (part.numpy() for part in finder_data(table(visible=0.3)).batch(16))
    assert right.max() < 0.01
    assert 0 < (counts[:, TOKEN] == 0).mean() < 0.1
    assert (counts[:, HOUSE:] == 1).all()
    _, right, counts = (part.numpy() for part in finder_data(table(hidden=0.5)).batch(16))
    assert right.max() < 0.01
    assert (counts[:, TOKEN] == 0).any()
    _, right, counts = (part.numpy() for part in finder_data(table(hidden=1.0)).batch(16))
    assert right.max() < 0.01
    assert (counts == 1).all()


def test_of_a_street_all_is_right_that_may_be_said_of_what_hardly_shows() -> None:
    from vision.training.on_bands import right_answers

    def answers(*pieces: tuple[int, float, float, float], hidden: float = 0.0) -> list[int] | None:
        labels = np.array([[*piece, hidden] for piece in pieces]).reshape(-1, 5)
        right = right_answers(labels, 200.0, 12.0)
        return None if right is None else [int(k) for k in np.flatnonzero(right)]

    near = bd.INNER_ROWS + 6.0
    one, other = (HOUSE, 195.0, near, 1.0), (HOUSE, 207.0, near, 1.0)
    assert answers() == [0]
    assert answers(one, other) == [2]
    assert answers(one, (HOUSE, 207.0, near, 0.2)) == [1, 2]
    assert answers((HOTEL, 200.0, near, 1.0)) == [HOUSES]
    assert answers((HOTEL, 200.0, near, 0.1), one) == [1, HOUSES + 1]
    assert answers(one, (HOUSE, 240.0, near, 1.0)) == [1], "another street's"
    assert answers(one, (HOUSE, 200.0, near + 30, 1.0)) == [1], "it stands beside its strip"
    assert answers(one, (TOKEN, 200.0, near, 1.0)) == [1]
    assert answers(one, hidden=0.2) is None
    assert answers(*[one] * 5) is None


def test_streets_are_shown_with_the_number_of_houses_that_stand_on_them() -> None:
    source = street_data()
    seen = set()
    for _ in range(8):
        shown, right = (part.numpy() for part in source.batch(16))
        assert shown.shape == (16, 8, ROWS, COLUMNS)
        middle = levels(shown[:, :6, 10:40, 20:44]).mean((1, 2, 3))
        for level, answer in zip(middle, right, strict=True):
            (houses,) = np.flatnonzero(answer)
            assert houses == round((level - 40) / 40)
            seen.add(int(houses))
    assert seen == {0, 1, 2, 3}


def street_data() -> "StreetData":
    """Streets as bright as there are houses on them."""
    from vision.board.layout import STREETS
    from vision.training.on_bands import StreetData

    made = table()
    made["labels"] = [[] for _ in range(4)]
    for k, street in enumerate(STREETS):
        side, middle = street // 10, (bd.WIDTH - 1) / 2 - (street % 10 - 5) * bd.UNIT_PX
        about = slice(round(middle - 18), round(middle + 18))
        for name in ("now", "before"):
            made[name][side, :, about] = 40 + 40 * (k % 4)
        made["labels"][side] += [[HOUSE, middle + 8 * j - 8, bd.INNER_ROWS + 6.0, 1.0, 0.0] for j in range(k % 4)]
    made["labels"] = [np.array(labels).reshape(-1, 5) for labels in made["labels"]]
    source = StreetData(1, np.random.default_rng(4))
    source.changes = unchanged  # type: ignore[method-assign]
    source.add(made)
    return source


def rendered(frames: int = 2) -> dict[str, Any]:
    """A table as `pieces_data` renders it, before it is photographed."""
    rng = np.random.default_rng(6)
    reference = rng.integers(40, 200, (4, bd.HEIGHT, bd.WIDTH, 3)).astype(np.uint8)
    labels = [[f, side, TOKEN, 100.0 + 90 * k, 40.0, 1.0] for f in range(frames) for side in range(4) for k in range(4)]
    return {
        "reference": reference,
        "bands": np.stack([reference // 2] * frames),
        "lean": np.zeros((frames, 4, 2, bd.HEIGHT // 8, bd.WIDTH // 8), np.uint8),
        "labels": np.array(labels),
        "strip": np.array(0.3),
    }


def test_bands_are_photographed_in_the_light_of_the_picture_and_papers_hide_what_lies_below(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from vision.training import old_pictures

    made = rendered()
    monkeypatch.setattr(old_pictures, "_NEUTRAL", 1.0)
    monkeypatch.setattr(old_pictures, "PLAIN", 1.0)
    plain = old_pictures.photographed(made, np.random.default_rng(3))
    assert (plain["now"].reshape(made["bands"].shape) == made["bands"]).all()
    assert np.abs(plain["before"].astype(float) - plain["now"]).mean() < 8
    assert [len(labels) for labels in plain["labels"]] == [4] * 8
    assert not plain["covered"].any()
    monkeypatch.setattr(old_pictures, "PLAIN", 0.0)
    told = [old_pictures.photographed(made, np.random.default_rng(seed)) for seed in range(6)]
    shares = np.concatenate([labels[:, 4] for one in told for labels in one["labels"]])
    assert 0 < np.count_nonzero(shares == 1) < np.count_nonzero(shares == 0)
    for one in told:
        changed = np.abs(one["now"].astype(float) - plain["now"]).mean((1, 2, 3))
        hides = np.array([(labels[:, 4] > 0).any() for labels in one["labels"]])
        assert (changed[hides] > 2).all()
        assert ((one["covered"] >= 0) & (one["covered"] <= 1)).all()


def test_a_camera_s_tone_is_that_of_the_picture_and_of_the_empty_board(monkeypatch: pytest.MonkeyPatch) -> None:
    from vision.training import old_pictures

    made = rendered()
    monkeypatch.setattr(old_pictures, "PLAIN", 1.0)
    monkeypatch.setattr(old_pictures, "_NEUTRAL", 0.0)
    monkeypatch.setattr(old_pictures, "_VIVID", (1.0, 1.0))
    for seed in range(4):
        toned = old_pictures.photographed(made, np.random.default_rng(seed))
        assert np.abs(toned["before"].astype(float) - toned["now"]).mean() < 12
        assert np.abs(toned["level"] - toned["before"].mean((1, 2, 3))).max() < 4
        now = toned["now"].reshape(made["bands"].shape)[0].astype(float)
        powers = np.log(now / 255) / np.log(made["bands"][0] / 255)
        assert np.ptp(np.quantile(powers, [0.05, 0.95])) < 0.03, "one curve for all of a picture"
        assert abs(powers.mean() - 1) > 0.02
    gray = old_pictures.toned(np.array([[[50.0, 80, 170]]]), 1.0, 1.5)
    assert gray[0, 0] == pytest.approx([25, 70, 205])
