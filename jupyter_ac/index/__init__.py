"""What the repository's files say of themselves: symbols, references, documents, and maps of them.

Nothing here needs a server: a script can parse, index and rank with these modules alone.
"""
