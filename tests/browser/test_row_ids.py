from jupyter_ac.browser.row_ids import RowIds


def test_ids_count_up_from_one() -> None:
    row_ids = RowIds()
    assert row_ids.last == 0
    assert [row_ids.take(), row_ids.take(), row_ids.last] == [1, 2, 2]
