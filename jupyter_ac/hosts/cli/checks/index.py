"""Checks of the index of the repository's files: whether it can be built, and its contents."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Final

from jupyter_ac.hosts.cli.checks.context import CheckContext, CheckResult, ok, warn
from jupyter_ac.index.client import IndexClient, IndexState
from jupyter_ac.index.languages.grammar_files import missing_package
from jupyter_ac.index.languages.registry import LANGUAGES
from jupyter_ac.settings.paths import cache_dir

_WAIT_S: Final = 40.0
_CALL_S: Final = 20.0
_MIB: Final = 1 << 20
_SHOWN: Final = 5


async def index(here: CheckContext) -> CheckResult:
    """Report the files with names in the index, and the size of the machine's cache."""
    cache = cache_dir(here.environ)
    shows = here.planner.settings.shows_jupyter_files
    client = IndexClient(here.repository.root, cache, shows_jupyter_files=shows)
    async with aclosing(client):
        is_ready = await client.ready(_WAIT_S)
        status = client.status
        if status.state is IndexState.FAILED:
            return warn(status.reason, "Without it there are no maps and no navigation.")
        if not is_ready:
            done, total = status.progress
            return ok(f"still being made after {_WAIT_S:g} s: {done:,} of {total:,} files")
        counts = await client.call("Index.languages", timeout_s=_CALL_S)
    size = await asyncio.to_thread(_size, cache)
    known = counts if isinstance(counts, dict) else {}
    text = f"{_files(known)}; cache {size / _MIB:.1f} MiB"
    details = (*_skipped(status.skipped), *filter(None, [status.reason]))
    missing = _missing(known)
    if missing:
        names = ", ".join(missing)
        return warn(
            f"{text}; files without symbols, for want of a grammar: {names}",
            f"Run `pip install {' '.join(repr(each) for each in missing.values())}`.",
            *details,
        )
    return ok(text, *details)


def _missing(counts: Mapping[str, int]) -> dict[str, str]:
    """Return what to install for the languages of the repository whose grammar isn't there."""
    packages = {each.name: missing_package(each) for each in LANGUAGES if counts.get(each.name)}
    return {name: package for name, package in packages.items() if package}


def _files(counts: Mapping[str, int]) -> str:
    languages = Counter({name: count for name, count in counts.items() if name})
    shown = ", ".join(f"{name} {count:,}" for name, count in languages.most_common(_SHOWN))
    more = len(languages) - _SHOWN
    rest = f" and {more} more" if more > 0 else ""
    total = sum(counts.values())
    return f"{total:,} files, {languages.total():,} of them read: {shown or 'none'}{rest}"


def _skipped(count: int) -> tuple[str, ...]:
    return (f"left out or read in part: {count:,}",) if count else ()


def _size(cache: Path) -> int:
    return sum(file.stat().st_size for file in cache.glob("index-*.sqlite*"))
