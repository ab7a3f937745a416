"""The host that a kernel starts for itself: `jupyter ac stdio --links`, one per repository."""
