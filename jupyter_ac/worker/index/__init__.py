"""The `index` worker: serves the index of one working tree, and the maps made from it."""
