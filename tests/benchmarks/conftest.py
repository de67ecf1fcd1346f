"""Every benchmark runs OpenCV on one thread, so that times of machines with more cores compare."""

from collections.abc import Iterator

import cv2
import pytest


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(threads)
