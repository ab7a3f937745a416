"""The index of a repository: symbols, references, documents, and maps of them.

Nothing here needs a server: a script can parse, index and rank with these modules alone.
"""
