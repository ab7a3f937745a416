from jupyter_ac.chat.prompt.blocks import Category
from jupyter_ac.chat.prompt.profiles import UNLIMITED, profile


def test_the_embedded_profile_has_the_limits_that_its_model_needs() -> None:
    embedded = profile("embedded")
    assert (embedded.file_tokens, embedded.talk_tokens) == (600, 400)
    (system,) = embedded.head()
    assert system.category is Category.SYSTEM
    assert len(system.text.split()) < 100


def test_the_standard_profile_has_none_and_is_the_default() -> None:
    standard = profile("standard")
    assert (standard.file_tokens, standard.talk_tokens) == (UNLIMITED, UNLIMITED)
    assert standard.answer_tokens is None
    assert profile("unheard-of") is standard


def test_a_head_is_the_same_every_time() -> None:
    assert profile("standard").head() == profile("standard").head()
