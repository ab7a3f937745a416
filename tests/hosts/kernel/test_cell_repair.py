"""`%ac_fix` and `%ac_explain` in a real kernel and in a plain terminal."""

import io
from collections.abc import Iterator

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.cell_proposal import PROPOSAL_MIME
from jupyter_ac.hosts.kernel.cell_repair import explain_question, fix_question
from jupyter_ac.hosts.kernel.last_error import QuestionedCell
from jupyter_ac.hosts.kernel.live.comm_target import TARGET
from tests.hosts.kernel.environment import kernel_with
from tests.support.kernels import Kernel, Message, is_idle, printed, shown
from tests.support.model_process import RunningModelServer
from tests.support.model_server import prompt_parts
from tests.support.repositories import RepositoryFolder

HELLO = 'def hello(name: str) -> str:\n    return f"Hello, {name}!"'
"""The code in each answer of the scripted model."""


async def run_as_notebook(
    kernel: Kernel, code: str, cell: str = "abc", *, allow_stdin: bool = True
) -> tuple[list[Message], list[Message]]:
    """Run a cell as JupyterLab does; its payload and what it published."""
    client = kernel.client
    content = {
        "code": code,
        "silent": False,
        "store_history": True,
        "user_expressions": {},
        "allow_stdin": allow_stdin,
        "stop_on_error": True,
    }
    message = client.session.msg("execute_request", content, metadata={"cellId": cell})
    client.shell_channel.send(message)
    published: list[Message] = []
    while True:
        heard = await client.get_iopub_msg(timeout=90)
        if heard["parent_header"].get("msg_id") != message["header"]["msg_id"]:
            continue
        published.append(heard)
        if is_idle(heard):
            break
    while True:
        reply = await client.get_shell_msg(timeout=90)
        if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
            return reply["content"].get("payload", []), published


def last_prompt(server: RunningModelServer) -> str:
    """All that the model was sent last."""
    return "\n".join(text for text, _ in prompt_parts(server.bodies()[-1]))


async def test_in_a_notebook_the_proposal_is_a_new_cell_that_does_not_run(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server) as kernel:
        await kernel.run("rate = 0")
        await kernel.run("\n# share\nprint(1 / rate)")
        payload, published = await run_as_notebook(kernel, "%ac_fix use 1 where it is 0")
        ran = printed(await kernel.run("print('hello' in dir())"))
    assert payload == [{"source": "set_next_input", "text": HELLO, "replace": False}]
    assert [one for one in published if one["msg_type"] == "error"] == []
    assert ran == "False\n"
    question = last_prompt(model_server)
    assert "The user says: use 1 where it is 0" in question
    assert "\n\n# share\nprint(1 / rate)\n" in question
    assert "ZeroDivisionError: division by zero" in question
    assert "\x1b" not in question


def announce(kernel: Kernel, cell: str) -> None:
    """Say what our page says before it runs a cell with this magic."""
    content = {
        "comm_id": cell,
        "target_name": TARGET,
        "data": {"draws_proposals_of": cell},
    }
    kernel.client.shell_channel.send(kernel.client.session.msg("comm_open", content))


@pytest.mark.parametrize("ipykernel", [6, 7])
async def test_a_page_of_ours_gets_a_card_that_names_the_cell_and_no_new_cell(
    garden: RepositoryFolder,
    model_server: RunningModelServer,
    request: pytest.FixtureRequest,
    ipykernel: int,
) -> None:
    python = request.getfixturevalue("old_python") if ipykernel == 6 else None
    async with kernel_with(garden, model_server, python=python) as kernel:
        await run_as_notebook(kernel, "1 / 0", "failed")
        await run_as_notebook(kernel, "print('later')", "later")
        announce(kernel, "magic")
        payload, published = await run_as_notebook(kernel, "%ac_fix", "magic")
        elsewhere, again = await run_as_notebook(kernel, "%ac_fix", "magic")
    card = shown(published)[-1]
    assert payload == []
    assert "-1 / 0\n+def hello(name: str) -> str:\n" in card["text/plain"]
    assert card[PROPOSAL_MIME] == {
        "version": 1,
        "cell_id": "failed",
        "number": 2,
        "before": "1 / 0",
        "code": HELLO,
        "language": "python",
    }
    assert [part["text"] for part in elsewhere] == [HELLO]
    assert shown(again)[-1] == card


async def test_without_an_error_it_is_about_the_cell_that_ran_last(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server) as kernel:
        nothing = printed(await kernel.run("%ac_explain"))
        await kernel.run("total = sum(range(10))")
        explained = await kernel.run("%ac_explain")
        about = last_prompt(model_server)
        wrong = printed(await kernel.run("%ac_explain please"))
    assert "no cell has run before this one" in nothing
    assert "Here is an answer" in str(shown(explained)) + str(explained)
    assert "what this cell of a notebook does" in about
    assert "total = sum(range(10))" in about
    assert "takes nothing" in wrong


async def test_an_explanation_is_about_the_error_and_proposes_nothing(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server) as kernel:
        await kernel.run("import a")
        await kernel.run("undefined_name")
        await kernel.run("print('later')")
        payload, _ = await run_as_notebook(kernel, "%ac_explain")
    assert payload == []
    assert "NameError: name 'undefined_name'" in last_prompt(model_server)


async def test_where_no_input_is_allowed_nothing_is_asked(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server) as kernel:
        await kernel.run("1 / 0")
        payload, _ = await run_as_notebook(kernel, "%ac_fix", allow_stdin=False)
    assert [part["text"] for part in payload] == [HELLO]


@pytest.mark.parametrize("said", ["y", ""])
async def test_in_a_console_on_a_kernel_the_difference_is_asked_about(
    garden: RepositoryFolder, model_server: RunningModelServer, said: str
) -> None:
    prompts: list[str] = []
    printed_by: list[Message] = []
    async with kernel_with(garden, model_server) as kernel:
        await kernel.run("1 / 0")

        def answer(request: Message) -> None:
            prompts.append(request["content"]["prompt"])
            kernel.client.input(said)

        reply = await kernel.client.execute_interactive(
            "%ac_fix",
            allow_stdin=True,
            stdin_hook=answer,
            output_hook=printed_by.append,
            timeout=90,
        )
    (prompt,) = prompts
    assert prompt.endswith("[y/N] ")
    assert "-1 / 0\n+def hello(name: str) -> str:\n" in printed(printed_by)
    proposed = [part["text"] for part in reply["content"]["payload"]]
    assert proposed == ([HELLO] if said == "y" else [])


async def test_an_answer_without_code_changes_nothing(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    async with kernel_with(garden, model_server, "scripted-some") as kernel:
        await kernel.run("1 / 0")
        payload, published = await run_as_notebook(kernel, "%ac_fix")
    assert payload == []
    assert "%ac_fix: the answer has no code for the cell" in printed(published)


@pytest.fixture
def terminal(
    garden: RepositoryFolder,
    scripted_child: RunningModelServer,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[InteractiveShell]:
    assert scripted_child
    monkeypatch.chdir(garden.root)
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "jupyter_ac")
    yield shell
    shell.run_line_magic("unload_ext", "jupyter_ac")
    InteractiveShell.clear_instance()


@pytest.mark.parametrize("said", ["y", "n"])
def test_in_a_terminal_the_difference_is_shown_and_yes_makes_it_the_next_input(
    terminal: InteractiveShell,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    said: str,
) -> None:
    terminal.run_cell("1 / 0", store_history=True)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{said}\n"))
    terminal.run_line_magic("ac_fix", "")
    printed = capsys.readouterr().out
    assert "-1 / 0\n+def hello(name: str) -> str:\n" in printed
    assert printed.endswith("[y/N] ")
    assert getattr(terminal, "rl_next_input", None) == (HELLO if said == "y" else None)
    assert "hello" not in terminal.user_ns


def test_a_folder_without_a_repository_is_one_sentence(
    terminal: InteractiveShell, garden: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = garden.root.parent / "outside"
    outside.mkdir()
    monkeypatch.chdir(outside)
    terminal.run_cell("x = 1", store_history=True)
    with pytest.raises(UsageError, match=r"%ac_fix: .*no git repository"):
        terminal.run_line_magic("ac_fix", "")


async def test_secrets_of_the_cell_come_back_into_its_proposal_only(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    answer = "Use it:\n```python\nlogin(password='[secret 1]', port=2)\n```\n"
    async with kernel_with(garden, model_server, "scripted-edits") as kernel:
        await kernel.run("login(password='swordfish-77')")
        script = f"now\n=====\n{answer}"
        fix = f"get_ipython().run_line_magic('ac_fix', {script!r})"
        payload, published = await run_as_notebook(kernel, fix)
        unrelated, _ = await run_as_notebook(
            kernel, f"%%ac --cell\nAgain, @cell:2\n=====\n{answer}"
        )
    assert [part["text"] for part in payload] == ["login(password='swordfish-77', port=2)"]
    assert [part["text"] for part in unrelated] == ["login(password='[secret 1]', port=2)"]
    *answered, card = shown(published)
    assert "swordfish" not in str(answered)
    assert card[PROPOSAL_MIME]["before"] == "login(password='swordfish-77')"
    assert card[PROPOSAL_MIME]["code"] == "login(password='swordfish-77', port=2)"
    assert "In[2]: 1 likely secret is masked before it is sent." in str(published)
    assert "swordfish" not in str(model_server.bodies())


def test_questions_say_what_is_known() -> None:
    plain = QuestionedCell("x = 1", 3)
    assert "Look for mistakes" in fix_question(plain, "")
    assert "as follows.\n\nThe user says: faster" in fix_question(plain, "faster")
    assert "the cell as `In[3]`. Secrets" in explain_question(plain)
    failed = QuestionedCell("x", None, "NameError: x")
    assert "the cell as `the cell`, its error as `error of the cell`." in explain_question(failed)
