"""What the administrator of a machine or a Hub allows: `c.JupyterAC.…`.

Read from `jupyter_ac_config.py` and `jupyter_ac_config.json` on Jupyter's configuration paths by
every host, so that the same limits hold in the server, on the command line and in a kernel.
"""

import json
import logging
import traceback
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_config_path
from traitlets import Int, List, TraitError, Unicode
from traitlets.config import Config, Configurable
from traitlets.config.loader import JSONFileConfigLoader, PyFileConfigLoader

from jupyter_ac.errors import NotReady

BASENAME: Final = "jupyter_ac_config"

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

    def model_allowed(self, name: str) -> str | None:
        """Return None when the model may be used, else the reason as a sentence."""
        folded = name.casefold()
        if any(fnmatchcase(folded, pattern.casefold()) for pattern in self.denied_models):
            return f"The administrator has denied the model {name!r}; choose another one."
        allowed = [pattern.casefold() for pattern in self.allowed_models]
        if allowed and not any(fnmatchcase(folded, pattern) for pattern in allowed):
            return (
                f"The administrator has not allowed the model {name!r}; choose one of "
                f"{', '.join(self.allowed_models)}."
            )
        return None


def load_admin() -> JupyterAC:
    """Return the administrator's settings from Jupyter's configuration paths.

    A file on an earlier path overrides one on a later path, as everywhere in Jupyter.

    Raises:
        NotReady: a file is broken; the message names the file and, where it is known, the line.
    """
    return load_admin_from(Path(folder) for folder in jupyter_config_path())


def load_admin_from(folders: Iterable[Path]) -> JupyterAC:
    """Return the settings from the given folders, the first one the strongest."""
    merged = Config()
    for folder in reversed(list(folders)):
        for name in (f"{BASENAME}.py", f"{BASENAME}.json"):
            if (folder / name).is_file():
                merged.merge(_read(folder, name))
    try:
        return JupyterAC(config=_known(merged))
    except TraitError as error:
        raise NotReady(f"{BASENAME}: {error}") from error


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
    """Return the line of the file that raised; None when it never ran."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame.lineno for frame in frames if Path(frame.filename).name == name]
    return inside[-1] if inside else None


def _known(config: Config) -> Config:
    """Return what is a setting; log the rest, which is a slip of the pen or of another version."""
    known = JupyterAC.class_trait_names(config=True)
    kept = Config()
    for name, value in config.get("JupyterAC", {}).items():
        if name in known:
            kept.JupyterAC[name] = value
        else:
            _logger.warning("%s: c.JupyterAC.%s is not a setting; see the docs.", BASENAME, name)
    return kept
