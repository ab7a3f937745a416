"""The map of a repository: what the model sees of files that it isn't given."""
