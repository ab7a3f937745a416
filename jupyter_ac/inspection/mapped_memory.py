"""Whether an address of this process is mapped from a file: to read there may take long."""

from pathlib import Path
from typing import Final

_MAPS: Final = Path("/proc/self/maps")
_FIELDS: Final = 5
_INODE: Final = 4


def is_file_mapped(address: int, maps: Path = _MAPS) -> bool | None:
    """Return whether the memory at an address is mapped from a file.

    Args:
        address: of the first byte.
        maps: the list of the process's mappings, as Linux writes it.

    Returns:
        None where the system has no such list.
    """
    try:
        lines = maps.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    for line in lines:
        fields = line.split(maxsplit=_FIELDS)
        start, _, end = fields[0].partition("-")
        if int(start, 16) <= address < int(end, 16):
            return fields[_INODE] != "0"
    return False
