"""Client side of the language models: model selection, requests, token counts and costs.

Knows nothing of litellm, which runs in the child process behind `jupyter_ac.workers`.
"""
