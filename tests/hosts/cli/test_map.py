"""`jupyter ac map`, as a real process without a server."""

import functools
from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.stdio_process import command_environment, run_command

draw = functools.partial(run_command, "map")


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> RepositoryFolder:
    files: dict[str, str | bytes] = {
        "src/store.py": "def read_page(n):\n    pass\n",
        "src/shop.py": "from store import read_page\n\n\ndef sell():\n    read_page(1)\n",
        "a\nb [1].py": "def odd(): ...\n",
        **{f"src/part{at}.py": f"def part_{at}(): ...\n" for at in range(60)},
    }
    made = make_repository(tmp_path_factory.mktemp("map") / "garden", files)
    made.write(b"\xff.py".decode("utf-8", "surrogateescape"), "def late(): ...\n")
    made.commit()
    return made


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return command_environment(tmp_path_factory.mktemp("home"))


def test_only_the_map_is_on_standard_output(garden: RepositoryFolder, env: dict[str, str]) -> None:
    words = ["--select", "store.py", "--question", "sell pages", "--budget", "120"]
    done = draw(*words, env=env, cwd=garden.root / "src")
    assert (done.returncode, done.stderr) == (0, "")
    assert " store.py: read_page\n" in done.stdout
    assert " shop.py: sell\n" in done.stdout
    again = draw(
        "--repo",
        str(garden.root),
        *words[2:],
        "--select",
        "src/store.py",
        env=env,
        cwd=garden.root.parent,
    )
    assert again.stdout == done.stdout


def test_hostile_names_dont_break_the_lines(garden: RepositoryFolder, env: dict[str, str]) -> None:
    done = draw("--question", "all of it", "--budget", "3000", env=env, cwd=garden.root)
    assert done.returncode == 0
    assert ' "a\\nb [1].py": odd()\n' in done.stdout
    assert ' "\\udcff.py": late()\n' in done.stdout


def test_an_empty_repository_is_said_to_be_empty(tmp_path: Path, env: dict[str, str]) -> None:
    made = make_repository(tmp_path / "new")
    done = draw("--question", "-", env=env, cwd=made.root, stdin="What is here?")
    assert (done.returncode, done.stdout) == (1, "")
    assert "the repository has no files" in done.stderr


def test_without_commits_there_is_a_map(tmp_path: Path, env: dict[str, str]) -> None:
    made = make_repository(tmp_path / "new")
    made.write("a.py", "def first(): ...\n")
    done = draw("--select", "a.py", env=env, cwd=made.root)
    assert (done.returncode, done.stdout) == (0, "./\n a.py: first()\n")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--select", "nothing.py"], 2, "There is no file 'nothing.py' in the repository 'garden'"),
        (["--select", "src"], 2, "'src' is a folder; name its files."),
        (["--select", "/etc/passwd"], 2, "'/etc/passwd' is no file of the repository"),
        (["--budget", "63"], 2, "'63' is no budget; give a number of tokens from 64 to 200000"),
        (["--budget", "many"], 2, "'many' is no budget"),
        (["--budget", "9" * 5000], 2, "is no budget"),
        (["--repo", "/"], 1, "repository"),
        (["--repo", "/nowhere"], 1, "There is no folder 'nowhere'; choose another one."),
        (["stray"], 2, "unrecognized arguments: stray"),
    ],
)
def test_bad_input_is_one_clear_sentence(
    garden: RepositoryFolder, env: dict[str, str], words: list[str], code: int, said: str
) -> None:
    done = draw(*words, env=env, cwd=garden.root)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_what_jupyter_writes_is_on_it_when_the_settings_say_so(tmp_path: Path) -> None:
    env = command_environment(tmp_path / "home")
    made = make_repository(tmp_path / "new", {"a.py": "def first(): ...\n"})
    made.write(".ipynb_checkpoints/a-checkpoint.py", "def earlier(): ...\n")
    drawn = draw(env=env, cwd=made.root).stdout
    assert "first" in drawn
    assert "earlier" not in drawn
    config = Path(env["JUPYTER_AC_CONFIG_DIR"])
    config.mkdir(parents=True, exist_ok=True)
    (config / "app.json").write_text('{"files": {"show_jupyter_files": true}}', encoding="utf-8")
    assert "earlier" in draw(env=env, cwd=made.root).stdout
