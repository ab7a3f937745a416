"""A child that runs the fake host."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.hosts.kernel.child.host import HostChild
from tests.hosts.kernel.child.ends import FAKE, LIMIT_S


@pytest.fixture
def child(tmp_path: Path) -> Iterator[HostChild]:
    made = HostChild(tmp_path, arguments=FAKE)
    yield made
    made.close(LIMIT_S)
