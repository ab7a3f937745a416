"""What a batch may touch."""

from jupyter_ac.chat.edits.apply_options import MAX_FILE_BYTES, Applied, ApplyOptions
from jupyter_ac.settings.app import EditSettings


def test_what_is_not_said_is_the_setting_that_holds_where_none_is_made() -> None:
    terms = ApplyOptions(selection=None)
    assert terms.max_file_bytes == MAX_FILE_BYTES == EditSettings().max_file_bytes
    assert not terms.unsaved
    assert not Applied().modified
