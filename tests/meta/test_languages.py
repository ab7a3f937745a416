"""What is known of a language stands in its module under `index/languages/` and nowhere else."""

import ast
from collections.abc import Iterator

from jupyter_ac.index.languages.registry import LANGUAGES
from tests.meta.sources import Source, product

PLACES = ("jupyter_ac/index/", "jupyter_ac/worker/")
HOME = "jupyter_ac/index/languages/"
KNOWN = {
    "jupyter_ac/index/documents/link_targets.py",  # the page that a document is rendered to
    "jupyter_ac/index/navigation/navigator.py",  # how jedi's answer is shown
    "jupyter_ac/index/project/manifests.py",  # across the tree, below the languages
}
"""Other files that name a language or the ending of its files. They only become fewer."""

NAMES = {language.name for language in LANGUAGES}
ENDINGS = {end for language in LANGUAGES for end in language.extensions}


def texts(source: Source) -> Iterator[str]:
    """All strings of a module that aren't documentation."""
    nodes = [*ast.walk(source.tree)]
    documentation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in documentation:
            yield str(node.value)


def test_languages_are_named_in_their_modules() -> None:
    found = {
        source.name
        for source in product()
        if source.name.startswith(PLACES) and not source.name.startswith(HOME)
        if not (NAMES | ENDINGS).isdisjoint(texts(source))
    }
    assert found == KNOWN
