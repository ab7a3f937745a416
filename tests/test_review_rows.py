from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.review_rows import ReviewState


def test_a_page_is_told_every_member_also_when_nothing_is_under_review() -> None:
    assert NO_REVIEW.keys() == ReviewState.__annotations__.keys()
