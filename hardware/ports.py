"""Which serial ports may be asked whether they are a dice tower, and what to say when one cannot be opened.

Opening a port can already do harm (many boards restart when it happens, a 3D printer in mid-print among them), so
that nothing is opened by itself except boards on which the tower's firmware runs with USB of their own. Everything
else is opened only when somebody names it, and what is plainly another device not even then.
"""

import errno
import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

import msgspec
from serial.tools import list_ports

from companion.observations import SourceError

#: Boards with USB of their own that run the firmware. 2e8a:000a (arduino-pico's Pico) and 303a:1001 (esptool's manual)
#: are confirmed; the others follow the same makers' numbering and have not been seen on a board. A board whose id is
#: not here is not probed by `auto` and has to be named.
TOWER_BOARDS = {
    "2e8a:000a": "Raspberry Pi Pico",
    "2e8a:f00a": "Raspberry Pi Pico W",
    "2e8a:000f": "Raspberry Pi Pico 2",
    "2e8a:f00f": "Raspberry Pi Pico 2 W",
    "303a:0002": "ESP32-S2",
    "303a:1001": "ESP32-S3 or ESP32-C3",
}

#: Plainly something else, by USB vendor or vendor:product (the Linux USB id list of July 2025; the Pico's debug probes
#: and 1d50:614e from their projects' documents).
OTHER_DEVICES = {
    "2c99": "a Prusa 3D printer",
    "1d50:614e": "a 3D printer with Klipper",
    "1d50:6029": "a 3D printer with Marlin",
    "1d50:6015": "a 3D printer with Smoothieware",
    "2e8a:0003": "a Pico that waits for its firmware",
    "2e8a:0004": "a Picoprobe debugger",
    "2e8a:000c": "a Raspberry Pi debug probe",
    "0483:3748": "an ST-LINK debugger",
    "0483:374b": "an ST-LINK debugger",
    "0483:374e": "an ST-LINK debugger",
    "0483:374f": "an ST-LINK debugger",
    "0483:3753": "an ST-LINK debugger",
    "1366": "a J-Link debugger",
    "0d28": "a DAPLink debugger",
    "1d50:6018": "a Black Magic debugger",
    "05ac": "an Apple device",
    "18d1": "an Android phone",
    "04e8": "a Samsung phone",
    "22b8": "a Motorola phone",
    "2717": "a Xiaomi phone",
    "2a70": "a OnePlus phone",
    "0fce": "a Sony phone",
    "12d1": "a Huawei modem",
    "19d2": "a ZTE modem",
    "1199": "a Sierra modem",
    "2c7c": "a Quectel modem",
    "1e0e": "a Qualcomm modem",
    "1546": "a GPS receiver",
    "091e": "a Garmin GPS receiver",
    "1cf1": "a Zigbee stick",
    "0658": "a Z-Wave stick",
}

_OTHER_WORDS = re.compile(
    r"3d.?print|marlin|klipper|prusa|\bj-?link|st-?link|cmsis-dap|daplink|debug ?probe|picoprobe|black magic"
    r"|modem|\bgps\b|gnss|zigbee|z-wave|bluetooth|android|iphone",
    re.IGNORECASE,
)

_USB_ID = re.compile(r"[0-9a-f]{4}:[0-9a-f]{4}", re.IGNORECASE)
_URL = re.compile(r"[a-z0-9]+://", re.IGNORECASE)


class PortError(SourceError):
    """A serial port cannot be used: `port_missing`, `port_busy`, `port_forbidden`, `port_other` or `port_failed`."""

    code = "port_failed"


class Port(msgspec.Struct, frozen=True, kw_only=True):
    """A serial port as the operating system lists it; `usb_id` is "vvvv:pppp" in lower case, None without USB."""

    name: str
    usb_id: str | None = None
    text: str = ""


Verdict = Literal["tower", "named_only", "never"]


def ports() -> list[Port]:
    """The serial ports of this computer, as they are now. Opens none."""
    return [
        Port(
            name=str(info.device),
            usb_id=None if info.vid is None else f"{info.vid:04x}:{info.pid or 0:04x}",
            text=" ".join(str(word) for word in (info.manufacturer, info.product or info.description) if word),
        )
        for info in list_ports.comports()
    ]


def judge(port: Port) -> tuple[Verdict, str]:
    """Whether `port` may be opened and written to, and why.

    Returns:
        `tower`: by itself; `named_only`: when somebody names it or its USB id; `never`: plainly another device.
    """
    if port.usb_id is not None:
        other = OTHER_DEVICES.get(port.usb_id) or OTHER_DEVICES.get(port.usb_id[:4])
        if other is not None:
            return "never", other
    word = _OTHER_WORDS.search(port.text)
    if port.usb_id in TOWER_BOARDS and word is None:
        return "tower", TOWER_BOARDS[port.usb_id]
    if word is not None:
        return "never", f"another device ({port.text})"
    if port.usb_id is None:
        return "named_only", "not a USB device"
    return "named_only", "could be anything, also a 3D printer"


class Wanted(msgspec.Struct, frozen=True):
    """What `--tower` names: `auto`, and ports, URLs and USB ids, separated by commas."""

    auto: bool
    names: tuple[str, ...]
    usb_ids: tuple[str, ...]

    @classmethod
    def from_text(cls, text: str) -> "Wanted":
        """Reads `auto`, `none`, `/dev/ttyUSB0`, `auto,10c4:ea60`, `COM3,socket://192.168.1.9:3333`."""
        parts = [part.strip() for part in text.split(",") if part.strip()]
        return cls(
            auto="auto" in parts,
            names=tuple(part for part in parts if part not in ("auto", "none") and not _USB_ID.fullmatch(part)),
            usb_ids=tuple(part.lower() for part in parts if _USB_ID.fullmatch(part)),
        )

    def found_in(self, present: Iterable[Port]) -> list[str]:
        """The ports to open now: those named, and of those `present` the ones that may be asked."""
        found = list(self.names)
        for port in present:
            verdict, _ = judge(port)
            asked_for = (self.auto and verdict == "tower") or (port.usb_id in self.usb_ids and verdict != "never")
            if asked_for and port.name not in found:
                found.append(port.name)
        return found


def check_named(name: str, present: Iterable[Port]) -> None:
    """Raises `PortError` (`port_other`) when the port that somebody named is plainly another device."""
    for port in present:
        if port.name in (name, os.path.realpath(name)):
            verdict, why = judge(port)
            if verdict == "never":
                raise PortError(f"{name} is {why}: Boardside does not write to it.", "port_other")


def open_failed(name: str, error: Exception, platform: str = sys.platform) -> PortError:
    """The failure to open `name` as one sentence that says what to do on this `platform` (as in `sys.platform`)."""
    code = getattr(error, "errno", None)
    text = str(error)
    if _URL.match(name):
        return PortError(
            f"{name} does not answer ({_last_part(text)}): check the address, the port number and the network."
        )
    if platform == "win32" and ("PermissionError" in text or "Access is denied" in text):
        code = errno.EBUSY  # Windows refuses a port that is in use with "access denied"
    if code in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "FileNotFoundError" in text:
        look = {"win32": "the Device Manager", "darwin": "ls /dev/cu.*"}.get(platform, "ls /dev/ttyACM* /dev/ttyUSB*")
        return PortError(f"{name} is not there: plug the tower in, or look for its port with {look}.", "port_missing")
    if code in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in text:
        return PortError(_busy(name, platform), "port_busy")
    if code in (errno.EACCES, errno.EPERM):
        return PortError(_forbidden(name, platform), "port_forbidden")
    return PortError(f"{name} cannot be opened: {_last_part(text)}.")


def _busy(name: str, platform: str) -> str:
    if platform == "win32":
        return f"Another program uses {name}: close serial monitors, slicers and other copies of Boardside."
    tool = "lsof" if platform == "darwin" else "fuser -v"
    return f"Another program uses {name}: close it (`{tool} {name}` tells which one it is)."


def _forbidden(name: str, platform: str) -> str:
    if platform == "darwin":
        return (
            f"macOS does not let Boardside use {name}: allow the accessory under System Settings, Privacy & Security, "
            "and plug the tower in again."
        )
    return (
        f"You may not use {name} yet: run `sudo usermod -aG {_group_of(name)} $USER`, log out and in again "
        "(or plug the tower in again if you are a member already)."
    )


def _group_of(name: str, look_up: Callable[[Path], str] = Path.group) -> str:
    try:
        return look_up(Path(name))
    except (OSError, KeyError, NotImplementedError):
        return "dialout"


def _last_part(text: str) -> str:
    return text.rsplit("] ", 1)[-1].rstrip(".") or "no reason given"
