"""The repository map: what the model sees of files that it isn't given."""
