"""Settings of the administrator, the user's model and the application.

Each module reads one source into one immutable value; nothing here chooses or starts a model.
"""
