"""From the bytes of one file to its record."""
