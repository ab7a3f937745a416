"""The state of a conversation, for clients that follow it: feeds, their frames, their sources."""
