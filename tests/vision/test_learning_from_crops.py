"""What the recognizer of tokens learns from: crops that are changed, and which token each is by a look at others."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.board.bands import CROP_PX, FOOT_ROW

if TYPE_CHECKING:
    from vision.training.on_crops import RecognizerData

pytest.importorskip("torch", reason="training needs torch: install the extra `training`")

TOKENS, FEW = 16, 3
FOOT = np.array([CROP_PX / 2, FOOT_ROW])


def table(off: tuple[float, float] = (2.0, -1.0)) -> dict[str, NDArray[Any]]:
    """Three looks at tokens of metal, each a bright spot at its foot, which is so far beside the crop's; and one more
    at each, so far beside it that its foot is to be put right first."""
    names = np.concatenate([np.repeat(np.arange(TOKENS), FEW), np.arange(TOKENS)])
    columns, rows = np.meshgrid(*[np.arange(CROP_PX)] * 2)
    away = (columns - FOOT[0] - off[0]) ** 2 + (rows - FOOT[1] - off[1]) ** 2
    spot = np.repeat((60 + 70 * np.exp(-away / 18))[..., None], 3, axis=2).astype(np.uint8)
    return {
        "crops": np.stack([spot] * len(names)),
        "grounds": np.full((len(names), CROP_PX, CROP_PX, 3), 60, np.uint8),
        "names": names,
        "kinds": np.zeros(TOKENS, int),
        "off": np.where(np.arange(len(names))[:, None] < TOKENS * FEW, off, [8.0, 2.0]),
        "lies": np.zeros(len(names), bool),
        "enrol": np.arange(len(names)) % FEW == 0,
    }


def learned_from(seed: int = 4) -> "RecognizerData":
    from vision.training.on_crops import RecognizerData

    source = RecognizerData(1, np.random.default_rng(seed))
    source.add(table())
    return source


def test_a_crop_that_is_not_changed_is_seen_as_it_is() -> None:
    source = learned_from()
    plain = np.repeat(np.eye(2, 3)[None], 2, axis=0)
    seen = source.seen(np.array([0, 5]), plain, (np.ones((2, 3)), np.zeros(2), np.zeros(2)))
    crop = table()["crops"][0].astype(float) * 110 / 60
    assert np.allclose((seen[0, :3].numpy() + 0.45) * 255, np.clip(crop.transpose(2, 0, 1), 0, 255), atol=0.5)
    blurred = source.seen(np.array([0, 5]), plain, (np.ones((2, 3)), np.array([0, 1.5]), np.zeros(2)))
    assert np.allclose(blurred[0], seen[0], atol=1e-6)
    assert blurred[1, :3].max() < seen[1, :3].max()
    assert np.allclose(blurred[1, :3, ::63, ::63], seen[1, :3, ::63, ::63], atol=1e-4), (
        "its rims are as bright as before"
    )


def test_where_a_foot_is_said_to_be_it_is_seen_whatever_is_done_to_its_crop() -> None:
    source = learned_from()
    source.has_discs = False
    rows, warps, feet = source.reshaped(source.tables[0], np.arange(TOKENS * FEW))
    n = len(rows)
    seen = source.seen(rows, warps, (np.ones((n, 3)), np.zeros(n), np.zeros(n)))[:, 0].numpy()
    bright = np.maximum(seen - seen.min(axis=(1, 2), keepdims=True), 0) ** 4
    across = np.arange(CROP_PX)
    at = np.stack([(bright.sum(1) * across).sum(1), (bright.sum(2) * across).sum(1)], axis=1)
    off = at / bright.sum(axis=(1, 2))[:, None] - FOOT - feet
    assert np.abs(off).max() < 0.3
    assert feet.std(axis=0).min() > 0.8, "feet are found a little off"


def test_a_token_is_named_by_each_look_at_it_that_is_enrolled() -> None:
    from vision.training.on_crops import FAR, LOOKS, NOTHING, TOLD_APART

    source = learned_from()
    _, _, _, which, can, look, *_ = source.episode()
    slots = np.repeat(np.arange(TOLD_APART), LOOKS)
    assert not can.all(), "now and then one is not enrolled"
    for first in range(LOOKS):
        own = which[first, : len(slots)]
        is_asked = look[: len(slots)] != first
        assert (own[~is_asked] == -1).all()
        assert (own[is_asked] == np.where(can[first][slots], slots, TOLD_APART)[is_asked]).all()
    assert (look == FAR).any()
    assert (which[:, (look == FAR) | (look == NOTHING)] == -1).all()


def test_what_is_said_rightly_costs_nothing_and_a_swap_much() -> None:
    import torch

    from vision.pieces.tokens import SIZE
    from vision.training.on_crops import LOOKS, TOLD_APART

    source = learned_from()
    batch = source.batch(1)

    def saying(names: NDArray[np.intp]) -> float:
        said = torch.zeros(len(batch[0]), SIZE + 4)
        for slot, name in enumerate(names):
            said[slot, name] = 1
        said[:, SIZE] = -20
        said[:, SIZE + 1 : SIZE + 3] = batch[5][0] / 8
        return float(source.loss(_Says(said), batch))

    right = np.repeat(np.arange(TOLD_APART), LOOKS)
    swapped = right.copy()
    swapped[:2] = right[-2:]
    assert not batch[2].all(), "now and then one is not enrolled"
    assert saying(right) < 0, "where all feet are right, they are likelier than by chance"
    assert saying(swapped) > saying(right) + 0.3


class _Says:
    """A network that says the same of everything."""

    training = False

    def __init__(self, said: Any) -> None:
        self.said = said

    def __call__(self, _: Any) -> Any:
        return self.said


def test_tables_come_at_steps_that_are_told_by_their_number_alone() -> None:
    from vision.training.meanwhile import ALL_BY, FIRST, growing

    tables: list[int] = []
    counts = [len(tables) for _ in growing(tables.append, iter(range(100)), 100, 50)]
    assert counts[0] == FIRST
    assert np.all(np.diff(counts) >= 0)
    assert counts[round(ALL_BY * 50)] == 100
    assert tables == list(range(100))


def test_what_is_no_token_has_many_shapes() -> None:
    from vision.training.pieces_data import _stranger

    rng = np.random.default_rng(8)
    sizes = np.array([np.ptp(_stranger(rng).vertices, axis=0) for _ in range(200)])
    tall = sizes[:, 2] / sizes[:, 0]
    assert len(set(np.round(tall, 3))) > 40, "houses and hotels not only of other sizes"


def test_a_cap_is_all_that_tells_the_cop_from_his_blue_pawn() -> None:
    from vision.training.pieces_data import capped_volumes
    from vision.training.token_solids import capped_pawns

    solids, tall = capped_pawns(np.random.default_rng(3), 40), []
    for (plain, is_pawn), (capped, is_cop) in zip(solids[::2], solids[1::2], strict=True):
        assert (is_pawn, is_cop) == ("pawn", "cop")
        below = int((plain.vertices[:, 2] < 0.6 * plain.vertices[:, 2].max()).sum())
        assert capped.vertices[:below] == pytest.approx(plain.vertices[:below]), "one mold"
        assert (capped.colors[0] == plain.colors[0]).all()
        tall.append(capped.vertices[:, 2].max() / plain.vertices[:, 2].max())
    assert min(tall) < 0.95
    assert max(tall) > 1.1
    volumes, wide = capped_volumes(np.random.default_rng(4), 6), []
    for (plain, look, _), (capped, cap_look, kind) in zip(volumes[::2], volumes[1::2], strict=True):
        assert kind == "cop"
        assert cap_look.cap is not None
        assert (cap_look.color == look.color).all()
        spots = np.array([[0.006, 0.0, height] for height in np.linspace(0.001, 0.03, 60)], np.float32)
        wider = plain.at(spots) - capped.at(spots)
        assert wider.min() > -1e-6, "nothing is taken away"
        assert wider[:10].max() < 1e-4
        wide.append(wider.max())
    assert min(wide) > 1e-4, "a cap is on each"
    assert max(wide) > 1e-3


def test_tables_are_made_without_the_virtual_tables_own_tokens_too() -> None:
    from vision.training.on_crops import SOLID
    from vision.training.pieces_data import make_crops

    made = make_crops(5, 2, metal=1, solids=0, usual=(0, 0), capped=0, lying=0.5)
    assert SOLID not in made["kinds"]
    assert made["lies"].any()
