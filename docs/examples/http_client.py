"""The client in Python: URL=http://127.0.0.1:18080 TOKEN=3f… python http_client.py."""

import asyncio
import os

from jupyter_ac.errors import RemoteError
from jupyter_ac.http_client import HttpClient


async def main() -> None:
    """Show a state, a result and an error."""
    async with HttpClient(os.environ["URL"], os.environ["TOKEN"]) as client:
        client.on("state", lambda state: print("state:", state["connectionState"]))
        print(client.state["connectionState"], client.can_call("Repo.get_file_content"))
        print(await client.call("Repo.get_file_content", {"path": "a.py"}))
        try:
            await client.call("Repo.get_file_content", {"path": "missing.py"})
        except RemoteError as error:
            print(error.remote_code, error.remote_type)


asyncio.run(main())
