"""Imports of JavaScript and TypeScript."""

import pytest

from tests.support.indexed import imported, meant, state_of


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("./b", "web/src/b.ts"),
        ("./b.js", "web/src/b.ts"),
        ("./parts", "web/src/parts/index.tsx"),
        (".", "web/src/index.ts"),
        ("./", "web/src/index.ts"),
        ("../data.json", "web/data.json"),
        ("@/b", "web/src/b.ts"),
        ("@scope/link", "packages/link/src/index.ts"),
        ("@scope/link/deep", "packages/link/src/deep.ts"),
        ("link", "packages/link/src/index.ts"),
        ("react", None),
        ("../../../b", None),
    ],
)
def test_an_import_leads_to_its_file(written: str, target: str | None) -> None:
    files = {
        "web/src/a.ts": f"import {{ x }} from '{written}';\n",
        "web/src/b.ts": "export function x() {}\n",
        "web/src/index.ts": "",
        "web/src/parts/index.tsx": "",
        "web/data.json": "{}",
        "packages/link/package.json": "{}",
        "packages/link/src/index.ts": "",
        "packages/link/src/deep.ts": "",
    }
    assert imported(state_of(files), "web/src/a.ts") == [target]


def test_names_are_followed_through_aliases_and_re_exports() -> None:
    files = {
        "lib/index.ts": "export { make as build } from './impl';\nexport * from './stars';\n",
        "lib/impl.ts": "export function make() {}\n",
        "lib/stars.ts": "export function shine() {}\n",
        "use.ts": "import { build as b, shine } from './lib';\nimport * as all from './lib/impl';\n"
        "import Impl from './lib/impl';\nb(); shine(); all.make();\n",
        "old.js": "const { make: m } = require('./lib/impl');\nm();\n",
    }
    state = state_of(files)
    assert meant(state, "use.ts", "b") == "lib/impl.ts:make"
    assert meant(state, "use.ts", "shine") == "lib/stars.ts:shine"
    assert meant(state, "use.ts", "make") == "lib/impl.ts:make"
    assert meant(state, "old.js", "m") == "lib/impl.ts:make"


def test_a_default_export_is_the_symbol_of_that_name() -> None:
    files = {"panel.ts": "export default class Panel {}\n"}
    files["use.ts"] = "import Panel from './panel';\nnew Panel();\n"
    assert meant(state_of(files), "use.ts", "Panel") == "panel.ts:Panel"
