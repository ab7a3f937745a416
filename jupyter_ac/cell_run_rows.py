"""Wire types of cells that the program runs, in events and in answers."""

from typing import Literal, NotRequired, TypedDict


class CellOutputRow(TypedDict):
    """An output of a cell.

    Attributes:
        kind: `text` of print and of results, `error` with its traceback, `image`.
        text: without escape sequences; "" for images.
        mime_type: of an image.
        bytes: size of an image; `get_cell_run_image` returns it.
    """

    kind: Literal["text", "error", "image"]
    text: str
    mime_type: NotRequired[str]
    bytes: NotRequired[int]


class CellRunRow(TypedDict):
    """A cell that the program wants to run, runs, or has run.

    Attributes:
        notebook: path of the notebook, as the program gave it.
        sha256: of the code in UTF-8, hexadecimal.
        status: `waiting` for approval, `running`, or how it ended.
        reason: a sentence on why it ended like this; "" if there is nothing to say.
        time_limit_s: seconds after which the kernel is interrupted.
        requested_at: ISO 8601, UTC.
        started_at: the same; "" before it has started.
        duration_s: of the run; null before its end.
        approved_by: who approved it; "" before.
        outputs: bounded; empty for earlier runs but their texts.
        left_out: number of characters and images that were over the limits.
    """

    run_id: str
    notebook: str
    kernel_id: str
    code: str
    sha256: str
    status: Literal["waiting", "running", "ok", "error", "timed_out", "interrupted", "refused"]
    reason: str
    time_limit_s: float
    requested_at: str
    started_at: str
    duration_s: float | None
    approved_by: str
    outputs: list[CellOutputRow]
    left_out: int
