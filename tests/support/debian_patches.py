"""Real source changes: the patches of Debian's maintainers, fetched by apt."""

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.real_edits import Change

_SOURCES = (
    "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
    "http://deb.debian.org/debian bookworm main\n"
)
_TOUCHED = re.compile(rb"^(?:---|\+\+\+) ([^\t\r\n]+)", re.MULTILINE)


class DebianSources:
    """Source packages in a folder of their own; the system's apt settings stay as they are.

    Args:
        folder: where lists, archives and sources go.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in ("lists/partial", "cache/archives/partial", "src"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "sources.list").write_text(_SOURCES)
        (folder / "apt.conf").write_text(
            f'Dir::Etc::sourcelist "{folder}/sources.list";\n'
            'Dir::Etc::sourceparts "/dev/null";\n'
            f'Dir::State::lists "{folder}/lists";\n'
            f'Dir::Cache "{folder}/cache";\n'
            'APT::Sandbox::User "root";\n'
        )

    def update(self) -> None:
        """Fetch the list of source packages."""
        self._run(["apt-get", "-q", "update"], self._folder)

    def changes(self, package: str) -> Iterator[Change]:
        """Yield what each patch of a package's series does to each file, in order."""
        place = self._folder / "src"
        self._run(["apt-get", "-q", "source", "--download-only", package], place)
        dsc = next(place.glob(f"{package}_*.dsc"))
        tree = place / package
        extract = ["dpkg-source", "--skip-patches", "--no-check", "-x", dsc.name, tree.name]
        self._run(extract, place)
        series = tree / "debian/patches/series"
        for line in series.read_text().splitlines() if series.exists() else ():
            words = line.split("#")[0].split()
            if words:
                level = next((word for word in words[1:] if word.startswith("-p")), "-p1")
                yield from self._patched(tree, series.parent / words[0], level)

    def _patched(self, tree: Path, patch: Path, level: str) -> Iterator[Change]:
        """Apply a patch and yield what it did."""
        names = {
            "/".join(name.decode().split("/")[int(level[2:] or 0) :])
            for name in _TOUCHED.findall(patch.read_bytes())
        } - {"", "dev/null", "null"}
        before = {name: _read(tree / name) for name in sorted(names)}
        arguments = ["patch", level, "--no-backup-if-mismatch", "-f", "-s", "-i", str(patch)]
        self._run(arguments, tree, ok=(0, 1))
        for name, data in before.items():
            after = _read(tree / name)
            if data != after:
                yield Change(name, data, after, source=f"{tree.name}/{patch.name}")

    def _run(self, command: Sequence[str], place: Path, ok: tuple[int, ...] = (0,)) -> None:
        done = subprocess.run(
            command,
            cwd=place,
            env=os.environ | {"APT_CONFIG": f"{self._folder}/apt.conf", "LC_ALL": "C.UTF-8"},
            capture_output=True,
            check=False,
            timeout=300,
        )
        if done.returncode not in ok:
            raise OSError(f"{command}: {done.stderr.decode(errors='replace')[-500:]}")


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
