"""Decoded JSON in tests, whose shape the test itself knows."""

from typing import Any, TypeAlias

JsonValue: TypeAlias = Any
