from jupyter_ac.browser.row_ids import RowIds


def test_ids_count_up_from_one() -> None:
    row_ids = RowIds()
    assert row_ids.last == 0
    assert [row_ids.take(), row_ids.take(), row_ids.last] == [1, 2, 2]


def test_ids_of_an_earlier_process_are_left_out() -> None:
    row_ids = RowIds()
    row_ids.begin_after(1000)
    assert row_ids.take() == 1001
    row_ids.begin_after(5)
    assert row_ids.take() == 1002
