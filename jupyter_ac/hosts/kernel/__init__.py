"""What runs in the user's kernel: the magic and the widget, no domain work."""
