"""The edit-block format: its parser, the matching of old text, and the rows that show results."""
