"""Plugins in processes of their own and behind connections, for both ends of their pipes."""
