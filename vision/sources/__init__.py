"""Where frames come from: one syntax for cameras, files, folders, addresses and the virtual table."""

from vision.sources.base import (
    Clock,
    Frame,
    FrameBgr,
    Jpeg,
    Outage,
    Shot,
    Source,
    SourceSpec,
    SystemClock,
    decoded,
    parse_source,
)
from vision.sources.opening import cameras, open_source
from vision.sources.steady import SteadySource

__all__ = [
    "Clock",
    "Frame",
    "FrameBgr",
    "Jpeg",
    "Outage",
    "Shot",
    "Source",
    "SourceSpec",
    "SteadySource",
    "SystemClock",
    "cameras",
    "decoded",
    "open_source",
    "parse_source",
]
