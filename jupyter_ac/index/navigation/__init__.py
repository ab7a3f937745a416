"""Code navigation: hover, definition, references, completion, symbol search."""
