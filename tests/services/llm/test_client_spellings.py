from jupyter_ac.models.client import Retry
from jupyter_ac.services.llm.client_spellings import retry_row


def test_a_repeated_request_has_the_names_of_both_vintages() -> None:
    row = retry_row(Retry(2, 4, 7.5, "The provider is busy."))
    assert row["attempts"] == row["max_attempts"] == 4
    assert row["wait_s"] == row["wait_seconds"] == 7.5
    assert (row["attempt"], row["error_type"]) == (2, "provider_unavailable")
