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


WORKSPACE = {
    "package.json": '{"name": "root", "private": true}',
    "pnpm-workspace.yaml": "packages: [packages/*, apps/*]\n",
    "packages/kit/package.json": '{"name": "@acme/ui", "main": "./dist/index.js", "exports": {'
    '".": {"types": "./dist/index.d.ts", "import": "./dist/index.mjs"},'
    '"./theme": "./src/look/theme.ts", "./parts/*": ["./src/parts/*.tsx"]},'
    '"imports": {"#inner": "./src/look/theme.ts"}}',
    "packages/kit/src/index.ts": "export function Button() {}\n",
    "packages/kit/src/look/theme.ts": "export const theme = 1;\n",
    "packages/kit/src/parts/card.tsx": "",
    "packages/log/package.json": '{"name": "logger", "types": "start.d.ts", "main": "start.js"}',
    "packages/log/start.ts": "",
    "apps/web/package.json": '{"name": "web", "dependencies": {"logger": "workspace:*"}}',
    "apps/web/src/a.ts": "",
    "other/logger/package.json": '{"name": "unlike"}',
    "other/logger/index.ts": "",
}
BASE = """{
  // of all
  "compilerOptions": {
    "baseUrl": "./src", /* "no": */
    "paths": {"@lib/*": ["library/*", "old/*"], "@lib/exact": ["one.ts"], "~all": ["library"],
      "out/*": ["../../../../*"],},
  },
}"""
CONFIGURED = {
    "tsconfig.base.json": BASE,
    "tsconfig.json": '{"extends": "./tsconfig.base"}',
    "src/library/b.ts": "",
    "src/old/c.ts": "",
    "src/one.ts": "",
    "src/library/index.ts": "",
    "src/plain.ts": "",
    "index.ts": "",
    "plain/index.ts": "",
    "inner/jsconfig.json": '{"compilerOptions": {"paths": {"@lib/*": ["./here/*"]}}}',
    "inner/here/b.js": "",
    "vite/tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
    "vite/tsconfig.app.json": '{"compilerOptions": {"paths": {"@/*": ["./code/*"]}}}',
    "vite/code/b.ts": "",
    "vite/src/c.ts": "",
}


def _led(files: dict[str, str], path: str, module: str) -> str | None:
    return imported(state_of(files | {path: f"import {{ x }} from '{module}';\n"}), path)[0]


@pytest.mark.parametrize(
    ("path", "module", "target"),
    [
        ("apps/web/src/a.ts", "@acme/ui", "packages/kit/src/index.ts"),
        ("apps/web/src/a.ts", "@acme/ui/theme", "packages/kit/src/look/theme.ts"),
        ("apps/web/src/a.ts", "@acme/ui/parts/card", "packages/kit/src/parts/card.tsx"),
        ("apps/web/src/a.ts", "@acme/ui/look/theme", "packages/kit/src/look/theme.ts"),
        ("apps/web/src/a.ts", "@acme/ui/none", None),
        ("apps/web/src/a.ts", "@acme/kit", None),
        ("apps/web/src/a.ts", "logger", "packages/log/start.ts"),
        ("packages/kit/src/b.ts", "#inner", "packages/kit/src/look/theme.ts"),
        ("packages/kit/src/b.ts", "logger", None),
        ("packages/log/test/b.ts", "logger", "packages/log/start.ts"),
    ],
)
def test_a_package_is_found_by_the_name_in_its_manifest(
    path: str, module: str, target: str | None
) -> None:
    assert _led(WORKSPACE, path, module) == target


def test_workspaces_of_npm_see_each_other_without_saying_so() -> None:
    files = WORKSPACE | {"package.json": '{"name": "root", "workspaces": ["packages/*"]}'}
    assert _led(files, "packages/kit/src/b.ts", "logger") == "packages/log/start.ts"


def test_an_installed_package_is_seen_from_below_its_folder_only() -> None:
    files = {
        "fixtures/node_modules/@x/dep/package.json": '{"name": "@x/dep"}',
        "fixtures/node_modules/@x/dep/index.js": "",
    }
    target = "fixtures/node_modules/@x/dep/index.js"
    assert _led(files, "fixtures/a.js", "@x/dep") == target
    assert _led(files, "src/a.js", "@x/dep") is None


@pytest.mark.parametrize(
    ("path", "module", "target"),
    [
        ("src/a.ts", "@lib/b", "src/library/b.ts"),
        ("src/a.ts", "@lib/c", "src/old/c.ts"),
        ("src/a.ts", "@lib/exact", "src/one.ts"),
        ("src/a.ts", "@lib/none", None),
        ("src/a.ts", "~all", "src/library/index.ts"),
        ("src/a.ts", "plain", "src/plain.ts"),
        ("src/a.ts", "out/index", None),
        ("src/a.ts", "react", None),
        ("inner/a.ts", "@lib/b", "inner/here/b.js"),
        ("inner/a.ts", "plain", None),
        ("vite/code/a.ts", "@/b", "vite/code/b.ts"),
        ("vite/code/a.ts", "@/c", None),
    ],
)
def test_the_nearest_configuration_names_modules(
    path: str, module: str, target: str | None
) -> None:
    assert _led(CONFIGURED, path, module) == target


def test_configurations_that_extend_each_other_end() -> None:
    files = {f"tsconfig{n}.json": f'{{"extends": "./tsconfig{n + 1}.json"}}' for n in range(60)}
    files["tsconfig.json"] = '{"extends": ["./tsconfig0.json", "./tsconfig.json", 7]}'
    files["tsconfig9.json"] = '{"extends": "./tsconfig0.json"}'
    assert _led(files, "a.ts", "b") is None


def test_a_configuration_may_be_that_of_a_package() -> None:
    files = {
        "packages/conf/package.json": '{"name": "@acme/conf"}',
        "packages/conf/base.json": '{"compilerOptions": {"paths": {"$x": ["./x.ts"]}}}',
        "packages/conf/x.ts": "",
        "app/tsconfig.json": '{"extends": "@acme/conf/base.json"}',
    }
    assert _led(files, "app/a.ts", "$x") == "packages/conf/x.ts"
