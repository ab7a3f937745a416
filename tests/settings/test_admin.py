import json
import logging
from pathlib import Path

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.settings.admin import JupyterAC, load_admin, load_admin_from


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    admin = load_admin_from([tmp_path])
    assert admin.allowed_roots == admin.allowed_models == admin.denied_models == []
    assert (admin.max_message_mb, admin.idle_minutes, admin.locked_settings) == (0, 15, [])


def test_both_kinds_of_file_are_read_from_jupyters_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("user", "system"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "user"))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path / "system"))
    (tmp_path / "system" / "jupyter_ac_config.py").write_text(
        "c.JupyterAC.allowed_roots = ['/data']\nc.JupyterAC.idle_minutes = 3\n"
    )
    (tmp_path / "user" / "jupyter_ac_config.json").write_text(
        json.dumps({"JupyterAC": {"max_message_mb": 8, "locked_settings": ["litellm.env"]}})
    )
    admin = load_admin()
    assert admin.allowed_roots == ["/data"]
    assert (admin.idle_minutes, admin.max_message_mb) == (3, 8)
    assert admin.locked_settings == ["litellm.env"]


def test_an_earlier_path_is_stronger(tmp_path: Path) -> None:
    for name, minutes in (("first", 1), ("second", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "jupyter_ac_config.py").write_text(
            f"c.JupyterAC.idle_minutes = {minutes}\n"
        )
    folders = [tmp_path / "first", tmp_path / "second"]
    assert load_admin_from(folders).idle_minutes == 1
    assert load_admin_from(reversed(folders)).idle_minutes == 2


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "jupyter_ac_config.py",
            "c.x = 1\nc.y = (\n",
            "jupyter_ac_config.py, line 2: '(' was never",
        ),
        (
            "jupyter_ac_config.py",
            "\n\nopen('')\n",
            "jupyter_ac_config.py, line 3: FileNotFoundError",
        ),
        ("jupyter_ac_config.py", "def f():\n  1/0\nf()\n", "jupyter_ac_config.py, line 2: ZeroDiv"),
        (
            "jupyter_ac_config.py",
            "import sys\nsys.exit(1)\n",
            "jupyter_ac_config.py, line 2: SystemE",
        ),
        ("jupyter_ac_config.json", '{\n"a":\n}', "jupyter_ac_config.json, line 3: Expecting value"),
        ("jupyter_ac_config.json", '{"JupyterAC": []}', "jupyter_ac_config.json must hold"),
        ("jupyter_ac_config.py", "c.JupyterAC.idle_minutes = 0\n", "jupyter_ac_config: "),
        ("jupyter_ac_config.py", "c.JupyterAC.allowed_roots = 5\n", "jupyter_ac_config: "),
    ],
)
def test_a_broken_file_is_said_with_its_name_and_line(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(NotReady) as caught:
        load_admin_from([tmp_path])
    assert caught.value.message.startswith(message)
    assert str(tmp_path) not in caught.value.message


def test_a_setting_that_does_not_exist_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "jupyter_ac_config.py").write_text("c.JupyterAC.allowed_root = ['/x']\n")
    with caplog.at_level(logging.WARNING):
        load_admin_from([tmp_path])
    assert "c.JupyterAC.allowed_root is not a setting" in caplog.text


@pytest.mark.parametrize(
    ("allowed", "denied", "model", "reason"),
    [
        ([], [], "any/model", None),
        (["openai/*"], [], "openai/gpt-x", None),
        (["OpenAI/*"], [], "openai/GPT-x", None),
        (["openai/*"], [], "anthropic/claude", "not allowed the model 'anthropic/claude'"),
        ([], ["*-preview"], "openai/x-preview", "denied the model 'openai/x-preview'"),
        (["openai/*"], ["openai/gpt-?"], "openai/gpt-4", "denied"),
        (["openai/*"], ["openai/gpt-?"], "openai/gpt-4o", None),
    ],
)
def test_models_are_allowed_by_pattern(
    allowed: list[str], denied: list[str], model: str, reason: str | None
) -> None:
    said = JupyterAC(allowed_models=allowed, denied_models=denied).model_allowed(model)
    if reason is None:
        assert said is None
    else:
        assert reason in (said or "")
