"""The list of excluded files for tests that aren't about them; hosts always pass the real one."""

from jupyter_ac.git.excluded_paths import NONE_EXCLUDED, ExcludedPaths


async def none_excluded() -> ExcludedPaths:
    """Return that nothing is excluded."""
    return NONE_EXCLUDED
