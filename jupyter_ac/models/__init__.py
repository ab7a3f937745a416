"""Client side of the language models: which one, what it costs, how it is asked.

Knows nothing of litellm: that lives in the child process behind `jupyter_ac.workers`.
"""
