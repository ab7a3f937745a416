"""Settings: the administrator's, the user's model and the application's.

Each module reads one source into one frozen value; nothing here chooses a model or starts one.
"""
