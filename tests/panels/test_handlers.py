"""The registry of functions."""

from jupyter_ac.panels.handlers import HandlerRegistry


def first() -> None: ...


def second() -> None: ...


def test_functions_are_replaced_and_released() -> None:
    registry = HandlerRegistry()
    registry.replace("n", (), {"onClick": first, "onBlur": first})
    assert dict(registry) == {"n:onClick": first, "n:onBlur": first}
    registry.replace("n", ["onClick", "onBlur"], {"onClick": second})
    assert dict(registry) == {"n:onClick": second}
    registry.replace("n", ["onClick"], {})
    assert len(registry) == 0
