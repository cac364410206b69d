#!/bin/sh
# client.sh: the suite starts the client through this. It passes a stop on to the client, which a plain shell does not, and turns a death by
# signal into an exit status, which the suite would take for success. The client reads nothing: the suite leaves an open pipe there.
trap 'kill -TERM "$client" 2>/dev/null' TERM INT
"$CONFORMANCE_PYTHON" -m tests.conformance.client "$@" </dev/null &
client=$!
wait "$client"
code=$?
while kill -0 "$client" 2>/dev/null; do
    wait "$client"
    code=$?
done
exit "$code"
