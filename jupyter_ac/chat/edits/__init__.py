"""An answer's edits: applied to files, decided on by the user, and undone."""
