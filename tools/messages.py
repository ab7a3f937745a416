#!/usr/bin/env python3
"""Makes the message catalogue in jupyter_ac/locale: a .pot, and for each language .po and .json.

    python tools/messages.py [--check]

Translators edit the .po files; this program adds new messages to them, takes out those that are no
longer used, and writes the .json files that JupyterLab and the stand-alone page read. With
`--check` nothing is written; the exit status is 1 when a file is not as it should be, or when a
translation is missing or has other placeholders than its message.
"""

import argparse
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from jupyter_ac.settings.form_schema import form_schemas

ROOT: Final = Path(__file__).resolve().parent.parent
DOMAIN: Final = "jupyter_ac"
FOLDER: Final = Path("jupyter_ac/locale")
TEMPLATE: Final = FOLDER / f"{DOMAIN}.pot"
SETTINGS: Final = "jupyter_ac/settings/form_schema.py"
_COLLECTOR: Final = "js/tools/messages.mjs"
_PLACEHOLDER: Final = re.compile(r"%\d")
_WIDTH: Final = 100


def collected(root: Path = ROOT) -> Catalog:
    """Return the messages of the sources, without translations."""
    catalog = Catalog(domain=DOMAIN, project=DOMAIN, charset="utf-8")
    # The date of each run would be a change of the file.
    catalog.mime_headers = []
    for found in [*front_end_messages(root), *settings_messages()]:
        name = (found["text"], found["plural"]) if "plural" in found else found["text"]
        catalog.add(name, context=found.get("context"), locations=[(found["file"], 0)])
    return catalog


def front_end_messages(root: Path) -> list[dict[str, str]]:
    """Return the messages of the front end's sources: text, file, sometimes plural and context."""
    run = subprocess.run(
        ["node", _COLLECTOR], cwd=root, capture_output=True, text=True, check=False
    )
    if run.returncode:
        raise SystemExit(f"{_COLLECTOR} failed:\n{run.stderr}")
    found: list[dict[str, str]] = json.loads(run.stdout)
    return found


def settings_messages() -> Iterator[dict[str, str]]:
    """Yield the titles and descriptions of settings, which the settings form translates."""
    yield from _schema_messages(form_schemas())


def _schema_messages(schema: object) -> Iterator[dict[str, str]]:
    if isinstance(schema, list):
        for each in schema:
            yield from _schema_messages(each)
    elif isinstance(schema, Mapping):
        for name, value in schema.items():
            if name in {"title", "description"} and isinstance(value, str) and value:
                yield {"text": value, "file": SETTINGS}
            else:
                yield from _schema_messages(value)


def translated(template: Catalog, known: Catalog) -> Catalog:
    """Return the template's messages with the translations that are known of them."""
    catalog = Catalog(locale=known.locale, domain=DOMAIN, project=DOMAIN, charset="utf-8")
    for message in template:
        if not message.id:
            continue
        before = known.get(_first(message), message.context)
        same_kind = before is not None and isinstance(before.id, str) == isinstance(message.id, str)
        text = before.string if before is not None and same_kind else ""
        catalog.add(message.id, text, list(message.locations), context=message.context)
    return catalog


def json_text(catalog: Catalog) -> str:
    """Return the translated messages in the form of JupyterLab's language packs."""
    header = {
        "domain": DOMAIN,
        # With a hyphen: JupyterLab finds no message of `de_DE`.
        "language": str(catalog.locale).replace("_", "-"),
        "plural_forms": f"nplurals={catalog.num_plurals}; plural={catalog.plural_expr};",
        "version": "",
    }
    entries: dict[str, object] = {"": header}
    for message in sorted(catalog, key=_first):
        if not message.id or not _is_translated(message):
            continue
        key = f"{message.context}\x04{_first(message)}" if message.context else _first(message)
        entries[key] = _forms(message)
    # One line for each, so that a change of one is a change of one line.
    lines = [f"{_json(key)}:{_json(value)}" for key, value in entries.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def faults(catalog: Catalog) -> Iterator[str]:
    """Yield a sentence for each message without a translation, or whose placeholders differ."""
    for message in catalog:
        if not message.id:
            continue
        if not _is_translated(message):
            yield f"no translation of {_first(message)!r}"
            continue
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        # The form for one thing may say "one" instead of the number.
        wanted = set(_PLACEHOLDER.findall(ids[-1]))
        forms = _forms(message)
        for form in forms:
            has = set(_PLACEHOLDER.findall(form))
            if has != wanted and not (len(forms) > 1 and has == wanted - {"%1"}):
                yield f"{form!r} has other placeholders than {ids[-1]!r}"


def documents(root: Path = ROOT) -> dict[Path, str]:
    """Return what each file should hold, by its path in the repository."""
    template = collected(root)
    made = {TEMPLATE: _po_text(template)}
    for path in sorted((root / FOLDER).glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        catalog = translated(template, read(path))
        name = path.relative_to(root)
        made[name] = _po_text(catalog)
        made[name.with_suffix(".json")] = json_text(catalog)
    return made


def read(path: Path) -> Catalog:
    """Return the catalogue of a language, which the folder above LC_MESSAGES names."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, domain=DOMAIN)


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Write the files, or say what is wrong with them; returns the exit status."""
    parser = argparse.ArgumentParser(description="Makes the message catalogue.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on a difference")
    is_check = bool(parser.parse_args(arguments).check)
    made = documents(root)
    stale = [path for path, text in made.items() if _read_text(root / path) != text]
    wrong = [
        f"{path}: {fault}"
        for path in made
        if path.suffix == ".po"
        for fault in faults(read_po(io.BytesIO(made[path].encode()), locale=path.parts[-3]))
    ]
    if not is_check:
        for path in stale:
            (root / path).write_text(made[path], "utf-8")
    for line in [*(f"{path} is not up to date" for path in stale if is_check), *wrong]:
        sys.stderr.write(f"{line}\n")
    return int(bool(wrong or (is_check and stale)))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _first(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def _is_translated(message: Message) -> bool:
    forms = _forms(message)
    return bool(forms) and all(forms)


def _po_text(catalog: Catalog) -> str:
    file = io.BytesIO()
    # Babel's own header has the date of the run, which would be a change of the file.
    write_po(file, catalog, width=_WIDTH, sort_output=True, omit_header=True, include_lineno=False)
    lines = ["Content-Type: text/plain; charset=utf-8"]
    if catalog.locale:
        lines += [f"Language: {catalog.locale}", f"Plural-Forms: {catalog.plural_forms}"]
    header = "".join(f'"{line}\\n"\n' for line in lines)
    return f'msgid ""\nmsgstr ""\n{header}\n{file.getvalue().decode()}'


def _read_text(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
