#!/bin/sh
# Calls a method by POST: URL=http://127.0.0.1:18080 TOKEN=3f… sh post.sh
# The token isn't in the command line, which all users of a machine can read.
curl --silent --show-error --fail-with-body "$URL/rpc" \
  --header 'Content-Type: application/json' --header @- \
  --data '{"jsonrpc": "2.0", "id": 1, "method": "Repo.is_clean"}' <<END
Authorization: token $TOKEN
END
