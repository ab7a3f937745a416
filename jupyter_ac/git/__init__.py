"""What is read from a git repository: its files, tree, search and branches.

Functions over a `Repository` value. Git is the command line program, always started by
`jupyter_ac.git.runner`; nothing here knows the wire, the chat or a host.
"""
