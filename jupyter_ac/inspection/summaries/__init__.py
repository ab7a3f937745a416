"""Summaries of values by library: what each says of a value, and which of it is cheap."""
