"""The base of handlers that take a POST; `test_posted_calls` has them in a real server."""

from jupyter_ac.hosts.server.post_handler import ALLOWED, PostHandler


def test_its_body_is_read_as_it_comes() -> None:
    assert getattr(PostHandler, "_stream_request_body", False)
    assert ALLOWED == "GET, POST"


def test_the_name_of_a_folder_need_not_be_utf_8() -> None:
    assert object.__new__(PostHandler).decode_argument(b"a\xff") == "a\udcff"
