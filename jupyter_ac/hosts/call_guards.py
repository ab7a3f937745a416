"""Builds the optional steps that all connections of a host share, from its settings."""

from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.repeated_calls import RepeatedCalls


def call_guards() -> CallGuards:
    """Return the steps of a host; the states of targets belong to each workspace."""
    return CallGuards(repeated=RepeatedCalls())
