"""The exception tree: types, codes and messages of all errors."""

import pytest

from jupyter_ac import errors
from jupyter_ac.errors import AcError, ConnectionClosed, ProviderRateLimit, RemoteError

WORDS = {
    "not_ready", "busy", "cancelled", "timeout", "not_found", "exists", "refused_path", "binary",
    "too_large", "git", "conflict", "access_denied", "unsupported", "provider_auth",
    "provider_rate_limit", "provider_context", "provider_unavailable", "provider_bad_request",
    "internal",
}  # fmt: skip


def tree(root: type[AcError]) -> set[type[AcError]]:
    found = {root}
    for child in root.__subclasses__():
        if child.__module__ == errors.__name__:
            found |= tree(child)
    return found


def test_every_word_of_the_wire_has_an_error() -> None:
    assert {error.type for error in tree(AcError)} >= WORDS


def test_every_code_is_one_of_json_rpc_of_the_planner_or_of_lsp() -> None:
    json_rpc = {-32700, -32600, -32601, -32602, -32000}
    assert {error.code for error in tree(AcError)} == {*json_rpc, -32002, -32003, -32800}


def test_every_error_has_a_sentence_for_its_reader() -> None:
    assert all(error.__doc__ for error in tree(AcError))


def test_an_error_keeps_its_message_and_a_copy_of_its_details() -> None:
    details: dict[str, object] = {"path": "a.py"}
    error = AcError("gone", details)
    details["path"] = "b.py"
    assert (str(error), error.message, dict(error.details)) == ("gone", "gone", {"path": "a.py"})


@pytest.mark.parametrize(
    ("data", "word"), [({"type": "busy"}, "busy"), ({"type": 1}, ""), ([], ""), (None, "")]
)
def test_a_remote_error_tells_the_word_that_it_carried(data: object, word: str) -> None:
    assert RemoteError("no", -32000, data).remote_type == word


def test_a_closed_connection_tells_its_code() -> None:
    assert ConnectionClosed(close_code=4404).close_code == 4404


def test_a_rate_limit_puts_the_waiting_time_on_the_wire() -> None:
    assert ProviderRateLimit("wait", 7.5).details == {"retry_after": 7.5}
    assert ProviderRateLimit("wait").details == {}
