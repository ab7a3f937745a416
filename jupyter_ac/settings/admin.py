"""The administrator's settings for a machine or a Hub: `c.JupyterAC.…`.

Every host reads them from `jupyter_ac_config.py` and `jupyter_ac_config.json` on Jupyter's
configuration paths, so the same limits apply in the server, on the command line and in a kernel.
"""

import json
import logging
import traceback
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_config_path
from traitlets import Dict, Enum, Float, Int, List, TraitError, Unicode, validate
from traitlets.config import Config, Configurable
from traitlets.config.loader import JSONFileConfigLoader, PyFileConfigLoader

from jupyter_ac.errors import NotReady
from jupyter_ac.rpc.token_bucket import limit_fault, strictest_limits
from jupyter_ac.settings.addresses import address_in_model

BASENAME: Final = "jupyter_ac_config"

SIGNATURES: Final = ("off", "optional", "required")
"""What is done with the `auth` of messages, the strictest last."""

_ADDED: Final = frozenset({"denied_models", "denied_hosts", "disabled_tools", "locked_settings"})

_logger = logging.getLogger(__name__)


class JupyterAC(Configurable):
    """The administrator's settings."""

    allowed_roots = List(
        Unicode(),
        help="Folders beside the server's root directory whose repositories may be opened.",
    ).tag(config=True)

    allowed_models = List(
        Unicode(),
        help="Patterns (`*`, `?`, `[…]`) of models that may be used; empty allows every one.",
    ).tag(config=True)

    denied_models = List(
        Unicode(),
        help="Patterns of models that may not be used; stronger than `allowed_models`.",
    ).tag(config=True)

    allowed_hosts = List(
        Unicode(),
        help="Patterns of hosts whose web pages may be fetched, even at private addresses; empty "
        "allows all hosts with public addresses.",
    ).tag(config=True)

    denied_hosts = List(
        Unicode(),
        help="Patterns of hosts whose web pages may not be fetched; stronger than `allowed_hosts`.",
    ).tag(config=True)

    disabled_tools = List(
        Unicode(),
        help="Names of tools that agents may not use, for example `run_command`.",
    ).tag(config=True)

    executor_address = Unicode(
        help="Address of the Dask scheduler whose workers may carry out tasks of plans, for "
        "example `tls://scheduler:8786`; empty allows none.",
    ).tag(config=True)

    max_message_mb = Int(
        0,
        min=0,
        help="Largest WebSocket message in MiB; 0 keeps the default of the door.",
    ).tag(config=True)

    idle_minutes = Int(
        15,
        min=1,
        help="Minutes without a client or a stream after which a workspace is closed.",
    ).tag(config=True)

    locked_settings = List(
        Unicode(),
        help="Settings that users can't change, as `type.key`, for example `litellm.api_base`.",
    ).tag(config=True)

    call_limits = Dict(
        value_trait=Float(),
        key_trait=Unicode(),
        help="Calls a minute that each person may make of a method, by `Namespace.method`, "
        "`Namespace.*` or `*`; 0 is no limit.",
    ).tag(config=True)

    signatures = Enum(
        SIGNATURES,
        "off",
        help="Whether messages of programs must be signed with the key in JUPYTER_AC_HMAC_KEY: "
        "`off`, `optional` or `required`.",
    ).tag(config=True)

    @validate("call_limits")
    def _check_limits(self, proposal: Mapping[str, dict[str, float]]) -> dict[str, float]:
        limits = proposal["value"]
        fault = limit_fault(limits)
        if fault:
            raise TraitError(f"call_limits: {fault}")
        return limits

    def is_locked(self, *names: str) -> bool:
        """Return whether the administrator has locked one of the settings, `type` or `type.key`."""
        return not set(names).isdisjoint(self.locked_settings)

    def tool_allowed(self, name: str) -> str | None:
        """Return None if agents may use the tool, otherwise the reason as a sentence."""
        if name not in self.disabled_tools:
            return None
        return f"The administrator has disabled the tool {name}; do without it."

    def model_allowed(self, name: str) -> str | None:
        """Return None if the model may be used, otherwise the reason as a sentence."""
        folded = name.casefold()
        denied = [pattern.casefold() for pattern in self.denied_models]
        if any(fnmatchcase(folded, pattern) for pattern in denied):
            return f"The administrator has denied the model {name!r}; choose another one."
        if "/" not in folded and any(
            fnmatchcase(folded, pattern.partition("/")[2]) for pattern in denied
        ):
            return (
                f"Whether the administrator has denied the model {name!r} depends on its "
                f"provider; write it in front, as in anthropic/{name}."
            )
        allowed = [pattern.casefold() for pattern in self.allowed_models]
        if address_in_model(name):
            # A pattern for a provider's models doesn't match names that contain an address.
            allowed = [pattern for pattern in allowed if address_in_model(pattern)]
        if self.allowed_models and not any(fnmatchcase(folded, pattern) for pattern in allowed):
            return (
                f"The administrator has not allowed the model {name!r}; choose one of "
                f"{', '.join(self.allowed_models)}."
            )
        return None


def load_admin(own: Config | None = None) -> JupyterAC:
    """Load the administrator's settings from Jupyter's configuration paths.

    Unlike with Jupyter's own settings, the user's folder doesn't override the system's: if several
    files set the same limit, the strictest value is effective.

    Args:
        own: configuration of the calling server; it has the same rank as a user's file.

    Raises:
        NotReady: a file is invalid; the message names the file and, if known, the line.
    """
    return load_admin_from((Path(folder) for folder in jupyter_config_path()), own)


def load_admin_from(folders: Iterable[Path], own: Config | None = None) -> JupyterAC:
    """Merge the settings of the given folders, the user's folder first.

    Denied and locked items add up, the smaller of two numbers is effective, and the allowed items
    are those of the folder nearest to the system. Each method has the smaller of its two limits of
    calls, whichever rules they come from.
    """
    merged = _values_of(own) if own is not None else {}
    for folder in folders:
        for name, value in _values_in(folder).items():
            merged[name] = _stricter(name, merged.get(name), value)
    return JupyterAC(**merged)


def _values_in(folder: Path) -> dict[str, object]:
    """Return the settings in the files of one folder."""
    config = Config()
    for name in (f"{BASENAME}.py", f"{BASENAME}.json"):
        if (folder / name).is_file():
            config.merge(_read(folder, name))
    return _values_of(config)


def _values_of(config: Config) -> dict[str, object]:
    known = _known(config)
    try:
        admin = JupyterAC(config=known)
    except TraitError as error:
        raise NotReady(f"{BASENAME}: {error}") from error
    return {name: getattr(admin, name) for name in known.JupyterAC}


def _stricter(name: str, before: object, value: object) -> object:
    """Merge two folders' values of one setting; `value` is the one nearer to the system."""
    if name in _ADDED and isinstance(before, list) and isinstance(value, list):
        return list(dict.fromkeys([*before, *value]))
    if isinstance(before, dict) and isinstance(value, dict):
        return strictest_limits(before, value)
    if before in SIGNATURES and value in SIGNATURES:
        return max(before, value, key=SIGNATURES.index)
    if isinstance(before, int) and isinstance(value, int):
        return min(before, value) if before and value else before or value
    return value


def _read(folder: Path, name: str) -> Config:
    loader = PyFileConfigLoader if name.endswith(".py") else JSONFileConfigLoader
    try:
        loaded = loader(name, path=str(folder)).load_config()
    except (SyntaxError, json.JSONDecodeError) as error:
        raise NotReady(f"{name}, line {error.lineno}: {error.msg}; correct it.") from error
    except (Exception, SystemExit) as error:  # the file is a program and may raise anything
        line = _line_in(error, name)
        if line is None:
            raise NotReady(f"{name} can't be read; make it a UTF-8 file.") from error
        reason = str(error).replace(f"{folder}/", "")
        raise NotReady(f"{name}, line {line}: {type(error).__name__}: {reason}") from error
    section = loaded.get("JupyterAC", {}) if isinstance(loaded, dict) else None
    if not isinstance(section, dict):
        raise NotReady(f'{name} must hold an object: {{"JupyterAC": {{…}}}}.')
    return loaded


def _line_in(error: BaseException, name: str) -> int | None:
    """Return the line of the file that raised the error; None if the file wasn't executed."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame.lineno for frame in frames if Path(frame.filename).name == name]
    return inside[-1] if inside else None


def _known(config: Config) -> Config:
    """Return the known settings; log the others, which are misspelled or of another version."""
    known = JupyterAC.class_trait_names(config=True)
    settings = Config()
    for name, value in config.get("JupyterAC", {}).items():
        if name in known:
            settings.JupyterAC[name] = value
        else:
            _logger.warning("%s: c.JupyterAC.%s is not a setting; see the docs.", BASENAME, name)
    return settings
