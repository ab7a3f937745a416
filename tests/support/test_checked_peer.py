"""The caller that holds answers against the published schemas."""

import pytest

from tests.support.checked_peer import check_result


def test_answers_as_they_are_published_pass() -> None:
    check_result("Repo.is_clean", answer=True)
    check_result("LLMService.set_cross_reference", {"error": "There is no index."})
    check_result("Other.method", object())


@pytest.mark.parametrize(
    ("method", "answer", "place"),
    [
        ("Repo.is_clean", "yes", r"\$: 'yes' is not of type 'boolean'"),
        ("Repo.resolve_ref", 5, r"\$: 5 is not of type"),
        ("LLM.get_selected_files", ["a", 1], r"\$\[1\]: 1 is not"),
        ("LLMService.get_current_state", {}, r"\$: .* is a required property"),
        ("Repo.get_current_branch", {"branch": "a", "new": 1}, "'new' was unexpected|required"),
    ],
)
def test_others_are_named_with_their_place(method: str, answer: object, place: str) -> None:
    with pytest.raises(AssertionError, match=place):
        check_result(method, answer)
