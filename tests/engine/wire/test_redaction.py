"""What is hidden of heads and addresses, and what is not; ours throughout (design, security duties 10 and 15)."""

from __future__ import annotations

import time

import pytest

from inspector.wire.argument_secrets import mask_arguments, secrets_in_arguments
from inspector.wire.redaction import (
    MASK,
    is_header_block,
    is_secret_name,
    mask_header_block,
    mask_state_handles,
    mask_task_id,
    mask_text,
    mask_urls,
)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Authorization: Bearer abc.def", f"Authorization: Bearer {MASK}"),
        ("authorization: raw-token", f"authorization: {MASK}"),
        ("Proxy-Authorization: Basic bWU6", f"Proxy-Authorization: Basic {MASK}"),
        ("Cookie: a=1; b=2", f"Cookie: {MASK}"),
        ("Set-Cookie: a=1; HttpOnly", f"Set-Cookie: {MASK}"),
        ("Mcp-Session-Id: s-1", f"Mcp-Session-Id: {MASK}"),
        ("mcp-session-id:s-1", f"mcp-session-id:{MASK}"),
        ("X-Api-Key: k", f"X-Api-Key: {MASK}"),
        ("X-Auth-Token:  t ", f"X-Auth-Token:  {MASK} "),
        (
            "Location: https://x/?access_token=t&a=b",
            f"Location: https://x/?access_token={MASK}&a=b",
        ),
        (
            "Location: https://x/cb?code=c&state=s&a=b",
            f"Location: https://x/cb?code={MASK}&state={MASK}&a=b",
        ),
        ("Authorization: DPoP abc", f"Authorization: DPoP {MASK}"),
        ("DPoP: a.b.c", f"DPoP: {MASK}"),
        ("DPoP-Nonce: n", "DPoP-Nonce: n"),
        ("WWW-Authenticate: Bearer realm=x", "WWW-Authenticate: Bearer realm=x"),
        ("Content-Type: application/json", "Content-Type: application/json"),
        ("X-Empty-Key:", "X-Empty-Key:"),
        ("no header at all", "no header at all"),
    ],
)
def test_headers_are_hidden_by_their_names(line: str, shown: str) -> None:
    """C-SEC-15, C-SEC-17, C-HTTP-17: the rest of the line stays as it is."""
    head = f"POST /mcp HTTP/1.1\r\nHost: x\r\n{line}\r\nX-B: 2"

    assert mask_header_block(head.encode()).decode() == head.replace(line, shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("GET /mcp?api_key=k&x=1 HTTP/1.1", f"GET /mcp?api_key={MASK}&x=1 HTTP/1.1"),
        ("http://me:word@proxy:8080/", f"http://{MASK}@proxy:8080/"),
        ("POST endpoint http://x/mcp?token=t", f"POST endpoint http://x/mcp?token={MASK}"),
        ("http://x/a@b?q=1", "http://x/a@b?q=1"),
        ("http://x/mcp?token=${input:key}", "http://x/mcp?token=${input:key}"),
        ("http://${env:ME}:${PASS}@x/?key={{key}}", "http://${env:ME}:${PASS}@x/?key={{key}}"),
        ("http://me:$word@x/?key=$word", f"http://{MASK}@x/?key={MASK}"),
        (f"http://{MASK}@x/?key={MASK}", f"http://{MASK}@x/?key={MASK}"),
        ("GET /?sessionId=s1; text/plain", f"GET /?sessionId={MASK}; text/plain"),
        ("http://x/?key=a;b;page=2", f"http://x/?key={MASK};page=2"),
        ("http://me:wo/rd#1@x:80/a", f"http://{MASK}@x:80/a"),
        ("http://x:80/a@b http://x:${PORT}/a@b", "http://x:80/a@b http://x:${PORT}/a@b"),
    ],
)
def test_addresses_are_shown_without_their_secrets(text: str, shown: str) -> None:
    """C-SEC-17: parameters by their names, passwords by their place; a placeholder of a client is none."""
    assert mask_urls(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no: Bearer 0123456789abcdef.", f"no: Bearer {MASK}"),
        ("{'authorization': 'bearer abcdefghijklmnopq'}", f"{{'authorization': 'bearer {MASK}'}}"),
        ("b'Basic bWU6d29yZA==' at http://a:b@x", f"b'Basic {MASK}' at http://{MASK}@x"),
        ("Token expired: the token is refreshed", "Token expired: the token is refreshed"),
        ('Bearer realm="x", Basic authentication', 'Bearer realm="x", Basic authentication'),
    ],
)
def test_text_is_shown_without_what_follows_a_scheme(text: str, shown: str) -> None:
    """C-SEC-17: an error may repeat a header."""
    assert mask_text(text) == shown


def test_bytes_that_are_no_text_stay_what_they_are() -> None:
    """A head may hold anything."""
    head = b"HTTP/1.1 200 \xff\r\nX: \xfe\r\n\r\nSet-Cookie: \xfd"

    assert mask_header_block(head) == head.replace(b"\xfd", MASK.encode())


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"HTTP/1.1 200 OK", True),
        (b"POST /mcp HTTP/1.1\r\nHost: x", True),
        (b"CONNECT x:443 HTTP/1.1", True),
        (b"<html>HTTP/1.1</html>", False),
        (b'{"jsonrpc":"2.0"}', False),
        (b"", False),
    ],
)
def test_a_head_is_told_from_a_body(raw: bytes, found: bool) -> None:
    """Only heads are taken apart."""
    assert is_header_block(raw) is found


@pytest.mark.parametrize(
    "name",
    [
        "GITHUB_TOKEN",
        "api_key",
        "accessToken",
        "X-Session",
        "Mcp-Session-Id",
        "SESSION_ID",
        "X-Signature",
        "X-Passw",
        "PGPASS",
        "PASSPHRASE",
        "GITHUB_PAT",
        "DATABASE_URL",
        "SLACK_WEBHOOK_URL",
        "dbpwd",
        "MYSQL_PWD",
        "AWS_ACCESS_KEY_ID",
        "sshkey",
        "NPM_AUTH",
        "sig",
        "JWT",
    ],
)
def test_one_definition_tells_secret_names(name: str) -> None:
    """Ours: for variables, headers, parameters and arguments alike."""
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "PATH",
        "PWD",
        "OLDPWD",
        "HOME",
        "WWW-Authenticate",
        "Content-Type",
        "GIT_AUTHOR_NAME",
        "max-tokens",
        "KEYBOARD",
        "PATTERN",
        "TOKENIZERS_PARALLELISM",
        "NODE_ENV",
        "repository",
    ],
)
def test_names_that_only_look_alike_are_no_secrets(name: str) -> None:
    """Ours: what is hidden needlessly cannot be inspected."""
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    ("arguments", "secrets"),
    [
        (["--api-key=argsecret123", "x"], ["argsecret123"]),
        (["--token", "abc", "-v"], ["abc"]),
        (["-e", "API_KEY=one", "image"], ["one"]),
        (["--header", "Authorization: Bearer zzz"], ["zzz"]),
        (["--header", "X-Api-Key: k1"], ["k1"]),
        (["postgresql://me:pw1@h/db"], ["pw1"]),
        (["https://h/mcp?token=q1&a=b"], ["q1"]),
        (['{"apiKey":"json1","b":"c"}'], ["json1"]),
        (["--env=API_KEY=one", "x"], ["one"]),
        (["--env", "API_KEY=one two"], ["one two"]),
        (["sh", "-c", "export GH_TOKEN=abc1 && X=1 PGPASS='def2' run"], ["abc1", "def2"]),
        (["sh", "-c", "curl https://h/?token=q1&b=2"], ["q1"]),
        (["sh", "-c", "srv --api-key abc1 --token=def2 -v --mode xyz"], ["abc1", "def2"]),
        (["sh", "-c", "curl -H 'X-Api-Key: k1' -H \"Authorization: Bearer zz\""], ["k1", "zz"]),
        (["sh", "-c", "sh -c 'srv --key abc1' -- it's"], ["abc1"]),
        (["--password:abc1", "/token:def2", "--url:http://h"], ["abc1", "def2"]),
        (["cmd", "/c", "srv /token:abc1 -x"], ["abc1"]),
        (["sh", "-c", "TOKEN=abc1 srv --mode x"], ["abc1"]),
        (["sh", "-c", "srv --token abc1; PW=def2;run --key=ghi3&&wait"], ["abc1", "def2", "ghi3"]),
        (["sh", "-c", "srv\t--token\tabc1\n--key \\\n def2"], ["abc1", "def2"]),
        (["x" * 9000 + " --token abc1"], ["abc1"]),
        (["sh", "-c", "srv --token abc1 --key abc1-def2"], ["abc1", "abc1-def2"]),
        (["--header=Authorization: Bearer zzz"], ["zzz"]),
        (['{"run": "srv --token abc1", "args": ["--key", "def2"]}'], ["abc1", "def2"]),
        (["sh", "-c", 'sh -c "sh -c \'sh -c \\"srv --key abc1\\"\'"'], ["abc1"]),
        (["mysql", "-h", "db", "-psecr1", "shop"], ["secr1"]),
        (["docker", "exec", "-it", "c", "/usr/bin/mysql.exe", "-psecr1"], ["secr1"]),
        (
            ["curl", "-sSu", "me:secr1", "-umy:secr2", "--proxy-user=a:b:c"],
            ["secr1", "secr2", "b:c"],
        ),
        (["sh", "-c", "sshpass -p 'a b' ssh x; redis-cli -a secr2 ping"], ["a b", "secr2"]),
        (["--user=me:secr1", "-u", "me:secr2"], ["secr1", "secr2"]),
        (["smbclient", "-U", "me%secr1"], ["secr1"]),
        (["docker", "login", "-u", "me", "-p", "secr1"], ["secr1"]),
        (["git", "-c", "http.extraHeader=Authorization: Basic abc1", "fetch"], ["abc1"]),
        (["aws", "configure", "set", "aws_secret_access_key", "abc1"], ["abc1"]),
        (["docker", "run", "-p", "8080:80", "-u", "me:staff", "--user", "1:2", "x"], []),
        (["srv", "-p", "8080", "-u", "http://h:80", "--user", "1000:1000", "-a", "x"], []),
        (["mysql", "-p", "shop", "-p${PW}"], []),
        (["openssl", "x509", "-check", "abcdef"], []),
        (["sh", "-c", "srv --no-auth x --key ${KEY} --max-tokens 5"], []),
        (["--private-key", "-----BEGIN PRIVATE KEY-----abc"], ["-----BEGIN PRIVATE KEY-----abc"]),
        (["mysql://[redacted:22-bytes:9f3a2c10]@db/x"], []),
        (["sh", "-c", "env TOKEN=$TOKEN KEY=${KEY} MODE=fast run"], []),
        (["--no-auth", "server.py"], []),
        (["--password", "${PW}", "next"], []),
        (["--max-tokens", "100", "--key", "-x"], []),
        (["a=b", "", "C:\\x"], []),
    ],
)
def test_secrets_among_arguments_are_hidden_in_their_place(
    arguments: list[str], secrets: list[str]
) -> None:
    """C-SEC-17: by the name of the option, both spellings, by the header, and in addresses."""
    shown = mask_arguments(arguments)

    assert list(secrets_in_arguments(arguments)) == secrets
    assert len(shown) == len(arguments)
    assert [each for each in secrets if any(each in one for one in shown)] == []
    if not secrets:
        assert shown == arguments


@pytest.mark.parametrize(
    ("argument", "shown"),
    [
        (r'{"token":"a\"b"}', f'{{"token":"{MASK}"}}'),
        (r'{"token":"C:\"}', f'{{"token":"{MASK}"}}'),
        (r"{'token':'a\\'}", f"{{'token':'{MASK}'}}"),
        ("srv --token 'a'b'cdefgh' -v", f"srv --token {MASK} -v"),
        ("srv --token 'p w!' -v", f"srv --token '{MASK}' -v"),
        (r"srv --token ab\ cdefg -v", f"srv --token {MASK} -v"),
        (r'srv --token "ab\"cdefg" -v', f'srv --token "{MASK}" -v'),
        (r"srv --token C:\tok\word -v", f"srv --token {MASK} -v"),
        ("srv --token $'word' -v", f"srv --token $'{MASK}' -v"),
        ('srv --token "no end', f'srv --token "{MASK}'),
        (r"sh -c 'srv --token '\''a b'\'' -v'", rf"sh -c 'srv --token '\''{MASK}'\'' -v'"),
        ("srv --token abcdef --key abcdef-ghijk", f"srv --token {MASK} --key {MASK}"),
    ],
)
def test_a_secret_with_quotes_and_backslashes_is_hidden_whole(argument: str, shown: str) -> None:
    """C-SEC-17: where it stands, in whatever spelling; what is around it stays."""
    assert mask_arguments([argument]) == [shown]
    assert mask_arguments([shown]) == [shown]


@pytest.mark.parametrize(
    "text",
    ['{"token":"' + "\\" * 50_000, "x=1&key=" + "{" * 50_000, "x=1&key=" + "${" * 50_000]
    + ["a " + each * 20_000 for each in ("'\"", '"$(`', "\\'", "--token x ", "://a:b", "?key=;")],
    ids=[
        "backslashes",
        "braces",
        "variables",
        "quotes",
        "opened",
        "escapes",
        "options",
        "urls",
        "semicolons",
    ],
)
def test_the_time_to_find_secrets_follows_the_length_of_the_text(text: str) -> None:
    """Ours: sixty backslashes in a string that was not closed took longer than anybody waits."""
    before = time.thread_time()

    mask_arguments([text])
    mask_urls(text)

    assert time.thread_time() - before < 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"requestState": "a\\"b", "x": 1}', f'{{"requestState": "{MASK}", "x": 1}}'),
        ('{"taskId":"t","taskId" : "u"}', f'{{"taskId":"{MASK}","taskId" : "{MASK}"}}'),
        ('{"taskIds":["a","]b\\"c"],"n":["d"]}', f'{{"taskIds":["{MASK}","{MASK}"],"n":["d"]}}'),
        ('{"requestState":"cut o', f'{{"requestState":"{MASK}"'),
        ('"requestState": …cut off",\n"x": 1', f'"requestState": "{MASK}",\n"x": 1'),
        ('{"taskId":"","requestState":null,"taskIds":[]}', None),
        ('{"a":"taskId","b":["requestState"]}', None),
        ("no JSON with a taskId", None),
    ],
)
def test_handles_are_hidden_by_their_names(text: str, shown: str | None) -> None:
    """C-SEC-14: an empty text is none; everything else stays as it is, JSON or not."""
    assert mask_state_handles(text.encode()).decode() == (text if shown is None else shown)


def test_the_header_that_repeats_the_id_of_a_task_is_hidden_as_well() -> None:
    """C-SEC-14: that header of other requests is a name."""
    head = b"POST /mcp HTTP/1.1\r\nmcp-name: t-1\r\nMcp-Method: tasks/get\r\nX: t-1"
    other = head.replace(b"tasks/get", b"tools/call")

    assert mask_task_id(head) == head.replace(b"name: t-1", b"name: " + MASK.encode())
    assert mask_task_id(other) == other
