"""Commands that a model runs: without a shell, in a sandbox where there is one, within limits."""
