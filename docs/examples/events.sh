#!/bin/sh
# Prints the state, and each new one: URL=http://127.0.0.1:18080 TOKEN=3f… sh events.sh
curl --silent --show-error --fail --no-buffer "$URL/events" --header @- <<END
Authorization: token $TOKEN
END
