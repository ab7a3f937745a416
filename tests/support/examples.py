"""How many examples hypothesis tries: a share of the usual number, as the profile says."""

import os

from hypothesis import settings


def load_profile() -> None:
    """Take the profile that HYPOTHESIS_PROFILE names.

    All but `thorough` try the same examples in every run, so that a run says something of the
    change and not of chance.
    """
    settings.register_profile("quick", derandomize=True, deadline=None, max_examples=10)
    settings.register_profile("same", derandomize=True, deadline=None, max_examples=30)
    settings.register_profile("thorough", deadline=None, max_examples=500)
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def examples(of_a_hundred: int) -> int:
    """How many a property is tried with that takes so many where others take a hundred."""
    return max(1, of_a_hundred * settings().max_examples // 100)
