"""Conversations: prompts, turns, edits, history, and their typed views for a front end."""
