"""Changes that people made to real files, as a model would write them: edit blocks.

The blocks are made without the code under test: from a diff of the lines, each with as much of the
lines around it as makes its old text unique.
"""

import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import count
from pathlib import Path

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edit_blocks.matching.lines import created
from jupyter_ac.chat.edit_blocks.matching.replacing import Already, Replaced, replace_lines
from jupyter_ac.chat.edit_blocks.reading.markers import FAMILIES, Family, render
from jupyter_ac.chat.edit_blocks.reading.parser import parse
from tests.support.repositories import git_environment

BOM = "\ufeff"


@dataclass(frozen=True)
class Change:
    """A file before and after; None where there is none. It was renamed when the paths differ."""

    path: str
    before: bytes | None
    after: bytes | None
    new_path: str = ""
    source: str = ""

    @property
    def is_text(self) -> bool:
        """Tell whether both sides are text that the engine edits."""
        return all(data is None or _is_text(data) for data in (self.before, self.after))


@dataclass
class ReplayResult:
    """How many changes came out byte for byte, and why others did not."""

    exact: int = 0
    changed: int = 0
    rewritten: int = 0
    blocks: int = 0
    misses: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        tried = self.exact + len(self.misses)
        return (
            f"{self.exact} of {tried} files byte for byte, {self.changed} of them changed, "
            f"the others made or deleted; {self.rewritten} as delete and create; "
            f"{self.blocks} blocks; left out: {dict(self.left_out)}; misses: {self.misses}"
        )


def replay(changes: Iterator[Change]) -> ReplayResult:
    """Turn changes into answers, the answers into blocks, and apply these."""
    tally = ReplayResult()
    for change in changes:
        if not change.is_text:
            tally.left_out["binary or not UTF-8"] += 1
        elif (reason := inexpressible(change)) and not _is_creatable(change.after):
            tally.left_out[reason] += 1
        else:
            _try(change, tally)
    return tally


def _try(change: Change, tally: ReplayResult) -> None:
    path = change.new_path or change.path
    for is_rewritten, blocks in enumerate((edits(change), rewriting(change))):
        if not blocks and change.before != change.after:
            continue
        files = {} if change.before is None else {change.path: change.before}
        try:
            apply_answer(files, answer(blocks))
        except UnapplicableBlock as refused:
            tally.misses.append(f"{change.source} {change.path}: {refused}")
            return
        if files.get(path) == change.after:
            tally.exact += 1
            tally.changed += None not in (change.before, change.after)
            tally.rewritten += is_rewritten
            tally.blocks += len(blocks)
            return
    reason = inexpressible(change) or "other bytes"
    tally.misses.append(f"{change.source} {change.path}: {reason}")


class UnapplicableBlock(AssertionError):
    """A block was not applied."""


def apply_answer(files: dict[str, bytes], text: str) -> None:
    """Apply an answer's blocks to files, as simply as it can be done."""
    for block in parse(text, files.__contains__):
        assert block.is_complete, block
        if block.kind is BlockKind.DELETE:
            del files[block.path]
        elif block.kind is BlockKind.RENAME:
            files[block.new_path] = files.pop(block.path)
        elif block.path not in files:
            assert not block.old, block
            files[block.path] = created(block.new)
        else:
            done = replace_lines(files[block.path], block.old, block.new)
            if not isinstance(done, Replaced):
                why = "already applied" if isinstance(done, Already) else done.message
                raise UnapplicableBlock(f"{why} {block.old[:5]}")
            files[block.path] = done.data


def answer(blocks: Sequence[EditBlock]) -> str:
    """Return blocks as an answer's text, each in a family whose markers it doesn't hold.

    Raises:
        UnapplicableBlock: a block holds markers of all families.
    """
    texts = ["I make these changes:\n\n"]
    for block in blocks:
        families = [family for family in FAMILIES if not _holds(block, family)]
        if not families:
            raise UnapplicableBlock(f"markers of all families in {block.path}")
        texts.append(render(block, families[0]))
    return "\n".join(texts)


def _holds(block: EditBlock, family: Family) -> bool:
    """Tell whether a block's text has a line that is a marker of a family."""
    lines = {line.strip() for line in (*block.old, *block.new)}
    markers = {*family.openers, family.middle, family.close}
    return not lines.isdisjoint(markers) or any(map(family.is_middle, lines))


def edits(change: Change) -> list[EditBlock]:
    """Return the blocks that make `after` of `before`, in order."""
    if change.after is None:
        return [EditBlock(0, BlockKind.DELETE, change.path)]
    path = change.new_path or change.path
    if change.before is None or not texts_of(change.before):
        return [EditBlock(0, BlockKind.EDIT, path, (), _new_file(change.after))]
    numbers = count()
    blocks = []
    if path != change.path:
        blocks.append(EditBlock(next(numbers), BlockKind.RENAME, change.path, new_path=path))
    for old, new in hunks(texts_of(change.before), texts_of(change.after)):
        blocks.append(EditBlock(next(numbers), BlockKind.EDIT, path, tuple(old), tuple(new)))
    return blocks


def rewriting(change: Change) -> list[EditBlock]:
    """Return the blocks that delete a file and make it anew: how its last newline is added."""
    if change.before is None or not _is_creatable(change.after):
        return []
    path = change.new_path or change.path
    new = EditBlock(1, BlockKind.EDIT, path, (), _new_file(change.after or b""))
    return [EditBlock(0, BlockKind.DELETE, change.path), new]


def inexpressible(change: Change) -> str:
    """Return why lines cannot say a change; "" when they can."""
    before, after = change.before, change.after
    if after is None:
        return ""
    if before is None:
        return "" if _is_creatable(after) else "made without LF at the end of each line"
    if before.startswith(b"\xef\xbb\xbf") != after.startswith(b"\xef\xbb\xbf"):
        return "byte order mark changed"
    if _is_open(before) != _is_open(after):
        return "last newline changed"
    if (b"\r\n" in before) != (b"\r\n" in after) or _lone(before) != _lone(after):
        return "line ends changed"
    return ""


def hunks(before: list[str], after: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield old and new text of each part that differs; each is unique where it is applied."""
    matcher = SequenceMatcher(None, before, after)
    for tag, start, stop, begin, to in matcher.get_opcodes():
        if tag == "equal":
            continue
        # The parts before this one have been applied.
        now = [*after[:begin], *before[start:]]
        yield _widened(now, (begin, begin + stop - start), after[begin:to])


def _widened(now: list[str], part: tuple[int, int], put: list[str]) -> tuple[list[str], list[str]]:
    """Return the old and new text of a part with enough of the lines around it."""
    begin, end = part
    for more in count():
        context = more if more < 8 else 2 ** (more - 5)
        low, high = max(begin - (context + 1) // 2, 0), min(end + context // 2, len(now))
        old = now[low:high]
        new = [*now[low:begin], *put, *now[end:high]]
        is_whole = (low, high) == (0, len(now))
        if is_whole or (old and starts(now, old) == [low] and not _looks_done(now, old, new, low)):
            return old, new
    raise AssertionError


def _looks_done(now: list[str], old: list[str], new: list[str], at: int) -> bool:
    """Tell whether the new text stands at the old one's place, as after a repeated insertion."""
    return any(at - len(new) < place < at + len(old) for place in starts(now, new))


def starts(lines: list[str], wanted: list[str]) -> list[int]:
    """Return where lines stand, found in the joined text."""
    text, part = ("\n" + "\n".join(each) + "\n" for each in (lines, wanted))
    found, places = -1, []
    while wanted and (found := text.find(part, found + 1)) >= 0:
        places.append(text.count("\n", 0, found))
    return places


def texts_of(data: bytes) -> list[str]:
    """Return the lines of a file without their ends."""
    lines = data.decode().removeprefix(BOM).split("\n")
    last = lines.pop()
    return [line.removesuffix("\r") for line in lines] + ([last] if last else [])


def _new_file(data: bytes) -> tuple[str, ...]:
    """Return the lines that make a file; the first begins with its byte order mark."""
    mark = BOM if data.decode().startswith(BOM) else ""
    first, *others = texts_of(data) or [""]
    return (mark + first, *others) if data else ()


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def _is_open(data: bytes) -> bool:
    return bool(data) and not data.endswith(b"\n")


def _lone(data: bytes) -> bool:
    return data.count(b"\n") > data.count(b"\r\n")


def _is_creatable(data: bytes | None) -> bool:
    return data is not None and b"\r" not in data and not _is_open(data)


def history(root: Path, *, limit: int = 0) -> Iterator[Change]:
    """Yield the changes of a repository's commits, newest first."""
    listing = _git(root, "rev-list", "--no-merges", *([f"-{limit}"] if limit else []), "HEAD")
    for commit in listing.decode().split():
        raw = _git(root, "diff-tree", "--root", "-r", "-z", "-M", "--no-commit-id", commit)
        fields = iter(raw.decode("utf-8", "surrogateescape").split("\0")[:-1])
        for line in fields:
            modes, status = line.split()[:4], line.split()[4]
            path = next(fields)
            new_path = next(fields) if status[0] in "RC" else ""
            if status[0] == "C" or not {modes[0].strip(":"), modes[1]} <= {"000000", *_FILES}:
                continue
            before, after = (_blob(root, blob) for blob in modes[2:])
            yield Change(path, before, after, new_path, commit[:7])


_FILES = ("100644", "100755")


def _blob(root: Path, blob: str) -> bytes | None:
    return None if set(blob) == {"0"} else _git(root, "cat-file", "blob", blob)


def _git(root: Path, *args: str) -> bytes:
    done = subprocess.run(
        ["git", "-c", "safe.directory=*", *args],
        cwd=root,
        env=git_environment(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    return done.stdout
