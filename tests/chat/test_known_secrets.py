import random

from jupyter_ac.chat.known_secrets import KnownSecrets


def _found(text: str, *values: str) -> set[str]:
    known = KnownSecrets()
    for value in values:
        known.learn(value)
    return {text[start:end] for start, end in known.spans(text)}


def test_a_value_is_found_as_it_is_written_elsewhere() -> None:
    text = """it is a"b/c d, "a\\"b/c d", or x?k=a%22b%2Fc%20d"""
    assert _found(text, 'a"b/c d') == {'a"b/c d', 'a\\"b/c d', "a%22b%2Fc%20d"}


def test_a_value_that_was_cut_is_found_among_those_with_the_same_beginning() -> None:
    values = [f"common-beginning-{name}" for name in ("aaaa-1", "bbbb-2", "cccc-3")]
    assert _found("x common-beginning-bbb… y", *values) == {"common-beginning-bbb"}
    assert _found("x common-beginning-bbx y", *values) == set()
    assert _found("common-beginning-cccc-3", *values) == {"common-beginning-cccc-3"}


def test_the_longest_of_alike_values_is_found_as_a_whole_when_cut() -> None:
    long = "ab12" * 500
    assert _found(f"'{long[:1500]}…'", long, long[:600] + "x" * 600) == {long[:1500]}


def test_many_values_with_the_same_beginning_are_found_in_a_text_full_of_them() -> None:
    chance = random.Random(7)
    values = [f"commonprefix{chance.randbytes(6).hex()}" for _ in range(5_000)]
    assert _found("\n".join(values), *values) >= set(values[:500])
