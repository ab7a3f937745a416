"""The tools of agent runs: each says what it does, what it asks the user, and does it."""
