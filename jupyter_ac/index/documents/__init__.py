"""Documents of a repository: outlines, references, keywords, and their map."""
