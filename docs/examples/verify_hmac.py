"""Verify the signatures of hmac_vectors.json, as a client in Python does (pip install rfc8785)."""

import base64
import hashlib
import hmac
import json
import sys
from pathlib import Path

import rfc8785

vectors = json.loads(Path(__file__).with_name("hmac_vectors.json").read_text(encoding="utf-8"))
for vector in vectors:
    message = json.loads(vector["message"])
    auth = message.pop("auth")
    canonical = rfc8785.dumps(message)
    signed = f"{auth['timestamp']}.{auth.get('nonce', '')}.".encode() + canonical
    digest = hmac.digest(vector["key"].encode(), signed, hashlib.sha256)
    is_same = hmac.compare_digest(base64.b64encode(digest), auth["signature"].encode())
    if canonical.decode() != vector["canonical"] or not is_same:
        sys.exit(f"{vector['name']}: wrong")
    print(f"{vector['name']}: verified")
