"""Full text search in the repository's files."""
