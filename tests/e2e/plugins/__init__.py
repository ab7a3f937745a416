"""Panels that the browser tests show, each in a file of its own as `jupyter ac panel` takes it."""
