import json
import logging
from pathlib import Path

import pytest
from traitlets.config import Config

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


def folder_with(tmp_path: Path, name: str, **values: object) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    text = json.dumps({"JupyterAC": values})
    (folder / "jupyter_ac_config.json").write_text(text)
    return folder


def test_a_user_can_not_take_back_what_the_administrator_denies_and_locks(tmp_path: Path) -> None:
    user = folder_with(
        tmp_path, "user", denied_models=[], locked_settings=["app"], allowed_models=[]
    )
    system = folder_with(
        tmp_path,
        "system",
        denied_models=["*/gpt-4"],
        locked_settings=["litellm.env"],
        allowed_models=["openai/*"],
    )
    admin = load_admin_from([user, system])
    assert admin.denied_models == ["*/gpt-4"]
    assert admin.locked_settings == ["app", "litellm.env"]
    assert admin.model_allowed("openai/gpt-4") is not None
    assert admin.model_allowed("anthropic/x") is not None
    assert admin.model_allowed("openai/gpt-5") is None


def test_the_configuration_of_a_server_counts_like_a_users_file(tmp_path: Path) -> None:
    limits = {"denied_models": ["*/gpt-4"], "idle_minutes": 3}
    system = folder_with(tmp_path, "system", allowed_models=["openai/*"], **limits)
    own = Config({"JupyterAC": {"denied_models": ["a/*"], "max_message_mb": 8, "idle_minutes": 9}})
    admin = load_admin_from([system], own)
    assert admin.denied_models == ["a/*", "*/gpt-4"]
    assert admin.allowed_models == ["openai/*"]
    assert (admin.max_message_mb, admin.idle_minutes) == (8, 3)


def test_what_is_allowed_is_said_by_the_folder_nearest_to_the_system(tmp_path: Path) -> None:
    user = folder_with(tmp_path, "user", allowed_models=["*"], allowed_roots=["/"])
    between = folder_with(tmp_path, "between", allowed_models=["openai/*"])
    admin = load_admin_from([user, between, tmp_path / "none"])
    assert admin.allowed_models == ["openai/*"]
    assert admin.allowed_roots == ["/"]


@pytest.mark.parametrize(("one", "other", "held"), [(1, 2, 1), (9, 2, 2)])
def test_of_two_numbers_the_smaller_holds(tmp_path: Path, one: int, other: int, held: int) -> None:
    user = folder_with(tmp_path, "user", idle_minutes=one, max_message_mb=one)
    system = folder_with(tmp_path, "system", idle_minutes=other, max_message_mb=other)
    admin = load_admin_from([user, system])
    assert (admin.idle_minutes, admin.max_message_mb) == (held, held)


def test_the_default_size_of_messages_is_no_limit_of_its_own(tmp_path: Path) -> None:
    user = folder_with(tmp_path, "user", max_message_mb=0)
    system = folder_with(tmp_path, "system", max_message_mb=4)
    assert load_admin_from([user, system]).max_message_mb == 4
    assert load_admin_from([system, user]).max_message_mb == 4


def test_values_may_be_added_to_in_a_program(tmp_path: Path) -> None:
    (tmp_path / "jupyter_ac_config.py").write_text("c.JupyterAC.denied_models.append('a/*')\n")
    assert load_admin_from([tmp_path]).denied_models == ["a/*"]


def test_a_lock_may_be_on_a_type_or_on_a_key() -> None:
    admin = JupyterAC(locked_settings=["app", "litellm.env"])
    assert admin.is_locked("litellm", "litellm.env")
    assert not admin.is_locked("litellm", "litellm.model")


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
        ("jupyter_ac_config.py", "c.JupyterAC.signatures = 'on'\n", "jupyter_ac_config: "),
        ("jupyter_ac_config.py", "c.JupyterAC.call_limits = {'*': '5'}\n", "jupyter_ac_config: "),
        (
            "jupyter_ac_config.py",
            "c.JupyterAC.call_limits = {'Repo.get_*': 5}\n",
            "jupyter_ac_config: call_limits: 'Repo.get_*' is not a method",
        ),
        (
            "jupyter_ac_config.json",
            '{"JupyterAC": {"call_limits": {"*": -1}}}',
            "jupyter_ac_config: call_limits: The limit of * must be",
        ),
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
        ([], ["openai/gpt-4*"], "gpt-4o", "write it in front"),
        ([], ["openai/*"], "gpt-4o", "write it in front"),
        ([], ["openai/gpt-4*"], "claude-x", None),
        (["openai/*"], [], "gpt-4o", "not allowed"),
        (["huggingface/*"], [], "huggingface/org/model", None),
        (["huggingface/*"], [], "huggingface/https://evil.example", "not allowed"),
        (["*"], [], "oobabooga/http://evil.example", "not allowed"),
        (["oobabooga/http://lab:*"], [], "oobabooga/http://lab:5000", None),
        ([], ["*://*"], "oobabooga/http://evil.example", "denied"),
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


def test_no_file_gives_a_disabled_tool_back(tmp_path: Path) -> None:
    user = folder_with(tmp_path, "user", disabled_tools=["browser_js"])
    system = folder_with(tmp_path, "system", disabled_tools=["run_command"])
    nothing = folder_with(tmp_path, "nothing", disabled_tools=[])
    admin = load_admin_from([nothing, user, system, nothing])
    assert sorted(admin.disabled_tools) == ["browser_js", "run_command"]
    assert "disabled the tool run_command" in (admin.tool_allowed("run_command") or "")
    assert admin.tool_allowed("read_file") is None
    assert JupyterAC().disabled_tools == []


def test_calls_are_not_limited_and_not_signed_by_default() -> None:
    assert (JupyterAC().call_limits, JupyterAC().signatures) == ({}, "off")


def test_a_users_file_makes_no_limit_of_calls_wider(tmp_path: Path) -> None:
    user = folder_with(
        tmp_path, "user", call_limits={"LLMService.chat_streaming": 0, "Repo.*": 9, "*": 500}
    )
    system = folder_with(tmp_path, "system", call_limits={"*": 100, "LLMService.*": 30})
    limits = {"LLMService.chat_streaming": 30, "Repo.*": 9, "*": 100, "LLMService.*": 30}
    assert load_admin_from([user, system]).call_limits == limits
    assert load_admin_from([system, user]).call_limits == limits


@pytest.mark.parametrize(
    ("one", "other", "held"),
    [("off", "required", "required"), ("optional", "off", "optional"), ("off", "off", "off")],
)
def test_the_stricter_rule_for_signatures_holds(
    tmp_path: Path, one: str, other: str, held: str
) -> None:
    user = folder_with(tmp_path, "user", signatures=one)
    system = folder_with(tmp_path, "system", signatures=other)
    assert load_admin_from([user, system]).signatures == held
    assert load_admin_from([system, user]).signatures == held
