"""Look-alike tokens keep the names that all looks together give them."""

from dataclasses import replace

from vision.detections import TokenReading
from vision.live.identity import Identity

Spot = tuple[float, float]
A, B, C, D = (0.1, 0.05), (0.3, 0.05), (0.6, 0.05), (0.9, 0.05)


def looks(name: str, names: dict[str, float], found: float = 1.0) -> TokenReading:
    seen = {each: found * share for each, share in names.items()}
    return TokenReading(name, {1: 1.0}, (0.0, 0.0), (0, 0, 1, 1), 0.0, seen, seen[name])


BOOT = looks("boot", {"boot": 0.7, "dog": 0.3})
DOG = looks("dog", {"boot": 0.3, "dog": 0.7})
LIKE_DOG = looks("dog", {"boot": 0.4, "dog": 0.6})
LIKE_BOOT = looks("boot", {"boot": 0.55, "dog": 0.45})


def named(identity: Identity, *standing: tuple[TokenReading, Spot]) -> list[str | None]:
    return [token.name for token in identity.name([t for t, _ in standing], [p for _, p in standing])]


def test_token_that_nobody_touched_keeps_its_name() -> None:
    identity = Identity()
    for _ in range(4):
        assert named(identity, (BOOT, A), (DOG, B)) == ["boot", "dog"]
    assert named(identity, (LIKE_DOG, A), (DOG, B)) == ["boot", "dog"]


def test_token_that_moved_is_told_by_who_stayed() -> None:
    identity = Identity()
    named(identity, (BOOT, A), (DOG, B))
    assert named(identity, (BOOT, A), (LIKE_BOOT, C)) == ["boot", "dog"]


def test_first_wrong_guess_is_put_right_by_later_looks() -> None:
    identity = Identity()
    named(identity, (LIKE_DOG, A), (LIKE_BOOT, B))
    for place in (C, D, A, C, D):
        names = named(identity, (BOOT, place), (DOG, B))
    assert names == ["boot", "dog"]


def test_both_moved_at_once_are_told_by_their_looks() -> None:
    identity = Identity()
    for _ in range(3):
        named(identity, (BOOT, A), (DOG, B))
    assert named(identity, (DOG, C), (BOOT, D)) == ["dog", "boot"]


def test_doubtful_token_becomes_surer_by_being_seen_again_in_its_place() -> None:
    identity = Identity()
    sure = looks("hat", {"hat": 1.0}, found=0.6)
    first = identity.name([sure], [A])[0].name_confidence
    for _ in range(6):
        later = identity.name([sure], [A])[0].name_confidence
    assert first < 0.65
    assert 0.9 < later < 0.97


def test_hidden_token_comes_back_under_its_name() -> None:
    identity = Identity()
    for _ in range(3):
        named(identity, (BOOT, A), (DOG, B))
    assert named(identity, (DOG, B)) == ["dog"]
    assert named(identity, (LIKE_DOG, A), (DOG, B)) == ["boot", "dog"]


def test_tokens_without_names_are_passed_through() -> None:
    plain = TokenReading(None, {1: 1.0}, (0.0, 0.0), (0, 0, 1, 1))
    assert Identity().name([plain], [A]) == [plain]


def test_stranger_beyond_the_enrolled_tokens_takes_no_name_from_them() -> None:
    identity = Identity()
    for _ in range(3):
        named(identity, (BOOT, A), (DOG, B))
    out = identity.name([BOOT, DOG, LIKE_DOG], [A, B, D])
    assert [token.name for token in out[:2]] == ["boot", "dog"]
    assert out[2].name is None


def test_book_tells_look_alikes_apart() -> None:
    identity = Identity()
    wrong = (looks("dog", {"boot": 0.45, "dog": 0.55}), looks("boot", {"boot": 0.55, "dog": 0.45}))
    assert named(identity, (wrong[0], A), (wrong[1], B)) == ["dog", "boot"]
    standing = [replace(token, squares={5 + k: 1.0}) for k, token in enumerate(wrong)]
    identity.name(standing, [A, B])
    identity.learn({"boot": (5, False), "dog": (6, False)})
    assert [token.name for token in identity.name(standing, [A, B])] == ["boot", "dog"]


def test_the_cop_is_told_by_the_book_where_a_token_looks_like_him() -> None:
    identity = Identity()
    wrong = looks("boot", {"boot": 0.8, "cop": 0.2}), looks("cop", {"boot": 0.2, "cop": 0.8})
    standing = [replace(token, squares={30 + k: 1.0}) for k, token in enumerate(wrong)]
    for _ in range(3):
        assert [token.name for token in identity.name(standing, [A, B])] == ["boot", "cop"]
    identity.learn({"cop": (30, False), "boot": (31, False)})
    assert [token.name for token in identity.name(standing, [A, B])] == ["cop", "boot"]


def test_what_is_seen_first_stands_where_the_book_had_it_before() -> None:
    identity = Identity()
    identity.learn({"cop": (30, False), "boot": (31, False)})
    wrong = looks("boot", {"boot": 0.7, "cop": 0.3}), looks("cop", {"boot": 0.3, "cop": 0.7})
    standing = [replace(token, squares={30 + k: 1.0}) for k, token in enumerate(wrong)]
    assert [token.name for token in identity.name(standing, [A, B])] == ["cop", "boot"]
    moved = [replace(standing[0], squares={5: 1.0}), standing[1]]
    assert [token.name for token in identity.name(moved, [C, B])] == ["cop", "boot"]


def test_tokens_that_moved_at_once_are_those_that_the_book_has_there() -> None:
    identity = Identity()
    for _ in range(2):
        named(identity, (BOOT, A), (DOG, B))
    wrong = (looks("dog", {"boot": 0.4, "dog": 0.6}), looks("boot", {"boot": 0.6, "dog": 0.4}))
    moved = [replace(token, squares={5 + k: 1.0}) for k, token in enumerate(wrong)]
    identity.learn({"boot": (5, False), "dog": (6, False)})
    assert [token.name for token in identity.name(moved, [C, D])] == ["boot", "dog"]


def test_the_cop_who_comes_later_is_no_token_that_is_hidden() -> None:
    identity = Identity()
    boot, dog = (looks(name, {"boot": 0.0, "dog": 0.0, "cop": 0.0, name: 0.95}) for name in ("boot", "dog"))
    for _ in range(3):
        named(identity, (boot, A), (dog, B))
    cop = looks("cop", {"boot": 0.05, "cop": 0.9})
    assert named(identity, (cop, D), (dog, B)) == ["cop", "dog"]
    assert named(identity, (cop, D), (dog, B), (boot, A)) == ["cop", "dog", "boot"]


def test_the_cop_is_not_a_token_like_him_that_is_hidden_in_part() -> None:
    """What shows of it is found a little beside, and he comes where the book has him."""
    identity = Identity()
    identity.learn({"boot": (0, False), "dog": (0, False), "cop": (30, False)})
    boot, dog = (looks(name, {"boot": 0.0, "dog": 0.0, "cop": 0.0, name: 0.95}) for name in ("boot", "dog"))
    on_go = [replace(token, squares={0: 1.0}) for token in (boot, dog)]
    for _ in range(3):
        identity.name(on_go, [A, B])
    cop = replace(looks("boot", {"boot": 0.8, "cop": 0.2}), squares={30: 1.0})
    rest = replace(looks("cop", {"boot": 0.1, "cop": 0.4}), squares={0: 1.0})
    beside = (A[0] + 0.02, A[1])
    for _ in range(2):
        seen = identity.name([cop, rest, on_go[1]], [D, beside, B])
        assert [token.name for token in seen] == ["cop", "boot", "dog"]


def test_a_game_without_a_cop_has_forgotten_him() -> None:
    identity = Identity()
    identity.name([looks("boot", {"boot": 0.8, "cop": 0.1}), looks("cop", {"cop": 1.0})], [A, B])
    out = identity.name([looks("boot", {"boot": 0.8}), looks("boot", {"boot": 0.7})], [A, B])
    assert [token.name for token in out].count("boot") == 1
    assert all("cop" not in token.names for token in out)


def test_what_the_book_says_again_while_tokens_are_on_their_way_tells_nothing() -> None:
    """It still has the boot where the dog alone has stayed."""
    identity, book = Identity(), {"boot": (5, False)}
    boot, dog = looks("boot", {"boot": 0.9, "dog": 0.1}), looks("dog", {"boot": 0.4, "dog": 0.6})
    together = [replace(token, squares={5: 1.0}) for token in (boot, dog)]
    identity.learn(book)
    identity.name(together, [A, B])
    apart = [replace(boot, squares={9: 1.0}), together[1]]
    identity.name(apart, [C, B])
    before = [stand.prior.tolist() for stand in identity._stands]
    identity.learn(dict(book))
    assert [stand.prior.tolist() for stand in identity._stands] == before
    identity.learn({"dog": (5, False)})
    assert [stand.prior.tolist() for stand in identity._stands] != before


def test_book_says_nothing_of_spaces_that_are_shared() -> None:
    identity = Identity()
    for _ in range(2):
        named(identity, (BOOT, A), (DOG, B))
    identity.learn({"boot": (1, False), "dog": (1, False)})
    assert named(identity, (BOOT, A), (DOG, B)) == ["boot", "dog"]


RED, GREEN, BLUE = (
    looks(name, {"red": 0.0005, "green": 0.0005, "blue": 0.0005, name: 0.999}) for name in ("red", "green", "blue")
)


def test_another_token_that_is_put_down_where_one_stood_is_that_other_one() -> None:
    identity = Identity()
    for _ in range(3):
        assert named(identity, (RED, A), (GREEN, B)) == ["red", "green"]
    assert named(identity, (GREEN, A), (RED, C)) == ["green", "red"]
    assert named(identity, (RED, A), (GREEN, C)) == ["red", "green"]


def test_all_that_moved_at_once_are_told_by_their_looks() -> None:
    identity = Identity()
    for _ in range(3):
        named(identity, (RED, A), (GREEN, B), (BLUE, C))
    assert named(identity, (BLUE, A), (RED, B), (GREEN, D)) == ["blue", "red", "green"]


def test_what_was_not_there_before_is_nobody_who_stayed() -> None:
    """Who is seen for the first time has looked like nobody until then."""
    identity = Identity()
    named(identity, (looks("red", {"red": 0.999}), A))
    both = looks("red", {"red": 0.999}), looks("green", {"green": 0.999})
    assert named(identity, (both[0], A), (both[1], B)) == ["red", "green"]
    assert named(identity, (both[1], A), (both[0], B)) == ["green", "red"]


def test_who_is_left_for_a_place_goes_with_the_token() -> None:
    """Nothing tells these apart but that one of them has never been touched, until the other has not."""
    identity = Identity()
    named(identity, (BOOT, A), (DOG, B))
    even = looks("boot", {"boot": 0.5, "dog": 0.5})
    for place in (C, D):
        assert named(identity, (even, A), (even, place)) == ["boot", "dog"]
    for place in (B, C):
        assert named(identity, (even, place), (even, D)) == ["boot", "dog"]


def test_who_has_left_a_place_is_rather_in_a_new_one_than_who_was_not_on_the_board() -> None:
    identity = Identity()
    named(identity, (looks("boot", {"boot": 0.9, "hat": 0.1}), A), (DOG, B))
    either = looks("hat", {"boot": 0.45, "hat": 0.55})
    assert named(identity, (either, C), (DOG, B)) == ["boot", "dog"]
    assert named(Identity(), (either, C), (DOG, B)) == ["hat", "dog"], "nobody has left any place"
    assert named(identity, (looks("hat", {"boot": 0.02, "hat": 0.98}), D), (DOG, B)) == ["hat", "dog"], "it comes back"
