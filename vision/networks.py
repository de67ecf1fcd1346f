"""Loads the networks, the shipped ones (`vision/models`) and others of their shapes."""

from pathlib import Path

import cv2

MODELS = Path(__file__).parent / "models"


def load(path: Path) -> cv2.dnn.Net:
    """A network for OpenCV's older engine, which is the faster one on one core."""
    return cv2.dnn.readNetFromONNX(str(path), engine=cv2.dnn.ENGINE_CLASSIC)
