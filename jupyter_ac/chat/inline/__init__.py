"""Completion of code at the cursor: what is sent, and what of the answer is shown."""
