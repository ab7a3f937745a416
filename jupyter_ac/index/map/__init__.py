"""The repository map: an overview for the model of files that are not in the prompt."""
