"""Detects likely secrets in a file before it is sent.

A warning names the kind of secret, never the secret itself.
"""

import re
from pathlib import PurePosixPath
from typing import Final

_NAMES: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"^\.env(\..+)?$|\.env$"), "environment settings"),
    (re.compile(r"\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx)$"), "a key file"),
    (re.compile(r"^id_(rsa|dsa|ecdsa|ed25519)$"), "a private SSH key"),
    (re.compile(r"^(\.netrc|\.pgpass|\.htpasswd|\.pypirc|\.npmrc|credentials)$"), "credentials"),
)
_HARMLESS: Final = re.compile(r"\.(example|sample|template|dist)$")

_TEXTS: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY"), "a private key"),
    (re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"), "an AWS access key"),
    (re.compile(r"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}"), "a language model's API key"),
    (re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{22,})"), "a GitHub token"),
    (re.compile(r"\bglpat-[\w-]{20,}"), "a GitLab token"),
    (re.compile(r"\bxox[abeoprs]-[\w-]{10,}"), "a Slack token"),
    (re.compile(r"\bAIza[\w-]{35}\b"), "a Google API key"),
    (re.compile(r"\bhf_[A-Za-z0-9]{30,}\b"), "a Hugging Face token"),
)


_SLICE_CHARS: Final = 256 * 1024
_OVERLAP_CHARS: Final = 256
"""A regular expression holds the interpreter lock, so long texts are searched in slices."""


def has_secret_name(path: str) -> bool:
    """Return whether a file's name suggests a secret; fast, as it is called for all files."""
    name = path.rpartition("/")[2].lower()
    is_listed = any(pattern.search(name) for pattern, _ in _NAMES)
    return is_listed and not _HARMLESS.search(name)


def secret_warnings(path: str, text: str) -> tuple[str, ...]:
    """Return a sentence for each secret that a file seems to contain; empty if none.

    Args:
        path: relative to the repository.
        text: the content that would be sent.
    """
    name = PurePosixPath(path).name.lower()
    by_name = [
        f"By its name it contains {kind}."
        for pattern, kind in _NAMES
        if pattern.search(name) and not _HARMLESS.search(name)
    ]
    by_text = [f"It seems to contain {kind}." for pattern, kind in _TEXTS if _occurs(pattern, text)]
    return tuple(by_name + by_text)


def _occurs(pattern: re.Pattern[str], text: str) -> bool:
    return any(
        pattern.search(text, start, start + _SLICE_CHARS + _OVERLAP_CHARS)
        for start in range(0, len(text), _SLICE_CHARS)
    )
