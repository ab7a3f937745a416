"""Worktrees of tasks: snapshots as commits, folders made of them, and their merge."""
