"""The dice tower: protocol, discovery, driver, emulator and firmware."""
