"""Writes the wire down: for readers in Markdown, for the front end in TypeScript."""
