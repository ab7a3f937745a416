"""Tunes Python's garbage collector, to shorten its pauses on a host's event loop."""

import gc


def spare_what_is_there() -> None:
    """Let the collector pass over all objects that there are now, from now on.

    A full collection looks at every object, and the loop stands still meanwhile: 100 ms with a
    host's modules loaded and 200 clients, 15 ms without the modules. To be called once, when a
    server has started and nobody is connected yet. What is there then is never collected; a
    server's modules, handlers and settings stay to its end anyway.
    """
    gc.collect()
    gc.freeze()
