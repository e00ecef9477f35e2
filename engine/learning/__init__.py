"""Learn the weights of a variant from games the engine plays against itself: `python -m engine.learning --help`."""
