"""The checks of `jupyter ac doctor`: one small function for each line of its output."""
