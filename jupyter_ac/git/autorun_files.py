"""Table of files that programs execute, or take commands from, without being asked to.

Opening a folder, starting a shell, a kernel or a debugger, committing, pushing, collecting tests:
each of these executes files of a repository by their names alone. `docs/editing.md` lists them.

A pattern matches a file or a folder at any depth, with everything in it; with a final `$` it
matches a file only, with a leading `/` one in the top folder only. `*` matches any part of one
name, `.yml` also matches `.yaml`, case is ignored. Not in the table: files that a person starts
knowingly (a `Makefile`, `setup.py`, a program), files that these load in turn, and the project's
own source; docs/decisions/0020 explains the limit.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class AutorunFiles:
    """Patterns of files that are executed for the same reason.

    Attributes:
        reason: why they are executed, as a sentence without its full stop.
        patterns: file patterns; the module's docstring describes the syntax.
    """

    reason: str
    patterns: tuple[str, ...]


AUTORUN_FILES: Final = (
    AutorunFiles(
        "git runs what lies in a hooks folder, at a commit for example",
        (".githooks", ".git-hooks", "githooks", "git-hooks", ".husky", ".lefthook"),
    ),
    AutorunFiles(
        "it says what git's hooks run",
        (
            *(".pre-commit-config.yml", ".pre-commit-hooks.yml", "prek.toml", ".huskyrc*"),
            *("husky.config.*", "lefthook*.yml", ".lefthook*.yml", "lefthook*.toml"),
            *(".lefthook*.toml", "lefthook*.json", ".lefthook*.json", ".lintstagedrc*"),
            *("lint-staged.config.*", ".nano-staged*", "nano-staged.*", ".simple-git-hooks.*"),
            *("simple-git-hooks.*", ".commitlintrc*", "commitlint.config.*", ".overcommit.yml"),
            *("captainhook.json", "grumphp.yml*", ".rusty-hook.toml"),
        ),
    ),
    AutorunFiles(
        "git takes from it which programs run on files, or where code comes from",
        (".gitattributes", ".gitmodules", ".gitconfig", ".lfsconfig"),
    ),
    AutorunFiles(
        "another version control system takes from it which commands to run",
        (".hg", ".hgrc", "hgrc", ".sl", ".jj", ".bzr", "_darcs", ".pijul"),
    ),
    AutorunFiles(
        "git takes a folder with it for a repository of its own, and obeys its configuration",
        ("HEAD$", "*.git"),
    ),
    AutorunFiles(
        "a shell, or a tool that is called by one, runs or loads it by itself",
        (
            *(".envrc", ".direnv", ".env", ".env.local", ".flaskenv", ".autoenv*"),
            *(".tool-versions", ".mise", ".mise.*", "mise.toml", "mise.*.toml", ".config/mise"),
            *(".config/mise.toml", ".rtx.toml", "devbox.json", ".bashrc", ".bash_*", ".profile"),
            *("flake.nix", "flake.lock", "shell.nix", "default.nix", "devenv.*", "devshell.toml"),
            *(".login", ".logout", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout"),
            *(".kshrc", ".cshrc", ".tcshrc", ".inputrc", ".config/fish", ".tmux.conf"),
            *(".mkshrc", ".xonshrc", ".config/nushell", ".config/powershell"),
            *(".screenrc", ".xprofile", ".xinitrc", ".xsession*", ".pam_environment"),
            *(".config/autostart", ".config/systemd", "Library/LaunchAgents", ".ssh", ".gnupg"),
            ".local/bin",
        ),
    ),
    AutorunFiles(
        "an editor takes from it what to start when the folder is opened",
        (
            *(".vscode", "*.code-workspace", ".idea", ".fleet", ".zed", ".theia", ".helix"),
            *(".devcontainer", ".devcontainer.json", ".gitpod.yml", ".gitpod.Dockerfile"),
            *(".idx", ".replit", ".vim", ".vimrc", "_vimrc", ".gvimrc", ".lvimrc", ".nvim"),
            *(".nvimrc", ".nvim.lua", ".exrc", "_exrc", ".config/nvim", ".dir-locals.el"),
            *(".dir-locals-2.el", ".emacs", ".emacs.d", ".spacemacs", ".doom.d", ".kakrc"),
            *("*.sublime-project", ".project", ".classpath", ".factorypath", ".settings"),
            *(".externalToolBuilders", "*.ipr", "*.iws", "*.iml", "nbproject", ".vs", ".nova"),
            *(".lapce", ".kateproject*", ".lazy.lua", ".neoconf.json", ".ycm_extra_conf.py"),
            *("devfile.yml", ".devfile.yml", ".codesandbox", ".stackblitzrc"),
        ),
    ),
    AutorunFiles(
        "a language server runs it, or what it names, when an editor opens the folder",
        (
            *("build.rs", "rust-toolchain", "rust-toolchain.toml", "rust-analyzer.toml"),
            *(".rust-analyzer.toml", "build.zig", "Setup.hs", "Setup.lhs"),
            *("hie.yml", ".merlin", "lakefile.*", "lean-toolchain", "config.nims", "nim.cfg"),
            *(".bsp", ".bloop", ".metals", ".sbtopts", ".jvmopts", ".lsp", ".luarc.json*"),
            *(".clangd", "Directory.Build.*", "*proj.user", "nuget.config", "nx.json"),
            *(".config/dotnet-tools.json", ".terraform", ".terraformrc", ".formatter.exs"),
        ),
    ),
    AutorunFiles(
        "a checker or a formatter loads the code that it names, also when an editor starts it",
        (
            *(".pylintrc*", "pylintrc*", ".flake8", "mypy.ini", ".mypy.ini", ".coveragerc"),
            *(".eslintrc*", "eslint.config.*", ".oxlintrc*", ".prettierrc*", "prettier.config.*"),
            *(".stylelintrc*", "stylelint.config.*", ".markdownlint*", ".textlintrc*"),
            *(".graphqlrc*", "graphql.config.*", ".rubocop*", ".solargraph.yml", ".credo.exs"),
            *("phpstan.neon*", "phpstan.dist.neon", ".php-cs-fixer*", "psalm.xml*"),
            *(".golangci.*", ".clang-tidy", ".scalafmt.conf", ".scalafix.conf", ".luacheckrc"),
            *(".tflint.hcl", ".ansible-lint*", ".config/ansible-lint.yml", "ansible.cfg"),
        ),
    ),
    AutorunFiles(
        "coding assistants start the commands that it names",
        (
            *(".claude", ".cursor", ".codex", ".gemini", ".windsurf", ".kiro", ".roo"),
            *(".mcp.json", "mcp.json", ".aider.conf.yml", ".continue", ".opencode"),
            *("opencode.json*", ".amazonq", ".junie", ".trae", ".qwen", ".crush", ".crush.json"),
            *("crush.json", ".factory", ".goose*", ".openhands", ".agents", ".augment"),
        ),
    ),
    AutorunFiles(
        "a build service runs it after a push, with the project's keys",
        (
            *(".github/workflows", ".github/actions", "action.yml", ".forgejo/workflows"),
            *(".gitea/workflows", "*.gitlab-ci.yml", ".gitlab/ci", ".circleci", "Jenkinsfile*"),
            *("*.jenkinsfile", "azure-pipelines*.yml", ".azure-pipelines*", ".pipelines"),
            *(".travis.yml", "bitbucket-pipelines.yml", ".buildkite", ".drone.*"),
            *(".woodpecker*", "appveyor.yml", ".appveyor.yml", ".cirrus.*", ".semaphore"),
            *(".teamcity", "wercker.yml", "cloudbuild*.yml", "cloudbuild*.json"),
            *("buildspec*.yml", "codefresh*.yml", ".builds", ".build.yml", ".harness"),
            *("amplify.yml", ".readthedocs.yml", "readthedocs.yml", "netlify.toml"),
            *("vercel.json", ".tekton", "/Procfile$", "/heroku.yml", "/render.yml"),
        ),
    ),
    AutorunFiles(
        "Binder runs it when somebody opens the repository there",
        (
            *(
                "postBuild$",
                "/start$",
                "/install.R$",
                ".binder",
                "binder/start",
                "binder/install.R",
            ),
            *("binder/Dockerfile", "binder/setup.py"),
        ),
    ),
    AutorunFiles(
        "pytest runs it, also when an editor only looks for tests",
        ("conftest.py",),
    ),
    AutorunFiles(
        "Python runs it, or what it names, whenever it starts",
        (
            *("sitecustomize", "sitecustomize.*", "usercustomize", "usercustomize.*", "*.pth"),
            *("*._pth", "pyvenv.cfg", ".pythonrc*", ".pythonstartup*", "__pycache__", "*.pyc"),
        ),
    ),
    AutorunFiles(
        "a library or a program takes from it which Python modules to load",
        ("*.dist-info", "*.egg-info", "*.egg-link", "matplotlibrc"),
    ),
    AutorunFiles(
        "Jupyter or IPython runs it when it starts",
        (
            *("jupyter_*config*", "jupyterhub_config*", ".jupyter", ".ipython"),
            *("ipython_*config*", "profile_*/startup", "etc/jupyter", "etc/ipython"),
            *("share/jupyter", "kernel.json", ".jupytext.py", "jupytext_config.py"),
        ),
    ),
    AutorunFiles(
        "a debugger or an interpreter runs it when it starts in the folder",
        (
            *(".pdbrc*", ".gdbinit", ".lldbinit*", ".Rprofile*", ".Renviron", ".RData", ".irbrc"),
            *(".pryrc", ".psqlrc", ".sqliterc", ".octaverc", "startup.m", ".ghci", ".ocamlinit"),
            *(".guile", ".julia/config", ".sbclrc", ".clisprc*", ".gdbearlyinit", "*-gdb.*"),
            *(".rdbgrc*", ".byebugrc", ".perldb", ".iex.exs", ".erlang", ".gnuplot", ".radare2rc"),
            *(".duckdbrc", ".mongorc.js", ".mongoshrc.js", ".nrepl.edn", "profiles.clj"),
        ),
    ),
    AutorunFiles(
        "package managers and build tools start what it names",
        (
            *(".npmrc", ".yarnrc*", ".yarn", ".pnpmfile.*", "pnpmfile.*", "bunfig.toml"),
            *(".cargo", ".mvn", "gradle/wrapper", "init.gradle*", ".bazelrc", ".bazeliskrc"),
            *(".bundle", ".gemrc", ".rspec", ".condarc", "pip.conf", ".watchmanconfig"),
            *("pip.ini", ".mambarc", "etc/conda", "uv.toml", "poetry.toml", ".pdm-python"),
            *(".pdm.toml", ".python-version*", ".pnp.*", "gradlew", "gradlew.bat", ".gradle"),
            *("gradle.properties", "local.properties", "mvnw", "mvnw.cmd", ".bazelversion"),
            *("tools/bazel*", ".buckconfig*"),
        ),
    ),
    AutorunFiles(
        "it is part of an installed environment, whose programs other tools start",
        (
            *(".venv", "venv/bin", "venv/Scripts", "env/bin", "env/Scripts", "site-packages"),
            *("dist-packages", "node_modules", ".tox", ".nox", ".pixi", "__pypackages__"),
        ),
    ),
)


def autorun_reason(path: str) -> str:
    """Return why a file is executed automatically; "" if it isn't.

    Args:
        path: each of its names made by `paths.comparable`.
    """
    return next((reason for reason, pattern in _AT_OR_BELOW if pattern.search(path)), "")


def autorun_reason_below(folder: str) -> str:
    """Return why files at any depth in a folder may be executed automatically; "" if none would.

    Args:
        folder: each of its names made by `paths.comparable`.
    """
    return next((reason for reason, pattern in _ABOVE if pattern.search(folder)), "")


def _compiled(patterns: Iterable[str], end: str) -> re.Pattern[str]:
    names = [re.escape(pattern.casefold()) for pattern in patterns]
    # At most one star can be retried in a name, so the search is never quadratic.
    wanted = [
        each.replace(r"\*", "[^/]*").replace("yml", "ya?ml").replace(r"\$", "$") for each in names
    ]
    anywhere = "|".join(each for each in wanted if not each.startswith("/"))
    on_top = "".join(f"|^{each[1:]}" for each in wanted if each.startswith("/"))
    return re.compile(f"(?:(?:^|/)(?:{anywhere}){on_top}){end}")


def _folders_above(patterns: Iterable[str]) -> Iterator[str]:
    """Yield `a` and `a/b` for `a/b/c`."""
    for pattern in patterns:
        names = pattern.removeprefix("/").split("/")
        yield from ("/".join(names[:count]) for count in range(1, len(names)))


_AT_OR_BELOW: Final = [
    (files.reason, _compiled(files.patterns, "(?:/|$)")) for files in AUTORUN_FILES
]
_ABOVE: Final = [
    (files.reason, _compiled(above, "$"))
    for files in AUTORUN_FILES
    if (above := list(_folders_above(files.patterns)))
]
