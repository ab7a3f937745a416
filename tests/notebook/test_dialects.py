import pytest

from jupyter_ac.notebook.dialects import dialect_of, notebook_language


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({}, "python"),
        (None, "python"),
        ({"kernelspec": 5, "language_info": {"name": "R"}}, "r"),
        ({"kernelspec": {"name": "python3"}}, "python"),
        ({"kernelspec": {"language": "C++17"}}, "cpp"),
        ({"kernelspec": {"language": "C#"}}, "csharp"),
        ({"kernelspec": {"language": ""}, "language_info": {"name": "Julia"}}, "julia"),
    ],
)
def test_the_language_is_found_wherever_it_is_said(metadata: object, language: str) -> None:
    assert notebook_language(metadata) == language


@pytest.mark.parametrize(
    ("language", "comment", "empty"),
    [
        ("python", "# x", "#"),
        ("go", "// x", "//"),
        ("sql", "-- x", "--"),
        ("ocaml", "(* x *)", "(* *)"),
        ("unknown", "# x", "#"),
    ],
)
def test_comments_are_written_and_read(language: str, comment: str, empty: str) -> None:
    form = dialect_of(language)
    assert (form.comment("x"), form.comment("")) == (comment, empty)
    assert (form.uncomment(comment), form.uncomment(empty)) == ("x", "")
    assert form.uncomment("no comment") == "no comment"


def test_a_cell_in_the_kernels_own_language_is_no_other() -> None:
    assert dialect_of("python").is_other_language("bash")
    assert not dialect_of("bash").is_other_language("bash")
    assert not dialect_of("python").is_other_language("time")
