from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.prompt.blocks import Block, Category, answer_block, question_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.maps import (
    KnownMaps,
    files_in,
    map_blocks,
    map_updates,
    mode_of,
    ranked_blocks,
)
from jupyter_ac.chat.prompt.profiles import profile

RULES = (Block(Category.SYSTEM, "Rules."),)
CODE = map_blocks("code", "Signs.", "a.py: f", 3)
DOC = map_blocks("doc", "", "b.md: Title", 1)


def asked(*blocks: Block) -> Exchange:
    return Exchange((*blocks, question_block("q")), answer_block("a"))


def test_a_map_says_what_it_is_of_and_as_of_when() -> None:
    legend, body = CODE
    assert (legend.category, legend.text) == (Category.LEGEND, "Signs.\n")
    assert body.category is Category.MAP
    assert body.text.startswith("Map of the repository's code, as it was when this was sent;")
    assert body.text.endswith("\n\na.py: f\n")
    assert DOC[0].text.startswith("Map of the repository's documents")
    assert (files_in(body), files_in(DOC[0]), files_in(RULES[0])) == (3, 1, 0)


def test_an_empty_map_is_none() -> None:
    assert map_blocks("code", "Signs.", " \n") == ()
    assert ranked_blocks(" ") == ()


def test_a_map_in_the_head_is_not_repeated() -> None:
    assert map_updates((*RULES, *CODE), [asked()], "code", KnownMaps(CODE)) == ()


def test_a_map_that_comes_late_is_appended_once() -> None:
    assert map_updates(RULES, [asked()], "code", KnownMaps(CODE)) == CODE
    assert map_updates(RULES, [asked(), asked(*CODE)], "code", KnownMaps(CODE)) == ()


def test_the_other_kinds_map_is_sent_once_and_switched_by_lines() -> None:
    head = (*RULES, *CODE)
    on, off = KnownMaps(other=DOC, with_other=True), KnownMaps()
    past = [asked()]
    assert map_updates(head, past, "code", off) == ()
    assert map_updates(head, past, "code", on) == DOC
    past.append(asked(*DOC))
    assert map_updates(head, past, "code", on) == ()
    (line,) = map_updates(head, past, "code", off)
    assert line.category is Category.NOTE
    assert (
        line.text
        == "The map of the repository's documents above is switched off; leave it aside.\n"
    )
    past.append(asked(line))
    assert map_updates(head, past, "code", off) == ()
    (line,) = map_updates(head, past, "code", on)
    assert line.text == "The map of the repository's documents above counts again.\n"


def test_a_map_that_was_switched_off_as_the_other_one_counts_as_the_own_one() -> None:
    past = [asked(*CODE)]  # late, in code mode
    (off,) = map_updates((*RULES, *DOC), past, "doc", KnownMaps())
    past.append(asked(off))
    (on,) = map_updates(RULES, past, "code", KnownMaps())
    assert "code above counts again" in on.text


def test_the_documents_profile_shows_the_documents() -> None:
    assert [mode_of(profile(name)) for name in ("standard", "review", "doc")] == [
        *("code", "code", "doc")
    ]


@given(st.lists(st.booleans(), max_size=12))
def test_however_it_is_switched_the_log_says_how_it_stands(switches: list[bool]) -> None:
    past: list[Exchange] = []
    for is_on in switches:
        known = KnownMaps(other=DOC if is_on else (), with_other=is_on)
        past.append(asked(*map_updates((*RULES, *CODE), past, "code", known)))
        said = [
            block for one in past for block in one.sent if block.category is not Category.QUESTION
        ]
        texts = "".join(block.text for block in said)
        assert texts.count("b.md: Title") == (True in switches[: len(past)])
        stands = bool(said) and not said[-1].text.endswith("leave it aside.\n")
        assert stands == is_on
