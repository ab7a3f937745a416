"""Finding the edit blocks of an answer."""
