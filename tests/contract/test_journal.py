"""What every journal owes the table, wherever it is kept."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import journal as journal_module
from companion.journal import SCHEMA_VERSION, Entry, GameRecord, Journal, JournalError

AT = "2026-01-01T19:04:00.000+00:00"


def record(name: str = "g1", started: str = AT) -> GameRecord:
    return GameRecord(
        id=name, variant="classic", edition="classic", options={}, players={"Ann": {}, "Bob": {}}, started=started
    )


def entry(number: int, **more: object) -> Entry:
    fields = {"kind": "action", "payload": {"action": {"roll": [number, 1]}}, "by": "camera", "at": AT, **more}
    return Entry(number=number, **fields)  # type: ignore[arg-type]


@pytest.fixture(params=["file", "memory"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    made = Journal.in_memory() if request.param == "memory" else Journal.open(tmp_path / "deep" / "games.sqlite")
    made.add_game(record())
    yield made
    made.close()


class TestJournal:
    def test_entries_come_back_as_they_were_and_in_order(self, journal: Journal) -> None:
        first = entry(1, picture="p1", confidence=0.98)
        second = entry(2, kind="observation", payload={"dice": [{"faces": {"4": 0.97}}], "ä": None}, by="tower")
        journal.append("g1", [first, second])
        assert journal.entries("g1") == [first, second]
        assert journal.entries("g1", after=1) == [second]
        assert journal.last_number("g1") == 2

    def test_an_empty_game_has_no_entries(self, journal: Journal) -> None:
        assert journal.entries("g1") == []
        assert journal.last_number("g1") == 0

    def test_games_keep_to_themselves_and_the_newest_comes_first(self, journal: Journal) -> None:
        journal.add_game(record("g2", "2026-01-02T19:04:00.000+00:00"))
        journal.append("g2", [entry(1)])
        assert [each.id for each in journal.games()] == ["g2", "g1"]
        assert journal.entries("g1") == []
        assert journal.game("g2") == record("g2", "2026-01-02T19:04:00.000+00:00")

    def test_a_clock_that_was_put_back_makes_no_game_older(self, journal: Journal) -> None:
        journal.add_game(record("g2", "1970-01-01T00:00:07.000+00:00"))
        assert [each.id for each in journal.games()] == ["g2", "g1"]

    def test_a_game_that_is_not_there_is_said_to_be_unknown(self, journal: Journal) -> None:
        with pytest.raises(JournalError) as caught:
            journal.game("g9")
        assert caught.value.code == "unknown_game"

    def test_a_name_that_is_taken_is_refused(self, journal: Journal) -> None:
        with pytest.raises(JournalError) as caught:
            journal.add_game(record())
        assert caught.value.code == "journal_conflict"

    def test_a_number_is_written_once(self, journal: Journal) -> None:
        journal.append("g1", [entry(1)])
        with pytest.raises(JournalError) as caught:
            journal.append("g1", [entry(1, by="tablet")])
        assert caught.value.code == "journal_conflict"
        assert [each.by for each in journal.entries("g1")] == ["camera"]

    def test_an_append_is_kept_wholly_or_not_at_all(self, journal: Journal) -> None:
        journal.append("g1", [entry(1), entry(2)])
        with pytest.raises(JournalError):
            journal.append("g1", [entry(3), entry(2)], [("p1", b"jpeg")])
        assert journal.last_number("g1") == 2
        assert journal.picture("g1", "p1") is None

    def test_entries_of_no_game_are_refused(self, journal: Journal) -> None:
        with pytest.raises(JournalError):
            journal.append("nobody", [entry(1)])

    def test_pictures_are_kept_once_and_belong_to_their_game(self, journal: Journal) -> None:
        journal.append("g1", [entry(1, picture="p1")], [("p1", b"first")])
        journal.append("g1", [entry(2, picture="p1")], [("p1", b"second")])
        journal.add_game(record("g2"))
        assert journal.picture("g1", "p1") == b"first"
        assert journal.picture("g2", "p1") is None

    def test_forgetting_pictures_keeps_the_game(self, journal: Journal) -> None:
        journal.append("g1", [entry(1, picture="p1")], [("p1", b"jpeg"), ("p2", b"jpeg")])
        assert journal.forget_pictures("g1") == 2
        assert journal.picture("g1", "p1") is None
        assert journal.last_number("g1") == 1

    def test_pictures_are_bounded_and_the_oldest_go_first(
        self, journal: Journal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(journal_module, "MOST_PICTURE_BYTES", 250)
        for number in range(1, 5):
            journal.append("g1", [entry(number)], [(f"p{number}", b"x" * 100)])
        assert [journal.picture("g1", f"p{number}") is not None for number in range(1, 5)] == [False, False, True, True]
        assert journal.last_number("g1") == 4

    def test_threads_may_write_and_read_at_once(self, journal: Journal) -> None:
        def write(thread: int) -> None:
            journal.add_game(record(f"t{thread}"))
            for number in range(1, 11):
                journal.append(f"t{thread}", [entry(number)], [(f"p{number}", bytes([thread]))])

        threads = [threading.Thread(target=write, args=(thread,)) for thread in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for number in range(4):
            assert [each.number for each in journal.entries(f"t{number}")] == list(range(1, 11))
            assert journal.picture(f"t{number}", "p7") == bytes([number])


def test_a_file_is_found_again_as_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    first = Journal.open(path)
    first.add_game(record())
    first.append("g1", [entry(1)], [("p1", b"jpeg")])
    first.close()
    again = Journal.open(path)
    assert again.entries("g1") == [entry(1)]
    assert again.picture("g1", "p1") == b"jpeg"
    again.close()


def test_a_file_is_written_ahead_and_to_the_disk(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "games.sqlite")
    with journal._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA user_version").scalar() == SCHEMA_VERSION
    journal.close()


def test_two_programs_with_one_game_find_out(tmp_path: Path) -> None:
    one, other = Journal.open(tmp_path / "games.sqlite"), Journal.open(tmp_path / "games.sqlite")
    one.add_game(record())
    one.append("g1", [entry(1)])
    with pytest.raises(JournalError) as caught:
        other.append("g1", [entry(1, by="tablet")])
    assert caught.value.code == "journal_conflict"
    one.close()
    other.close()


def test_a_file_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    raw.close()
    with pytest.raises(JournalError) as caught:
        Journal.open(path)
    assert caught.value.code == "journal_too_new"


def test_a_file_that_is_no_journal_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.write_bytes(b"this is no database, but it is long enough to be looked at as one" * 20)
    with pytest.raises(JournalError) as caught:
        Journal.open(path)
    assert "not a database" in caught.value.message


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(JournalError):
        Journal.open(tmp_path / "file" / "games.sqlite")
