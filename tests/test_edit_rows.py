"""The literals on the wire are those of the domain."""

from typing import get_args, get_type_hints

from jupyter_ac.chat.edit_blocks.outcomes import BlockStatus, ErrorType, MissCause
from jupyter_ac.edit_rows import EditBlockRow, EditResult, EditStatus


def test_the_wire_knows_every_status_error_and_cause() -> None:
    hints = get_type_hints(EditResult)
    assert set(get_args(EditStatus)) == {status.value for status in BlockStatus}
    assert set(get_args(hints["error_type"])) == {error.value for error in ErrorType}
    assert set(get_args(hints["cause"])) == {cause.value for cause in MissCause}


def test_a_result_has_all_that_its_block_has() -> None:
    assert set(get_type_hints(EditBlockRow)) <= set(get_type_hints(EditResult))
