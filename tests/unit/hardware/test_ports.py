"""Which ports may be opened, and what people are told about those that cannot be."""

import errno
import os
import sys
from pathlib import Path

import pytest
import serial

from hardware.ports import Port, PortError, Wanted, check_named, judge, open_failed, ports

PICO = Port(name="/dev/ttyACM0", usb_id="2e8a:000a", text="Raspberry Pi Pico")
ESP32 = Port(name="COM7", usb_id="303a:1001", text="Espressif USB JTAG/serial debug unit")
BRIDGE = Port(name="/dev/ttyUSB0", usb_id="10c4:ea60", text="Silicon Labs CP2102 USB to UART Bridge Controller")
PRUSA = Port(name="/dev/ttyACM1", usb_id="2c99:0002", text="Prusa Research Original Prusa i3 MK3")
PRINTER = Port(name="/dev/ttyUSB1", usb_id="1a86:7523", text="Creality 3D printer")
KLIPPER = Port(name="/dev/ttyACM3", usb_id="2e8a:000a", text="Klipper rp2040")
PROBE = Port(name="/dev/ttyACM2", usb_id="2e8a:000c", text="Debug Probe (CMSIS-DAP)")
PHONE = Port(name="/dev/cu.phone", usb_id="04e8:6860", text="SAMSUNG Android")
BLUETOOTH = Port(name="/dev/cu.Bluetooth-Incoming-Port", text="Bluetooth-Incoming-Port")
BUILT_IN = Port(name="/dev/ttyS0", text="n/a")


@pytest.mark.parametrize(
    ("port", "verdict"),
    [
        (PICO, "tower"),
        (ESP32, "tower"),
        (BRIDGE, "named_only"),
        (BUILT_IN, "named_only"),
        (PRUSA, "never"),
        (PRINTER, "never"),
        (KLIPPER, "never"),
        (PROBE, "never"),
        (PHONE, "never"),
        (BLUETOOTH, "never"),
    ],
)
def test_each_port_is_judged_by_what_it_is(port: Port, verdict: str) -> None:
    assert judge(port)[0] == verdict


EVERYTHING = [PICO, ESP32, BRIDGE, PRUSA, PRINTER, KLIPPER, PROBE, PHONE, BLUETOOTH, BUILT_IN]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("none", []),
        ("auto", ["/dev/ttyACM0", "COM7"]),
        ("auto,10c4:EA60", ["/dev/ttyACM0", "COM7", "/dev/ttyUSB0"]),
        ("10c4:ea60", ["/dev/ttyUSB0"]),
        ("2c99:0002", []),
        ("/dev/ttyUSB9", ["/dev/ttyUSB9"]),
        ("COM3, socket://10.0.0.5:3333", ["COM3", "socket://10.0.0.5:3333"]),
        ("auto,/dev/ttyACM0", ["/dev/ttyACM0", "COM7"]),
    ],
)
def test_only_what_was_asked_for_is_opened(text: str, found: list[str]) -> None:
    assert Wanted.from_text(text).found_in(EVERYTHING) == found


def test_a_printer_is_not_written_to_even_when_it_is_named() -> None:
    check_named("/dev/ttyUSB0", EVERYTHING)
    with pytest.raises(PortError, match="3D printer: Boardside does not write to it") as raised:
        check_named("/dev/ttyACM1", EVERYTHING)
    assert raised.value.code == "port_other"


def failure(number: int, text: str = "") -> serial.SerialException:
    return serial.SerialException(number, text or f"could not open port: [Errno {number}] {os.strerror(number)}")


@pytest.mark.parametrize(
    ("platform", "error", "code", "says"),
    [
        ("linux", failure(errno.EACCES), "port_forbidden", "sudo usermod -aG dialout $USER"),
        ("darwin", failure(errno.EACCES), "port_forbidden", "System Settings"),
        ("win32", serial.SerialException("could not open 'COM3': PermissionError(13, 'Access is denied.', None, 5)"),
         "port_busy", "close serial monitors"),
        ("win32", serial.SerialException("could not open port 'COM3': FileNotFoundError(2, 'The system cannot …')"),
         "port_missing", "Device Manager"),
        ("linux", failure(errno.EBUSY), "port_busy", "fuser -v"),
        ("linux", failure(errno.EAGAIN, "Could not exclusively lock port"), "port_busy", "Another program"),
        ("darwin", failure(errno.EBUSY), "port_busy", "lsof"),
        ("linux", failure(errno.ENOENT), "port_missing", "ls /dev/ttyACM*"),
        ("darwin", failure(errno.ENOENT), "port_missing", "ls /dev/cu.*"),
        ("linux", failure(errno.EIO), "port_failed", "cannot be opened"),
    ],
)  # fmt: skip
def test_the_sentence_tells_how_to_mend_it(platform: str, error: Exception, code: str, says: str) -> None:
    told = open_failed("/nowhere/port", error, platform)
    assert told.code == code
    assert says in told.message
    assert told.message.endswith((".", ")."))


def test_the_network_has_a_sentence_of_its_own() -> None:
    with pytest.raises(serial.SerialException) as raised:
        serial.serial_for_url("socket://127.0.0.1:1")
    assert "check the address" in open_failed("socket://127.0.0.1:1", raised.value).message


@pytest.mark.skipif(sys.platform == "win32", reason="groups are a Unix matter")
def test_the_group_is_the_one_that_owns_the_port(tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.touch()
    assert f"usermod -aG {port.group()} " in open_failed(str(port), failure(errno.EACCES), "linux").message


def test_listing_ports_opens_none_and_names_usb_ids() -> None:
    for port in ports():
        assert port.name
        assert port.usb_id is None or len(port.usb_id) == 9
