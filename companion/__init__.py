"""The live table: referee, journal, sessions, scenario runner and command line."""
