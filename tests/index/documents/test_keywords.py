from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.index.documents.keywords import Corpus, Keywords, keywords_of
from jupyter_ac.index.documents.markdown import markdown_outline
from jupyter_ac.index.documents.terms import terms_of


def keywords(*texts: str) -> Keywords:
    """Return the keywords of the first text, the others being its company."""
    outlines = [markdown_outline(text) for text in texts]
    terms = [terms_of(text, found.headings) for text, found in zip(texts, outlines, strict=True)]
    corpus = Corpus()
    for one in terms:
        corpus.add(one)
    return keywords_of(outlines[0].headings, terms[0], corpus)


FILLER = "common words everywhere around these common words everywhere "


def test_words_that_other_sections_lack_are_chosen() -> None:
    text = f"""# Boats
{FILLER} rudder rudder keel keel anchor anchor
# Cars
{FILLER} piston piston clutch clutch gearbox gearbox
# Planes
{FILLER} wing wing flap flap cockpit cockpit
# Trains
{FILLER} rail rail wagon wagon boiler boiler
"""
    boats, cars, *_ = keywords(text)
    assert set(boats) == {"rudder", "keel", "anchor"}
    assert set(cars) == {"piston", "clutch", "gearbox"}


def test_short_sections_have_no_keywords() -> None:
    assert keywords("# A\nengine room\n") == ((),)


def test_long_sections_have_two_more() -> None:
    words = "rudder rudder keel keel anchor anchor sail sail mast mast rope rope. "
    assert [len(found) for found in keywords(f"# A\n{words}\n# B\n{words}\n" + "\n" * 20)] == [3, 5]


def test_words_in_most_sections_are_dropped() -> None:
    section = "token token token token in several places of several sections, {}\n"
    text = "".join(f"# H{n}\n" + section.format(f"word{'abcdef'[n]}") for n in range(6))
    assert all("token" not in found for found in keywords(text))


def test_a_section_of_common_words_alone_keeps_one() -> None:
    text = "".join(
        f"# H{n}\ntoken engine token engine token engine token engine\n" for n in range(6)
    )
    assert all(len(found) == 1 for found in keywords(text))


def test_words_of_the_heading_are_not_said_again() -> None:
    (found,) = keywords("# The rudder\nrudder rudder rudder keel keel anchor, long\n")
    assert "rudder" not in found


def test_a_phrase_stands_for_its_words() -> None:
    text = "# A\nprompt cache here, prompt cache there, a prompt cache and the session\n# B\nelse"
    assert keywords(text)[0][0] == "prompt cache"
    assert "cache" not in keywords(text)[0]


def test_code_gives_no_keywords() -> None:
    (found,) = keywords(
        "# A\n```\nfenced fenced fenced\n```\n`inline` `inline` text on the gears of a machine\n"
    )
    assert not {"fenced", "inline"} & set(found)


texts = st.lists(st.sampled_from(["# A\n", "## B\n", "wheel ", "engine room ", ". ", "\n"])).map(
    "".join
)


@given(st.lists(texts, min_size=1, max_size=4))
def test_keywords_are_the_same_however_the_documents_came(parts: list[str]) -> None:
    outlines = [markdown_outline(text) for text in parts]
    terms = [terms_of(text, found.headings) for text, found in zip(parts, outlines, strict=True)]
    forward, back = Corpus(), Corpus()
    for one in terms:
        forward.add(one)
    back.add(terms[0])
    for one in reversed(terms):
        back.add(one)
    back.remove(terms[0])
    for found, one in zip(outlines, terms, strict=True):
        chosen = keywords_of(found.headings, one, forward)
        assert chosen == keywords_of(found.headings, one, back)
        assert len(chosen) == len(found.headings)
