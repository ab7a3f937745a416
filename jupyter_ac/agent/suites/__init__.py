"""Runs of a repository's tests that a person starts in a panel, test by test."""
