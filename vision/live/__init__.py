"""Over a game: which pictures are read, what has changed since, and the process that sees to it."""
