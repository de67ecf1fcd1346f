"""Only tokens that play have names: those of an earlier evening, enrolled on the same board, are nobody's."""

import pytest

from tests.vision.table_sets import VirtualTable, virtual_table
from vision.reader import TableReader

#: Ann plays the red pawn tonight; last time it was Bob's, and the hat played.
STANDS = {"red_pawn": 4, "car": 15, "hat": 22}


@pytest.fixture(scope="module")
def table() -> VirtualTable:
    return virtual_table(7, tuple(STANDS))


def reader_of_two_evenings(table: VirtualTable, playing: tuple[str, ...] | None) -> TableReader:
    pictures = table.pictures.enrol
    enrol = {"Bob": pictures["red_pawn"], "hat": pictures["hat"], "Ann": pictures["red_pawn"], "car": pictures["car"]}
    reader = TableReader(table.pictures.empty_bgr, table.pictures.taps_px, enrol)
    reader.playing, reader.has_markers = playing, False
    return reader


def named(reader: TableReader, table: VirtualTable) -> dict[str | None, int]:
    setting = table.setting(3)
    for name, square in STANDS.items():
        setting.put_token(name, square)
    return {token.name: token.square for token in reader.read(table.picture(setting.scene())).tokens}


def test_a_token_has_the_name_of_who_plays_it_alone(table: VirtualTable) -> None:
    both = reader_of_two_evenings(table, None)
    assert set(named(both, table)) & {"Ann", "Bob"}
    assert named(both, table)["hat"] == 22
    tonight = reader_of_two_evenings(table, ("ann", "CAR"))
    assert named(tonight, table) == {"Ann": 4, "car": 15}


def test_other_tokens_may_play_in_the_next_game(table: VirtualTable) -> None:
    reader = reader_of_two_evenings(table, ("ann", "car"))
    named(reader, table)
    reader.playing = ("bob", "hat")
    assert named(reader, table) == {"Bob": 4, "hat": 22}


def test_where_nobody_who_plays_is_enrolled_tokens_have_no_names(table: VirtualTable) -> None:
    reader = reader_of_two_evenings(table, ("dog", "iron"))
    setting = table.setting(3)
    for name, square in STANDS.items():
        setting.put_token(name, square)
    tokens = reader.read(table.picture(setting.scene())).tokens
    assert sorted(token.square for token in tokens) == [4, 15, 22]
    assert {token.name for token in tokens} == {None}
