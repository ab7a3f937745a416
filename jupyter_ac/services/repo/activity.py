"""RPC method for what has changed lately."""

from jupyter_ac.activity_rows import RepoActivity
from jupyter_ac.git.activity import Activity, ActivityReader
from jupyter_ac.git.repository import Repository
from jupyter_ac.rpc.methods import Access, method


class ActivityMethods:
    """`Repo` methods about which files change, and with which others.

    Args:
        repository: which one.
    """

    def __init__(self, repository: Repository) -> None:
        self._reader = ActivityReader(repository)

    @method(Access.READ)
    async def get_activity(self, days: int = 90) -> RepoActivity:
        """Return which files have changed most within the last days, and which change together.

        Counted from HEAD, without merges; `days` is from 1 to 365.
        """
        return activity_row(await self._reader.read(days))


def activity_row(found: Activity) -> RepoActivity:
    """Serialize an activity."""
    return {
        "head": found.head,
        "days": found.days,
        "commits": found.commits,
        "is_partial": found.is_partial,
        "by_day": [{"day": day, "commits": count} for day, count in found.by_day],
        "files": [*found.files],
        "more_files": found.more_files,
        "pairs": [*found.pairs],
    }
