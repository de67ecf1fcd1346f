"""Makes the data and trains the networks that the readers run. Needs the `training` extra."""
