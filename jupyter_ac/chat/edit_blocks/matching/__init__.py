"""Finding a block's old text in a file, and saying why it is not there."""
