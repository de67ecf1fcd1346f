"""Where the board is in a picture: its place and spaces, its print in another light, and what covers it."""
