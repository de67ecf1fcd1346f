"""What networks learn from is made while they learn: tables and chapters in other processes, batches in a thread."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any, Protocol

import cv2
import torch
from torch import Tensor

#: What is made and not yet asked for, of each process, at most.
AHEAD = 3
#: What is there at first, and the share of the steps after which all is.
FIRST, ALL_BY = 16, 0.9


class Source(Protocol):
    """Keeps what is learned from."""

    def batch(self, size: int) -> list[Tensor]:
        """What a network is shown, and what is right."""


def made(
    make: Callable[..., Any], calls: Iterable[tuple[Any, ...]], processes: int | None = None
) -> Generator[Any, None, None]:
    """What `make` makes when it is called so, one after the other, while further ones are made.

    Args:
        processes: in which they are; None for all but one core.
    """
    waiting, workers = deque[Any](), processes or max((os.cpu_count() or 1) - 1, 1)
    with ProcessPoolExecutor(workers, get_context("spawn"), _alone) as pool:
        try:
            for arguments in calls:
                waiting.append(pool.submit(make, *arguments))
                if len(waiting) == AHEAD * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # What nobody asks for any more is not made.
            pool.shutdown(cancel_futures=True)


def _alone() -> None:
    """Each process works in one thread."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)


def growing(add: Callable[[Any], object], things: Iterator[Any], count: int, steps: int) -> Iterator[None]:
    """At every step adds those of `count` things that are due then: when they come does not depend on how quickly they
    are made."""
    there = 0
    for step in range(steps):
        due = min(FIRST + (count - FIRST) * step / (ALL_BY * steps), count)
        while there < due:
            add(next(things))
            there += 1
        yield


def ahead(
    source: Source, size: int, count: int, grown: Iterator[None] | None = None
) -> Generator[list[Tensor], None, None]:
    """So many batches, each made while the network learns from the one before.

    Args:
        grown: is asked for its next before each.
    """
    stream = torch.cuda.Stream() if torch.cuda.is_available() else None

    def make() -> list[Tensor]:
        with torch.cuda.stream(stream):
            next(grown or iter(()), None)
            batch = source.batch(size)
        if stream:
            stream.synchronize()
        return batch

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(make)
        for _ in range(count):
            batch, waiting = waiting.result(), pool.submit(make)
            yield batch
