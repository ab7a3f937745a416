import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent.commands.leading_arguments import grantable_prefix, matches

PROGRAMS = (
    *("pytest", "mypy", "ruff", "npm", "yarn", "git", "go", "cargo", "make", "tox", "coverage"),
    *("eslint", "black", "sh", "python", "env", "node"),
)
NEXT = (
    *("-q", "-v", "-c", "-p", "-C", "--strict", "--check", "--", "-", "", "@file", "=", "-x=1"),
    *("run", "test", "build", "check", "diff", "status", "push", "install", "exec", "report"),
    *("lint", "deploy", "tests/test_a.py", "--config", "--prefix", "-exec", "--ext-diff", "a b"),
)
COMMANDS = st.builds(
    lambda program, further: (program, *further),
    st.sampled_from(PROGRAMS) | st.text(max_size=8),
    st.lists(st.sampled_from(NEXT) | st.text(max_size=8), max_size=6),
)


@pytest.mark.parametrize(
    ("command", "prefix"),
    [
        ("pytest -q", "pytest -q"),
        ("pytest -q -x tests/test_a.py", "pytest -q -x"),
        ("pytest -q -k foo", "pytest -q"),
        ("npm test", "npm test"),
        ("npm run test", "npm run test"),
        ("npm run test -- -t name", "npm run test"),
        ("yarn run lint", "yarn run lint"),
        ("make test", "make test"),
        ("make -j4 test lint", "make -j4 test lint"),
        ("ruff check src", "ruff check"),
        ("cargo test -- --nocapture", "cargo test"),
        ("go test ./...", "go test"),
        ("git diff --stat HEAD~1", "git diff"),
        ("mypy --strict src", "mypy --strict"),
    ],
)
def test_a_command_of_a_known_program_may_be_allowed_by_its_beginning(
    command: str, prefix: str
) -> None:
    assert grantable_prefix(command.split()) == tuple(prefix.split())


@pytest.mark.parametrize(
    "command",
    [
        *("", "pytest", "make", "pytest tests", "pytest -k foo", "npm run", "npm run -s"),
        *("sh x", "sh -c ls", "bash -lc ls", "zsh x", "fish -c x", "env A=1 pytest -q", "xargs rm"),
        *(
            "sudo ls -l",
            "doas ls -l",
            "su -c ls",
            "python -m pytest",
            "python3 -c x",
            "python3.12 x",
        ),
        *("node -e x", "node x.js", "perl -e x", "ruby -e x", "php -r x", "lua -e x", "deno run x"),
        *("git -c core.pager=x diff", "git -C .. diff", "git push origin", "git commit -m x"),
        *(
            "git diff --ext-diff",
            "git log --ext",
            "git grep -Oless x",
            "find . -exec ls",
            "awk x y",
        ),
        *("sed -e e x", "ssh host ls", "curl -s x", "wget -q x", "docker run x", "podman run x"),
        *(
            "./pytest -q",
            "/usr/bin/pytest -q",
            "bin/make test",
            "timeout 5 pytest",
            "nice pytest -q",
        ),
        *("nohup make test", "stdbuf -o0 make", "setsid make x", "time make x", "uv run python"),
        *("uvx ruff check", "npx jest x", "npm exec x", "npm --prefix x test", "npm install x"),
        *("yarn dlx x", "pip install x", "poetry run x", "coverage run x", "go run x.go"),
        *("go test -exec ./x", "cargo run x", "cargo test --config x", "cargo +nightly test"),
        *("mypy --strict --python-exe x", "pytest -q -p evil", "pytest -q -xpevil", "pytest -q @x"),
        *("rm -rf x", "cp -r a b", "tar -xf a", "vim -c x", "unknown -q", "unknown test"),
        "npm run test --script-shell=x",
    ],
)
def test_what_runs_other_programs_or_is_unknown_may_not(command: str) -> None:
    assert grantable_prefix(command.split()) == ()


@pytest.mark.parametrize(
    ("prefix", "command", "is_covered"),
    [
        ("pytest -q", "pytest -q", True),
        ("pytest -q", "pytest -q tests -k foo", True),
        ("pytest -q", "pytest tests -q", False),
        ("pytest -q", "pytest -qq", False),
        ("pytest -q", "pytest -q -p evil", False),
        ("pytest -q", "pytest -q --pdbc=x", False),
        ("pytest -q", "pytest -q @evil", False),
        ("npm run test", "npm run test -- --watch", True),
        ("npm run test", "npm run test --prefix=x", False),
        ("npm run test", "npm run test2", False),
        ("make test", "make test", True),
        ("make test", "make test deploy", False),
        ("make test", "make test SHELL=./x", False),
        ("go test", "go test ./... -run X", True),
        ("go test", "go test ./... -exec ./x", False),
        ("go test", "go test --toolexec=./x", False),
        ("git diff", "git diff --stat", True),
        ("git diff", "git diff --ext-diff", False),
        ("git diff", "git -c x diff", False),
        ("cargo test", "cargo test --conf=x", False),
        # Written into the file by hand.
        ("bash -c", "bash -c ls", False),
        ("git -c", "git -c x y", False),
        ("pytest", "pytest -q", False),
        ("", "pytest -q", False),
        ("npm run", "npm run deploy", False),
        ("git", "git push", False),
    ],
)
def test_a_permission_covers_what_it_says(prefix: str, command: str, *, is_covered: bool) -> None:
    assert matches(prefix.split(), command.split()) is is_covered


def test_words_are_compared_whole() -> None:
    assert not matches(("make", "test"), ("make", "test "))
    assert not matches(("make", "test"), ("make test",))


@given(COMMANDS)
def test_what_is_offered_covers_the_command_that_it_was_offered_for(argv: tuple[str, ...]) -> None:
    prefix = grantable_prefix(argv)
    assert prefix == argv[: len(prefix)]
    if prefix:
        assert len(prefix) > 1
        assert matches(prefix, argv)
        assert grantable_prefix(prefix) == prefix


@given(COMMANDS, COMMANDS)
def test_another_program_or_subcommand_is_never_covered(
    argv: tuple[str, ...], other: tuple[str, ...]
) -> None:
    prefix = grantable_prefix(argv)
    if other[: len(prefix)] != prefix:
        assert not matches(prefix, other)


@given(COMMANDS, st.integers(1, 3), st.sampled_from(NEXT))
def test_nothing_comes_between_program_and_subcommand(
    argv: tuple[str, ...], at: int, word: str
) -> None:
    prefix = grantable_prefix(argv)
    if at < len(prefix) and word != prefix[at]:
        assert not matches(prefix, (*argv[:at], word, *argv[at:]))


@given(COMMANDS, st.lists(st.sampled_from(NEXT), max_size=4))
def test_a_made_up_permission_covers_nothing_that_would_not_be_offered(
    prefix: tuple[str, ...], further: list[str]
) -> None:
    argv = (*prefix, *further)
    if matches(prefix, argv):
        offered = grantable_prefix(argv)
        assert offered[: len(prefix)] == prefix
