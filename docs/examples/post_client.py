"""Calls a method by POST: URL=http://127.0.0.1:18080 TOKEN=3f… python post_client.py."""

import os
import sys

import httpx

call = {"jsonrpc": "2.0", "id": 1, "method": "Repo.get_file_content", "params": {"path": "a.py"}}
headers = {"Authorization": f"token {os.environ['TOKEN']}"}
response = httpx.post(f"{os.environ['URL']}/rpc", json=call, headers=headers, timeout=30)
answer = response.raise_for_status().json()
if "error" in answer:
    sys.exit(f"{answer['error']['code']}: {answer['error']['message']}")
print(answer["result"])
