"""The edits in an answer: found, matched against the files, applied, and taken back."""
