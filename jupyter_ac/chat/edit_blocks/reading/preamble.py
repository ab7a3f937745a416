"""Reads the lines before a block: the path of its file, and the code fence around it."""

import re
from dataclasses import dataclass
from typing import Final

_FENCE: Final = re.compile(r"(?P<run>`{3,}|~{3,})(?P<info>[^`]*)", re.DOTALL)


@dataclass(slots=True)
class _Fence:
    """An open code fence.

    Attributes:
        run: the characters that opened it.
        start: where its line begins.
        info: what stands behind them, such as the language.
        is_fresh: nothing stands in it yet.
        is_taken: it was opened for a block, whose span its lines belong to.
    """

    run: str
    start: int
    info: str
    is_fresh: bool = True
    is_taken: bool = False

    def is_closed_by(self, run: str, info: str) -> bool:
        return run.startswith(self.run) and not info.strip()


class Preamble:
    """Follows lines that may stand ahead of a block.

    Args:
        is_content: they are the lines of an open block; no fence among them closes another.

    Attributes:
        line: the one that may name the next block's file; "" when none may.
    """

    def __init__(self, *, is_content: bool = False) -> None:
        self._is_content = is_content
        self._fence: _Fence | None = None
        self._is_behind_block = False
        self._start = 0
        self.line = ""

    @property
    def info(self) -> str:
        """The info string of the code fence; "" outside of one."""
        return self._fence.info if self._fence is not None else ""

    def see(self, line: str, start: int) -> bool:
        """Take a trimmed line that begins at `start`.

        Returns:
            whether it closes the fence of the block directly before it.
        """
        if not line:
            return False
        is_behind_block, self._is_behind_block = self._is_behind_block, False
        fence = _FENCE.fullmatch(line)
        if fence is None:
            self._see_text(line, start)
            return False
        return self._see_fence(fence["run"], fence["info"], start) and is_behind_block

    def open_block(self, start: int, *, has_path: bool) -> int:
        """Note that the marker at `start` opens a block.

        Args:
            start: where the marker's line begins.
            has_path: `line` names its file.

        Returns:
            where the block's span begins.
        """
        fence = self._fence
        if fence is not None and fence.is_fresh:
            fence.is_taken = True
            start = fence.start
        if has_path:
            start = self._start
            if fence is not None and fence.start == start:
                fence.is_taken = True
        self._is_content = False
        return start

    def close_block(self) -> None:
        """Note that the block's last line has been."""
        self.line = ""
        self._is_behind_block = True
        if self._fence is not None:
            self._fence.is_fresh = False

    def _see_text(self, line: str, start: int) -> None:
        self.line, self._start = line, start
        if self._fence is None:
            return
        if self._is_content:
            self._fence = None
        elif self._fence.is_fresh:
            self._start = self._fence.start
            self._fence.is_fresh = False

    def _see_fence(self, run: str, info: str, start: int) -> bool:
        fence = self._fence
        if fence is not None and (fence.is_fresh or fence.is_closed_by(run, info)):
            self.line = ""
        if fence is not None and fence.is_closed_by(run, info) and not self._is_content:
            self._fence = None
            return fence.is_taken
        self._fence = _Fence(run, start, info)
        return False
