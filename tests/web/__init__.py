"""The web face, by its test client."""
