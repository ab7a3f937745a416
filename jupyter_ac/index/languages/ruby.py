"""Ruby; `require_relative`, and `require` of files below a `lib` folder."""

from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.languages.syntax import COMMON
from jupyter_ac.index.project.import_target import ImportTarget
from jupyter_ac.index.project.path_tree import (
    PathTree,
    ancestors,
    folder_of,
    name_of,
    nearest,
    within,
)
from jupyter_ac.index.records import Import


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return the file that is loaded; all its names become known."""
    module = line.module.removesuffix(".rb") + ".rb"
    folder = folder_of(path)
    tries = [within(folder, module)] if module.startswith(".") or line.level else []
    if not tries:
        for around in ancestors(folder):
            tries += [within(around, "lib/" + module), within(around, "app/" + module)]
        ends = [p for p in tree.named(name_of(module)) if p.endswith("/lib/" + module)]
        tries += [within(folder, module), within("", module), nearest(ends, path)]
    file = next((found for found in tries if found and found in tree and found != path), "")
    return ImportTarget((file,), (), (file,)) if file else ImportTarget()


RUBY: Final = Language(
    "ruby",
    (".rb", ".rake", ".gemspec"),
    ("tree_sitter_ruby", "language"),
    file_names=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile"),
    reading=Reading(separators=("&.", "::")),
    names=NameRules(
        self_names=("self", "@"),
        bare_names="global",
        has_bare_members=True,
        has_bare_super=True,
        has_transitive_imports=True,
        constructor=("new", "initialize"),
    ),
    imports=ImportRules(find),
    syntax=COMMON._replace(
        scopes=frozenset({"block", "do_block", "lambda", "method", "program", "singleton_method"}),
        barriers=frozenset({"class", "method", "module", "singleton_method"}),
        variables=frozenset({"identifier"}),
        super_words=frozenset(),
    ),
)
