"""Checks code without executing it."""
