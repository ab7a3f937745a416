import pytest

from jupyter_ac.git.likely_secrets import has_secret_name, secret_warnings


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "deploy/.env.production",
        "prod.env",
        "server.pem",
        "keys/id_ed25519",
        ".netrc",
        "a.KEY",
    ],
)
def test_a_name_that_promises_a_secret_is_announced(path: str) -> None:
    assert len(secret_warnings(path, "")) == 1
    assert has_secret_name(path)


@pytest.mark.parametrize(
    "path", [".env.example", "environment.py", "key.py", "pem.md", "id_rsa.pub"]
)
def test_a_harmless_name_is_not(path: str) -> None:
    assert secret_warnings(path, "nothing here") == ()
    assert not has_secret_name(path)


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----",
        "id = AKIA" + "EXAMPLE7" * 2,
        "key = 'sk-proj-" + "a1b2" * 6,
        "key = sk-ant-" + "a1-b2_" * 5,
        "token: ghp_" + "a1b2" * 9,
        "AIza" + "a1b2_" * 7,
    ],
)
def test_a_text_that_looks_like_a_secret_is_announced_without_showing_it(text: str) -> None:
    (warning,) = secret_warnings("settings.py", f"# settings\n{text}\n")
    assert text not in warning


def test_a_secret_is_found_wherever_it_stands_in_a_long_text() -> None:
    key = "AKIA" + "EXAMPLE7" * 2
    for where in (0, 262_134, 262_144, 500_000):
        text = " " * where + f" {key} " + " " * 100_000
        assert secret_warnings("a.txt", text), where


def test_ordinary_code_is_not_announced() -> None:
    text = "ask-me-anything-about-this-repository-please = 1\ndef task_skip(): pass\n"
    assert secret_warnings("a.py", text) == ()
