"""Which of a kernel's shells receives the messages of a comm."""


def let_page_choose_shell(comm: object) -> None:
    """Let the page select the kernel's shell that receives its messages.

    ipykernel 7.4 sends every message of a comm to the shell that used the comm last. The cell that
    made it, or the thread that answers, used the main shell: without this the page would wait for
    that, and so for every cell, although it asks for a subshell.
    """
    if hasattr(comm, "_reply_subshell_for"):
        comm._reply_subshell_for = lambda _data, asked: asked  # noqa: SLF001 - there is no other way
