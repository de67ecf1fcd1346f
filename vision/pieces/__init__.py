"""What stands on the spaces of a board: houses and hotels, markers, and whose token each is."""
