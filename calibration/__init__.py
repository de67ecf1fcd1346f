"""What is particular to one table: the board, the camera and the tokens of a saved profile."""
