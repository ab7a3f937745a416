"""Cells as percent text, by jupytext.

Importing this module takes more than a second outside a Jupyter server: nbformat brings jsonschema
and its grammars. So it is imported when the first notebook comes, not when a host starts.
"""

import jupytext
from nbformat import from_dict


def write(metadata: dict[str, object], cells: list[dict[str, object]]) -> str:
    """Return the text of cells in the form of version 4.

    Args:
        metadata: the notebook's, with jupytext's filters among it.
        cells: with all members that the format asks for.
    """
    notebook = from_dict({"nbformat": 4, "nbformat_minor": 4, "metadata": metadata, "cells": cells})
    try:
        return str(jupytext.writes(notebook, fmt="auto:percent"))
    except ValueError:  # a language that has no file type of its own there
        return str(jupytext.writes(notebook, fmt="py:percent"))
