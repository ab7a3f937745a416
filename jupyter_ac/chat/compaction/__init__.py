"""Keeping a long conversation short: what is taken out of the prompt's log, when and by whom."""
