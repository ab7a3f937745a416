"""R: sourced files, packages of the tree, names with dots, classes that calls make."""

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.completion import completions
from jupyter_ac.index.navigation.hover import doc_lines
from jupyter_ac.index.navigation.source_text import SourceText
from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from jupyter_ac.index.parsing import parse
from tests.index.navigation.trees import Tree
from tests.support.indexed import imported, meant, put, record_of, state_of

PACKAGE = {
    "pkgs/tidy/DESCRIPTION": "Title: Tidy\nPackage: tidy.data\nVersion: 1.0\n",
    "pkgs/tidy/R/clean.R": "clean.rows <- function(x) drop_empty(x)\n",
    "pkgs/tidy/R/drop.r": "drop_empty <- function(x) x\nstart <- function() 1\n",
    "pkgs/tidy/R/tidy.data.R": "NULL\n",
    "other/drop.R": "start <- function() 2\n",
}
STACK = """Base <- R6::R6Class("Base", public = list(
  push = function(x) invisible(self)
))
Stack <- R6::R6Class("Stack", inherit = Base,
  public = list(
    items = NULL,
    initialize = function(...) self$items <- list(...),
    pull = function(n) { self$check(n); self$push(n) }
  ),
  private = list(check = function(n) n)
)
use_all <- function() {
  first <- Stack$new(1)
  first$pull(2)
  first$push(3)
}
"""


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ('source("helpers.R")', "analysis/helpers.R"),
        ('source("R/load.R", local = TRUE)', "R/load.R"),
        ('sys.source("deep/part.r", envir = e)', "x/deep/part.r"),
        ('source("missing.R")', None),
        ("source(file)", None),
    ],
)
def test_a_sourced_file_is_found_from_the_folders_around(line: str, file: str | None) -> None:
    others = ("analysis/helpers.R", "R/load.R", "x/deep/part.r", "other/helpers.R")
    state = state_of({"analysis/main.R": f"{line}\n", **dict.fromkeys(others, "")})
    assert imported(state, "analysis/main.R") == ([] if "(file)" in line else [file])


def test_what_a_sourced_file_sources_is_known_too() -> None:
    files = {
        "main.R": 'source("a.R")\nrun(1)\n',
        "a.R": 'source("b.R")\n',
        "b.R": "run <- function(x) x\n",
        "c/other.R": "run <- function(x) x\n",
    }
    assert meant(state_of(files), "main.R", "run") == "b.R:run"


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("library(tidy.data)", "pkgs/tidy/R/tidy.data.R"),
        ('suppressMessages(require("tidy.data"))', "pkgs/tidy/R/tidy.data.R"),
        ('requireNamespace("tidy.data")', "pkgs/tidy/R/tidy.data.R"),
        ("library(ggplot2)", None),
    ],
)
def test_a_package_is_named_by_its_description(line: str, file: str | None) -> None:
    assert imported(state_of({**PACKAGE, "main.R": f"{line}\n"}), "main.R") == [file]


def test_a_package_that_is_attached_makes_its_names_known() -> None:
    files = {**PACKAGE, "main.R": "library(tidy.data)\nstart()\nclean.rows(1)\n"}
    state = state_of(files)
    assert meant(state, "main.R", "start") == "pkgs/tidy/R/drop.r:start"
    assert meant(state, "main.R", "clean.rows") == "pkgs/tidy/R/clean.R:clean.rows"
    without = state_of({**PACKAGE, "main.R": "start()\n"})
    assert not meant(without, "main.R", "start")


def test_names_of_a_package_are_qualified() -> None:
    files = {**PACKAGE, "main.R": "tidy.data::start()\nstats::clean.rows()\n"}
    state = state_of(files)
    assert meant(state, "main.R", "start") == "pkgs/tidy/R/drop.r:start"
    assert not meant(state, "main.R", "clean.rows")


def test_files_of_a_package_share_their_names() -> None:
    state = state_of({**PACKAGE, "a/R/drop.R": "drop_empty <- function(y) y\n"})
    assert meant(state, "pkgs/tidy/R/clean.R", "drop_empty") == "pkgs/tidy/R/drop.r:drop_empty"


def test_a_new_file_of_a_package_is_noticed() -> None:
    state = state_of({**PACKAGE, "main.R": "library(tidy.data)\nlate.name()\n"})
    assert not meant(state, "main.R", "late.name")
    put(state, "pkgs/tidy/R/late.R", "late.name <- function() 1\n")
    state.update()
    assert meant(state, "main.R", "late.name") == "pkgs/tidy/R/late.R:late.name"


def test_a_package_that_is_renamed_is_noticed() -> None:
    state = state_of({**PACKAGE, "main.R": "library(tidy.data)\n"})
    put(state, "pkgs/tidy/DESCRIPTION", "Package: other\n")
    state.update()
    assert imported(state, "main.R") == [None]


def test_a_dot_is_a_letter_of_a_name() -> None:
    files = {
        "main.R": "print.survey(x)\nmy.list$size.of(1)\n",
        "a.R": "print.survey <- function(x) x\nsurvey <- function(x) x\n",
    }
    state = state_of(files)
    uses = record_of(state, "main.R").uses
    assert [(use.base, use.name) for use in uses] == [("", "print.survey"), ("my.list", "size.of")]
    assert meant(state, "main.R", "print.survey") == "a.R:print.survey"


def test_names_are_found_at_any_of_their_dots() -> None:
    tree = Tree(
        {
            "main.R": 'source("b/a.R")\nprint.my.survey(x)\n',
            "b/a.R": "print.my.survey <- function(x) x\nsurvey <- 1\n",
        }
    )
    for mark in ("pr|int.my.survey", "print.my.su|rvey"):
        assert tree.goal("main.R", mark) == "b/a.R:print.my.survey"
    assert tree.goal("main.R", "b/a|.R") == "b/a.R"
    assert tree.source("main.R").typed(tree.place("main.R", "print.my.s|urvey")).word == (
        "print.my.s"
    )


def test_what_stands_before_a_dollar_or_two_colons_is_an_object() -> None:
    tree = Tree({"a.R": "my.stack$pu\ntidy.data::st\nx.y\n"})
    for mark, base, word in (
        ("my.stack$pu|", "my.stack", "pu"),
        ("tidy.data::st|", "tidy.data", "st"),
    ):
        typed = tree.source("a.R").typed(tree.place("a.R", mark))
        assert (typed.base, typed.word, typed.is_member) == (base, word, True)
    assert not tree.source("a.R").typed(tree.place("a.R", "x.y|")).is_member


def test_members_are_those_of_the_class_and_of_what_it_extends() -> None:
    tree = Tree({"stack.R": STACK})
    assert tree.goal("stack.R", "inherit = Ba|se") == "stack.R:Base"
    assert tree.goal("stack.R", "<- St|ack$new") == "stack.R:Stack"
    for mark, line in (("self$ch|eck", 10), ("self$pu|sh", 2)):
        assert tree.meant("stack.R", mark) == f"stack.R:{line} likely"
    for mark, line in (("first$pu|ll", 8), ("first$pu|sh", 2)):
        assert tree.meant("stack.R", mark) == f"stack.R:{line} likely"


def test_names_of_an_attached_package_and_of_an_object_are_offered() -> None:
    text = "library(tidy.data)\nsto\ntidy.data::cle\n"
    tree = Tree({**PACKAGE, "pkgs/tidy/R/stop.R": "stop.all <- function() 1\n", "main.R": text})

    def offered(mark: str) -> list[str]:
        place, source = tree.place("main.R", mark), tree.source("main.R")
        found = completions(tree.view, RepoPath("main.R"), place, source, "")
        return [each["label"] for each in found]

    assert offered("sto|") == ["stop.all"]
    assert offered("data::cle|") == ["clean.rows"]


def test_roxygen_above_a_function_is_its_documentation() -> None:
    text = "#' Counts *all*.\n#'\n#' Twice.\n#' @param x what\n#' @export\nf <- function(x) x\n"
    symbol = parse("r", text.encode()).symbols[0]
    assert doc_lines("r", SourceText(text), symbol) == ["Counts *all*.", "", "Twice."]


def test_a_method_belongs_to_the_class_that_it_is_set_for() -> None:
    text = (
        'setClass("Base.shape")\n'
        'setClass("Shape", contains = "Base.shape")\n'
        'setMethod("area", "Shape", function(shape) 1)\n'
        'setMethod("+", signature(e1 = "Shape", e2 = "ANY"), function(e1, e2) e1)\n'
    )
    symbols = record_of(state_of({"a.R": text}), "a.R").symbols
    assert [(each.name, each.kind, each.parent) for each in symbols[2:]] == [
        ("area", "method", 1),
        ("+", "method", 1),
    ]
    assert symbols[1].bases == ("Base.shape",)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("f <- function(x) x\nx", [True, True, False]),
        ("f <- function() { x <- 1; x = 2; x }\nx", [True, True, True, False]),
        ("f <- function() { 1 -> x; x }", [True, True]),
        ("f <- function() { x <<- 1; x + 1 }", [False, False]),
        ("f <- function() { x + 1 }", [False]),
        ("f <- function() { for (x in y) print(x) }", [True, True]),
        ("f <- function() { y$x <- 1; g(x = 2) }", [False, False]),
        ("f <- \\(x) function() x", [True, True]),
        ("x <- 1\nx", [False, False]),
    ],
)
def test_a_variable_is_local_to_the_function_that_assigns_it(text: str, places: list[bool]) -> None:
    assert [each.is_local for each in occurrences_of("r", text.encode(), ["x"])] == places


def test_a_class_has_only_so_many_bases() -> None:
    bases = ",\n".join(f'"B{at}"' for at in range(1000))
    record = parse("r", f'setClass("A",\n contains = c({bases}))\n'.encode())
    assert record.symbols[0].bases == tuple(f"B{at}" for at in range(200))
