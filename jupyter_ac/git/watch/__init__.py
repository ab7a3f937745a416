"""Watches a repository's folders for changes by other programs."""
