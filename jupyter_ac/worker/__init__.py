"""Code that runs in child processes only: litellm, tiktoken's tables, the embedded model.

Nothing imports it; it is started as `python -m jupyter_ac.worker KIND` and speaks
`jupyter_ac.rpc` over its standard input and output.
"""
