from jupyter_ac.browser.network_rows import iso_time, row_of
from jupyter_ac.browser.request_record import RequestRecord


def test_a_row_has_only_what_there_is() -> None:
    row = row_of(RequestRecord(3, "r", url="data:" + "x" * 100_000))
    assert row["url"].endswith("… (100,005 characters)")
    assert not {"error", "pause_stage", "paused_id"} & row.keys()
    assert (row["time_ms"], row["body_status"], row["state"]) == (None, None, "pending")


def test_a_row_says_where_a_request_waits() -> None:
    row = row_of(RequestRecord(3, "r", pause_stage="Response", fetch_id="f", error="e"))
    assert (row["pause_stage"], row["paused_id"], row["error"]) == ("Response", "f", "e")


def test_times_that_there_are_not_are_empty() -> None:
    assert iso_time(0) == "1970-01-01T00:00:00.000Z"
    assert iso_time(1e30) == iso_time(float("nan")) == ""
