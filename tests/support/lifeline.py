"""Ends a server that a test has started when the test process ends, in any way."""

import subprocess
from typing import Final

# Its input ends when the process that holds the other end is gone, killed or not.
_KILL_AT_THE_END: Final = 'read -r _; kill -KILL "-$0"'


class Lifeline:
    """Kills a group of processes as soon as this process is gone."""

    def __init__(self, group: int) -> None:
        self._watch = subprocess.Popen(
            ["sh", "-c", _KILL_AT_THE_END, str(group)],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    def close(self) -> None:
        """Watch no longer; the group is left as it is."""
        self._watch.kill()  # before its input ends
        self._watch.communicate()
