"""Memory of a process and all that it has started."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Final

_LOOK_S: Final = 0.1
_KIB_PER_MIB: Final = 1024


def family_mib(pid: int) -> float:
    """Return the memory that a process and its children share out among themselves."""
    return sum(map(_own_mib, _family(pid)))


async def watch_family(pid: int, found: list[float]) -> None:
    """Note the memory again and again, until cancelled."""
    while True:
        found.append(await asyncio.to_thread(family_mib, pid))
        await asyncio.sleep(_LOOK_S)


def _family(pid: int) -> list[int]:
    children: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += map(int, (task / "children").read_text().split())
    return [pid, *(member for child in children for member in _family(child))]


def _own_mib(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / _KIB_PER_MIB
    return 0.0
