"""Pictures of one table, one after the other: what earlier ones showed counts for the next."""

import time
from dataclasses import replace

from vision.detections import TableReading, TokenReading
from vision.live.glimpses import Glimpses
from vision.live.identity import Identity, places_of
from vision.live.streets import StreetMemory
from vision.pixels import Image
from vision.reader import TableReader


class SequenceReader:
    """Reads pictures of one table in the order in which they were taken.

    Tokens that nobody touched keep their names (`identity.py`), and are still there where they are overlooked, as
    discs are that they hide (`glimpses.py`); what doubtful streets showed before is borne in mind (`streets.py`). A
    camera that watches a game does the same (`watcher.py`), and knows the game's book besides.
    """

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self._identity, self._glimpses, self._streets = Identity(), Glimpses(), StreetMemory()

    def read(self, frame_bgr: Image) -> TableReading:
        """Everything that the next picture shows, (h, w, 3) uint8."""
        began = time.perf_counter()
        reading = self._reader.read(frame_bgr)
        if reading.corners_px is None or reading.hand:
            return reading
        tokens = [_as_given(token) for token in reading.tokens]
        named = self._identity.name(tokens, places_of(reading.corners_px, [token.base_px for token in tokens]))
        named = self._glimpses.fill(frame_bgr, reading.corners_px, named)
        markers = self._glimpses.fill_discs(frame_bgr, reading.corners_px, reading.markers, named)
        buildings = self._streets.told(reading.buildings, reading.doubted)
        ms = (time.perf_counter() - began) * 1e3
        return replace(reading, tokens=named, buildings=buildings, markers=markers, ms=ms)


def _as_given(token: TokenReading) -> TokenReading:
    """The token, its name as probable as the picture has it, whatever may be the cop besides."""
    if token.name is None:
        return token
    return replace(token, names={**token.names, token.name: token.name_confidence})
