"""Carries out plans: tasks in worktrees, checks of what they made, merging, applying."""
