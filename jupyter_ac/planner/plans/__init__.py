"""Plans as values, their states, and their journal."""
