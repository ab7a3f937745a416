"""`jupyter ac install-demo-model`."""

import pytest

from jupyter_ac.hosts.cli import main as cli


@pytest.mark.parametrize("is_there", [True, False])
def test_the_demo_model_is_installed_only_when_it_is_missing(
    is_there: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps: list[str] = []
    monkeypatch.setattr("jupyter_ac.models.embedded.available", lambda: is_there)
    monkeypatch.setattr("jupyter_ac.models.embedded.install", lambda _say: steps.append("install"))
    assert cli.main(["install-demo-model"]) == 0
    assert steps == ([] if is_there else ["install"])
    assert "is installed" in capsys.readouterr().out
