import json
from pathlib import Path

import pytest

from jupyter_ac.hosts.kernel.link_targets import hidden_target, show_targets
from jupyter_ac.hosts.kernel.sanitize_markdown import inert

# The panel's rule is tested with the same rows.
TABLE = Path(__file__).parents[3] / "js/packages/ui/test/markdown/link-targets.json"


@pytest.mark.parametrize(("text", "url", "shown"), json.loads(TABLE.read_text("utf-8")))
def test_the_target_is_shown_where_the_text_names_another(text: str, url: str, shown: str) -> None:
    assert hidden_target(text, url) == shown


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("[x](https://evil.example)", "[x](https://evil.example)"),
        ("[bank.example](src/a.py)", "[bank.example](src/a.py)"),
        (
            "[https://bank.example](https://evil.example)",
            "[https://bank.example (evil.example)](https://evil.example)",
        ),
        (
            'See [a [**bank.**`example`]]( HTTPS://evil.example "bank.example") and [b](c).',
            (
                'See [a [**bank.**`example`] (evil.example)]( HTTPS://evil.example "bank.example") '
                "and [b](c)."
            ),
        ),
        (
            "bank.example](https://evil.example)",
            "bank.example (evil.example)](https://evil.example)",
        ),
        (
            "[bank&period;example](https://evil.example)",
            "[bank&period;example (evil.example)](https://evil.example)",
        ),
        (
            r"[x](https://evil.example\@bank.example)",
            r"[x (bank.example)](https://evil.example\@bank.example)",
        ),
        (
            "Go to https://bank.example@evil.example/x now, or www.bank.example@evil.example",
            (
                "Go to https://bank.example@evil.example/x (evil.example) now, "
                "or www.bank.example@evil.example (evil.example)"
            ),
        ),
        ("Go to https://bank.example/x@y.", "Go to https://bank.example/x@y."),
        ("https://b\u0430nk.example", "https://b\u0430nk.example (xn--bnk-6cd.example)"),
        (
            "[bank.example](https://bank.example) [bank.example](https://evil.example)",
            (
                "[bank.example](https://bank.example) [bank.example (evil.example)]"
                "(https://evil.example)"
            ),
        ),
    ],
)
def test_a_line_says_where_its_links_lead(markdown: str, shown: str) -> None:
    assert show_targets(markdown) == shown


def test_what_a_notebook_shows_says_it_and_code_blocks_stay() -> None:
    link = "[https://bank.example](https://evil.example)"
    assert "(evil.example)" in inert(f"Please {link}")
    assert inert(f"```\n{link}\n```") == f"\n```\n{link}\n```\n"
