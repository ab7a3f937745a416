import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.documents.link_targets import DocumentTarget, LinkTargets, looks_like_path

PATHS = [
    "README.md",
    "docs/README.md",
    "docs/a b.md",
    "docs/café.md",
    "docs/deep/index.rst",
    "docs/deep/page.rst",
    "docs/usage.md",
    "src/pkg/core.py",
    "src/pkg/main.py",
    "tests/main.py",
    "docs/\udcff.md",
]
FILES = LinkTargets(map(RepoPath, PATHS))


def link(source: str, target: str) -> tuple[str, str] | None:
    found = FILES.link(RepoPath(source), target)
    return None if found is None else (found.path, found.slug)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("docs/usage.md", "README.md", ("docs/README.md", "")),
        ("docs/usage.md", "../README.md#part", ("README.md", "part")),
        ("docs/usage.md", "./deep/../usage.md", ("docs/usage.md", "")),
        ("docs/usage.md", "a%20b.md", ("docs/a b.md", "")),
        ("docs/usage.md", "caf%C3%A9.md", ("docs/café.md", "")),
        ("docs/usage.md", "%FF.md", ("docs/\udcff.md", "")),
        ("docs/usage.md", "#own", ("docs/usage.md", "own")),
        ("docs/usage.md", "/src/pkg/core.py", ("src/pkg/core.py", "")),
        ("docs/usage.md", "/deep/page", ("docs/deep/page.rst", "")),
        ("docs/usage.md", "deep/", ("docs/deep/index.rst", "")),
        ("docs/deep/page.rst", "..", ("docs/README.md", "")),
        ("docs/usage.md", "deep/page", ("docs/deep/page.rst", "")),
        ("docs/usage.md", "deep/page.html#x", ("docs/deep/page.rst", "x")),
        ("docs/usage.md", "README.md?raw=true", ("docs/README.md", "")),
    ],
)
def test_links_lead_to_files(source: str, target: str, expected: object) -> None:
    assert link(source, target) == expected


@pytest.mark.parametrize(
    "target",
    [
        "../../README.md",
        "/../README.md",
        "../../../etc/passwd",
        "%2e%2e/%2e%2e/x",
        "missing.md",
        "",
        "#",
        "a\0b",
        "../" * 500 + "README.md",
        "readme.md",
    ],
)
def test_links_out_of_the_repository_or_to_nothing_are_dropped(target: str) -> None:
    assert link("docs/usage.md", target) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("src/pkg/core.py", "src/pkg/core.py"),
        ("pkg/core.py", "src/pkg/core.py"),
        ("core.py:12", "src/pkg/core.py"),
        ("usage.md", "docs/usage.md"),
        ("main.py", None),
        ("pkg/", None),
        ("../README.md", "README.md"),
        ("../../README.md", None),
        ("re.py", None),
    ],
)
def test_paths_in_backticks_may_be_the_unique_end_of_one(name: str, expected: object) -> None:
    assert FILES.named(RepoPath("docs/usage.md"), name) == expected


@given(st.text(st.sampled_from(list("./%#?2eabREADME.md\0 \\")), max_size=40))
def test_any_target_leads_to_a_file_of_the_tree_or_nowhere(target: str) -> None:
    place = FILES.link(RepoPath("docs/usage.md"), target)
    assert place is None or (isinstance(place, DocumentTarget) and place.path in PATHS)
    assert FILES.named(RepoPath("docs/usage.md"), target) in {None, *PATHS}


def test_paths_are_told_from_names() -> None:
    assert looks_like_path("a/b")
    assert looks_like_path("core.py")
    assert looks_like_path("core.py:12")
    assert not looks_like_path("run()")
    assert not looks_like_path("Class::method")
