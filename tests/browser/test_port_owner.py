import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from jupyter_ac.browser.port_owner import check_owner
from jupyter_ac.errors import AccessDenied, NotConnected
from tests.browser.fake_cdp import LIMIT_S

HEAD = (
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout\n"
)
ME = os.getuid()
NOBODY = 65534
PORT = 9222
LOOPBACK_4 = "0100007F"
LOOPBACK_6 = "00000000000000000000000001000000"
MAPPED = "0000000000000000FFFF00000100007F"
ANY_4 = "00000000"
ANY_6 = "0" * 32


def row(address: str, uid: int, port: int = PORT, state: str = "0A") -> str:
    return (
        f"   0: {address}:{port:04X} {ANY_4}:0000 {state} "
        f"00000000:00000000 00:00000000 00000000 {uid:5}        0 1 1\n"
    )


def tables(tmp_path: Path, *rows: str) -> tuple[Path, ...]:
    path = tmp_path / "tcp"
    path.write_text(HEAD + "".join(rows))
    return (path, tmp_path / "tcp6-is-missing")


@pytest.mark.parametrize(
    ("address", "host"),
    [
        (LOOPBACK_4, "127.0.0.1"),
        (ANY_4, "127.0.0.1"),
        (ANY_6, "127.0.0.1"),
        (MAPPED, "127.0.0.1"),
        (LOOPBACK_6, "::1"),
        (ANY_6, "::1"),
    ],
)
def test_who_listens_is_found_by_the_address_that_would_answer(
    tmp_path: Path, address: str, host: str
) -> None:
    assert check_owner(host, PORT, tables(tmp_path, row(address, ME)))
    with pytest.raises(AccessDenied, match="another user"):
        check_owner(host, PORT, tables(tmp_path, row(address, ME + 1)))


@pytest.mark.parametrize(
    "other",
    [
        row(LOOPBACK_4, ME, port=PORT + 1),
        row(LOOPBACK_4, ME, state="01"),
        row(LOOPBACK_6, ME),
        row("0100000A", ME),
        "",
        "garbage\n",
    ],
)
def test_other_rows_are_not_who_listens(tmp_path: Path, other: str) -> None:
    with pytest.raises(NotConnected, match="--remote-debugging-port=9222"):
        check_owner("127.0.0.1", PORT, tables(tmp_path, other))


def test_one_stranger_among_several_is_enough(tmp_path: Path) -> None:
    both = tables(tmp_path, row(LOOPBACK_4, ME), row(ANY_4, ME + 1))
    with pytest.raises(AccessDenied):
        check_owner("127.0.0.1", PORT, both)


def test_without_tables_it_is_said_that_nothing_was_checked(tmp_path: Path) -> None:
    assert not check_owner("127.0.0.1", PORT, (tmp_path / "none",))


@pytest.mark.parametrize(("family", "host"), [("INET", "127.0.0.1"), ("INET6", "::1")])
def test_the_kernels_own_table_knows_our_sockets(family: str, host: str) -> None:
    with socket.socket(socket.AddressFamily[f"AF_{family}"]) as listener:
        try:
            listener.bind((host, 0))
        except OSError:
            pytest.skip("no such address on this machine")
        listener.listen()
        assert check_owner(host, listener.getsockname()[1])


@pytest.mark.skipif(ME != 0, reason="only root can act as another user")
def test_the_port_of_another_user_is_refused() -> None:
    code = (
        f"import os, socket; os.setuid({NOBODY}); s = socket.create_server(('127.0.0.1', 0)); "
        "print(s.getsockname()[1], flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with pytest.raises(AccessDenied, match="another user"):
            check_owner("127.0.0.1", port)
        process.communicate("\n", timeout=LIMIT_S)
