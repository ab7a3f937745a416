"""A client of a host over HTTP: calls by POST, the state by Server-Sent Events.

    async with HttpClient("http://127.0.0.1:18080/?token=3f…") as client:
        tree = await client.call("Repo.get_file_tree")
        client.on("state", lambda state: print(state["connectionState"]))

docs/clients.md has the rules. The client in JavaScript with the same rules is
`static/http-client.js`.
"""

from jupyter_ac.http_client.client import HttpClient
from jupyter_ac.http_client.retrying import Pauses

__all__ = ["HttpClient", "Pauses"]
