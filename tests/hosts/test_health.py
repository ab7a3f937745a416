import os

from jupyter_ac.hosts.health import health
from jupyter_ac.version import PROTOCOL, __version__


def test_it_says_which_program_is_there_and_nothing_of_what_it_serves() -> None:
    assert health() == {
        "status": "ok",
        "version": __version__,
        "protocol": PROTOCOL,
        "pid": os.getpid(),
    }
