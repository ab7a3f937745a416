"""A child that speaks the lines of `jupyter ac stdio --links` and does what a link's name says.

    echo…    sends every frame back
    refuse…  is closed at once, with 4404
    die…     ends the process, after a line on standard error
    any other is read and never answered

A frame `"pid"` is answered with the process id, `"environment"` with the environment,
`"close"` with a close (4000), `"unreadable"` with a line that is none. `--stubborn` ignores
the end of its input.
"""

import json
import os
import sys
import time


def write(*parts: object) -> None:
    sys.stdout.write(json.dumps(parts, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def opened(link: str, conversation_key: object) -> None:
    if link.startswith("refuse"):
        write(link, None, {"close": {"code": 4404, "reason": "no repository here"}})
    elif link.startswith("die"):
        sys.stderr.write("first words\nthe key sk-abcdefghijklmnopqrst is wrong\n")
        sys.stderr.flush()
        os._exit(3)
    elif link.startswith("echo"):
        write(link, {"opened": conversation_key})


def framed(link: str, frame: object) -> None:
    answers = {"pid": os.getpid(), "environment": dict(os.environ)}
    if frame == "close":
        write(link, None, {"close": {"code": 4000, "reason": "as you wish"}})
    elif frame == "unreadable":
        sys.stdout.write("no line\n")
        sys.stdout.flush()
    elif link.startswith("echo"):
        write(link, answers.get(frame, frame) if isinstance(frame, str) else frame)


def main() -> None:
    for line in sys.stdin:
        link, frame, *control = json.loads(line)
        if control and "open" in control[0]:
            opened(link, control[0]["open"])
        elif not control:
            framed(link, frame)
    if "--stubborn" in sys.argv:
        time.sleep(3600)


if __name__ == "__main__":
    main()
