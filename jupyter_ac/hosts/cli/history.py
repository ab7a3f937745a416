"""`jupyter ac history import FILE`: AC-DC's sessions become sessions of this repository."""

import asyncio
import os
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from jupyter_ac.chat.history.acdc_import import MAX_LINE_CHARS
from jupyter_ac.chat.history.importing import HistoryImport, ImportedHistory
from jupyter_ac.chat.history.schema import history_database
from jupyter_ac.errors import TooLarge
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.assembly import local_identity
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.path_arguments import absolute
from jupyter_ac.hosts.cli.signals import INTERRUPTING, until_signal
from jupyter_ac.hosts.signing import row_signer
from jupyter_ac.ids import Identity
from jupyter_ac.settings.paths import config_dir
from jupyter_ac.store.state_paths import state_folder

MAX_BYTES: Final = 512 << 20


def run(options: Namespace) -> int:
    """Take the file in, and say what came."""
    return asyncio.run(until_signal(_import(options), INTERRUPTING))


async def _import(options: Namespace) -> int:
    repository = await discover(absolute(options.repo))
    identity = Identity(options.user) if options.user else local_identity(os.environ)
    with options.file.open("rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            raise TooLarge(f"{options.file.name} is longer than {MAX_BYTES >> 20} MiB; split it.")
        place = await asyncio.to_thread(state_folder, repository.common_dir)
        _, signer = await asyncio.to_thread(row_signer, repository, config_dir(os.environ))
        database = history_database(place.directory, signer)
        try:
            found = await HistoryImport(database, repository.worktree).take(identity, _lines(file))
        finally:
            await database.aclose()
    for line in _report(options.file, found, database.notice):
        print(line)
    return (
        exit_codes.DONE
        if found["messages"] or found["known"] or not found["bad"]
        else exit_codes.FAILED
    )


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Give the lines, cut where they are longer than one may be."""
    while line := file.readline(MAX_LINE_CHARS + 1):
        yield line
        while len(line) > MAX_LINE_CHARS and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE_CHARS + 1)


def _report(file: Path, found: ImportedHistory, notice: str | None) -> Iterator[str]:
    if notice:
        yield notice
    yield (
        f"{file.name}: {found['messages']:,} new messages in {found['sessions']:,} sessions; "
        f"{found['known']:,} were known."
    )
    if found["images"]:
        yield f"{found['images']:,} images were passed over; the messages that had them are there."
    if found["bad"]:
        named = ", ".join(map(str, found["bad_lines"]))
        more = ", …" if found["bad"] > len(found["bad_lines"]) else ""
        yield f"{found['bad']:,} lines could not be used: {named}{more}."
