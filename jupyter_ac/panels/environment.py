"""The surroundings of a panel, as its host says: colours, motion, whether it is seen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from jupyter_ac.errors import InvalidParams
from jupyter_ac.panels.contexts import Context, create_context, use_context

ColorScheme: TypeAlias = Literal["light", "dark"]

MAX_COLOR_CHARS: Final = 100


@dataclass(frozen=True, slots=True)
class Environment:
    """What the host says of itself.

    Attributes:
        color_scheme: of the page.
        accent_color: a CSS colour; "" if the host names none.
        reduce_motion: the person wants no animations.
        high_contrast: the person wants strong contrasts.
        active: the panel is visible.
    """

    color_scheme: ColorScheme = "light"
    accent_color: str = ""
    reduce_motion: bool = False
    high_contrast: bool = False
    active: bool = True


ENVIRONMENT: Final[Context[Environment]] = create_context(Environment())


def use_environment() -> Environment:
    """Return the surroundings; the component runs again when they change."""
    return use_context(ENVIRONMENT)


def merged(environment: Environment, partial: Mapping[str, object]) -> Environment:
    """Return an environment with what a host says now; members that it doesn't name stay.

    Args:
        environment: as before.
        partial: members in camel case; null sets one back; unknown ones are ignored.

    Raises:
        InvalidParams: a member has a wrong value.
    """
    return Environment(
        color_scheme=_scheme(partial.get("colorScheme", environment.color_scheme)),
        accent_color=_accent(partial.get("accentColor", environment.accent_color)),
        reduce_motion=_flag(
            partial.get("reduceMotion", environment.reduce_motion), "reduceMotion", default=False
        ),
        high_contrast=_flag(
            partial.get("highContrast", environment.high_contrast), "highContrast", default=False
        ),
        active=_flag(partial.get("active", environment.active), "active", default=True),
    )


def _scheme(value: object) -> ColorScheme:
    if value is None or value == "light":
        return "light"
    if value == "dark":
        return "dark"
    raise InvalidParams('colorScheme of an environment must be "light" or "dark".')


def _accent(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str) and len(value) <= MAX_COLOR_CHARS:
        return value
    raise InvalidParams("accentColor of an environment must be the text of a CSS colour.")


def _flag(value: object, name: str, *, default: bool) -> bool:
    if value is None:
        return default
    if isinstance(value, bool):
        return value
    raise InvalidParams(f"{name} of an environment must be true or false.")
