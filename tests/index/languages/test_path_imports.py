"""References by plain path."""

from tests.support.indexed import imported, state_of


def test_sourced_scripts_style_sheets_and_pages_are_found() -> None:
    files = {
        "bin/run.sh": 'source ./lib.sh\n. "$HERE/deep/more.sh"\n',
        "bin/lib.sh": "",
        "bin/deep/more.sh": "",
        "web/page.html": '<link rel="stylesheet" href="main.css"><a href="https://x.org/a">x</a>'
        '<script src="/web/app.js?v=1"></script>',
        "web/main.css": '@import "base.css";\n',
        "web/base.css": "",
        "web/app.js": "",
    }
    state = state_of(files)
    assert imported(state, "bin/run.sh") == ["bin/lib.sh", "bin/deep/more.sh"]
    assert imported(state, "web/main.css") == ["web/base.css"]
    found = [path for path in imported(state, "web/page.html") if path]
    assert found == ["web/main.css", "web/app.js"]
    assert state.targets(state.paths()[-1]) == {"web/app.js": 1, "web/main.css": 1}
