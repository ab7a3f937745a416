"""Whether any page sees a panel."""

from jupyter_ac.services.panels.attention import Attention
from tests.services.panels.fake_pages import FakePage


def test_a_panel_is_seen_where_any_page_sees_it() -> None:
    attention, first, second = Attention(), FakePage(), FakePage()
    assert attention.note(first, {"active": False, "accentColor": "red"}) == {
        "active": False,
        "accentColor": "red",
    }
    assert attention.note(second, {}) == {"active": True}
    assert attention.note(first, {"active": None}) == {"active": True}
    assert attention.note(second, {"active": False}) == {"active": True}
    assert attention.note(first, {"colorScheme": "dark"}) == {"colorScheme": "dark"}
    assert attention.note(first, {"active": False}) == {"active": False}
    assert not attention.is_active


def test_a_page_that_goes_may_have_been_the_last_to_see_it() -> None:
    attention, first, second = Attention(), FakePage(), FakePage()
    attention.note(first, {"active": True})
    attention.note(second, {"active": False})
    assert attention.forget(first)
    assert not attention.forget(first)
    assert not attention.forget(second)
    assert not attention.forget(second)


def test_a_page_alone_is_not_told_to_the_plugin() -> None:
    attention, page = Attention(), FakePage()
    assert attention.note(page, {}) == {}
    assert not attention.forget(page)


def test_what_is_no_environment_is_left_to_the_plugin() -> None:
    attention, page = Attention(), FakePage()
    assert attention.note(page, {"active": "yes"}) == {"active": "yes"}
    assert attention.is_active
