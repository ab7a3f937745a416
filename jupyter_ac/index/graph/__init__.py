"""The index in memory: what names mean and how files are related, kept up to date by changes."""
