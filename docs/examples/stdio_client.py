"""A client of `jupyter ac stdio`: calls, cancels one of them, reads progress, ends the host."""

import json
import subprocess

pipe = subprocess.PIPE
host = subprocess.Popen(["jupyter", "ac", "stdio"], stdin=pipe, stdout=pipe, text=True)


def send(method: str, params: dict[str, object], **more: object) -> None:
    """Write a message on a line."""
    message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
    print(json.dumps(message), file=host.stdin)


send("Repo.search_files", {"query": "TODO"}, id=1)
send("$/cancelRequest", {"id": 1})  # in time only because it is sent at once
send("Repo.is_clean", {}, id=2)
host.stdin.flush()
waiting = {1, 2}
while waiting:
    message = json.loads(host.stdout.readline())
    if message.get("method") == "$/progress":
        print("progress:", message["params"]["value"])
    elif "method" not in message:  # not an event, so an answer
        waiting.remove(message["id"])
        print(message["id"], message.get("result", message.get("error")))
host.communicate()  # closes its input: it ends by itself
print("exit code", host.returncode)
