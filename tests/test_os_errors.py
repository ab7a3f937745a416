import errno
import os

import pytest

from jupyter_ac.os_errors import explained_os_error

TYPES = {
    errno.ENOSPC: "too_large",
    errno.EDQUOT: "too_large",
    errno.EFBIG: "too_large",
    errno.EROFS: "access_denied",
    errno.EACCES: "access_denied",
    errno.EMFILE: "busy",
    errno.ENFILE: "busy",
    errno.EAGAIN: "busy",
    errno.ENOMEM: "busy",
    errno.EIO: "not_ready",
    errno.ESTALE: "conflict",
    errno.ELOOP: "refused_path",
    errno.ENOTDIR: "refused_path",
    errno.ENAMETOOLONG: "refused_path",
    errno.ENXIO: "refused_path",
    errno.ENOLCK: "unsupported",
    errno.ENOENT: "not_found",
    errno.EEXIST: "exists",
}


@pytest.mark.parametrize("number", TYPES, ids=errno.errorcode.get)
def test_each_refusal_has_a_type_and_a_sentence_that_names_the_thing(number: int) -> None:
    error = explained_os_error(OSError(number, os.strerror(number), "/somewhere/else/f"), "'f'")
    assert error.type == TYPES[number]
    assert error.message.startswith("'f' ")
    assert "/somewhere" not in error.message


def test_nothing_of_the_system_is_internal() -> None:
    for number in errno.errorcode:
        assert explained_os_error(OSError(number, os.strerror(number)), "It").type != "internal"
    assert explained_os_error(OSError("no number"), "It").type == "not_ready"
