"""What a single file says of a name in it: parsed when somebody asks, kept nowhere."""
