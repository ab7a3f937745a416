from jupyter_ac.services.refusal import Refusal


def test_a_refusal_is_one_sentence_under_error() -> None:
    assert list(Refusal.__annotations__) == ["error"]
