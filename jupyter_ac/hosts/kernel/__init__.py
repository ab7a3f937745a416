"""The code that runs in the user's kernel: the magic and the widget, without domain logic."""
