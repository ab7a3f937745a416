"""What an `index` worker serves: the index of one working tree, and what is made of it."""
