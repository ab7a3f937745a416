"""Which shell receives a comm's messages."""

from jupyter_ac.hosts.kernel.live.comm_routing import let_page_choose_shell


class Comm:
    """As ipykernel 7.4's: it sends messages to the shell that used it last."""

    def _reply_subshell_for(self, _data: object, _asked: object) -> object:
        return "used last"


def test_the_page_chooses() -> None:
    comm = Comm()
    let_page_choose_shell(comm)
    assert comm._reply_subshell_for({}, "asked") == "asked"


def test_other_comms_are_left_alone() -> None:
    comm = object()
    let_page_choose_shell(comm)
    assert not hasattr(comm, "_reply_subshell_for")
