"""Reads a git repository: its files, tree, search results, commits and branches.

Functions over a `Repository` value. git itself is the command line program, always started by
`jupyter_ac.git.runner`; this package knows nothing of the wire, the chat or a host.
"""
