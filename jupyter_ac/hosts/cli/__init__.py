"""The command line, `jupyter ac` or `jupyter-ac`."""
