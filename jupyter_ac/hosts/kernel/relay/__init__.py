"""Carries frames between a page and the kernel's own host, as numbered messages of the comm."""
