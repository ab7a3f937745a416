"""The conversation: prompts, turns, edits and history, and the views of them for a front end."""
