"""A working tree as a project: its paths, its manifests, and the targets of imports."""
