"""Converts notebooks to text for a model and back."""
