"""Options of widespread programs whose value is a secret, and what only looks like one of them; ours."""

from __future__ import annotations

import pytest

from inspector.wire.argument_secrets import (
    mask_arguments,
    mask_command_line,
    secrets_in_arguments,
    secrets_in_command_line,
)
from inspector.wire.redaction import MASK


@pytest.mark.parametrize(
    "line",
    [
        "mysql -u docker -psecr-1",
        "mysql -h docker -u a -psecr-1",
        "mysqldump http -psecr-1",
        "mysql -vpsecr-1",
        "mycli -h mysql -p secr-1",
        "docker login -u helm -p secr-1",
        "docker login -u docker -p secr-1",
        "docker login reg.example.com/helm -u a -p secr-1",
        "helm registry login docker -u a -p secr-1",
        "docker exec http redis-cli -a secr-1",
        "redis-cli -h docker -a secr-1",
        "redis-cli -asecr-1",
        "mosquitto_pub -t http -P secr-1",
        "curl https://h/api/docker -u bob:secr-1",
        "curl https://h/repo/zip -ubob:secr-1",
        "curl -o docker -u bob:secr-1",
        "curl -u secr-1: https://h",
        "curl -usecr-1:",
        "curl -sSubob:secr-1",
        "curl -E cert.pem:secr-1",
        "curl --cert C:/cert.pem:secr-1",
        "srv -ualice:secr-1",
        "srv --user alice:secr-1/x",
        "srv -u DOMAIN\\alice:secr-1",
        "srv -h docker -u alice:secr-1",
        "docker run img --user alice:secr-1",
        "docker run --rm -it -u app:app -e X=1 img -u alice:secr-1",
        "sudo docker run -i -u me:staff registry.test/x/y-mcp -u alice:secr-1",
        "gosu app:app srv -u alice:secr-1",
        "zip -rPsecr-1 x.zip",
        "sshpass -P word -p secr-1 ssh h -p 2222",
    ],
)
def test_options_of_known_programs_are_found_whatever_else_has_the_name_of_a_program(
    line: str,
) -> None:
    """C-SEC-17: a user, a host, a file and the end of a URL may have it too."""
    secret = "secr-1/x" if "secr-1/x" in line else "secr-1"
    program, *arguments = line.split(" ")

    assert secrets_in_arguments(arguments, program=program) == (secret,)
    assert mask_arguments(line.split(" ")) == line.replace(secret, MASK).split(" ")
    assert mask_command_line(line) == line.replace(secret, MASK)


@pytest.mark.parametrize(
    "line",
    [
        "sshpass -e ssh h -p 2222",
        "srv --db mongo -p 3000",
        "srv --transport http -a 0.0.0.0:8080/mcp",
        "srv --transport http -a https://h/mcp",
        "docker run --name mongo -p 27017:27017 -v /data:/data/db mongo",
        "docker run --network mysql -p3306:3306 img",
        "docker run --rm -u me:staff -p 80:80 img -u 1000:1000",
        "sudo docker run --user app:app img",
        "docker compose exec -T -u app:app web ls",
        "srv -url:https://h -user:alice -u C:/x -u h:8080/mcp",
        "srv -u localhost:8080 -u db.test:5432 -u a.b.c:1 --user 1000:1000",
        "kubectl --user arn:aws:eks:x get pods",
        "curl -E cert.pem -u bob",
        "smbclient -U alice%",
        "mysql -hproduction -uroot",
    ],
)
def test_what_only_looks_like_such_an_option_is_displayed(line: str) -> None:
    """Ours: what is hidden needlessly cannot be inspected."""
    assert mask_arguments(line.split(" ")) == line.split(" ")
    assert mask_command_line(line) == line


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        ("srv http -a host:8080/mcp", "8080/mcp"),
        ("srv mongo -p 127.0.0.1:27017", "127.0.0.1:27017"),
        ("zip -P /usr/bin/env", "/usr/bin/env"),
        ("srv -u alice:1234", "1234"),
        ("srv --user alice.b:1234", "1234"),
        ("srv --userpwd=alice:12345", "12345"),
        ("srv -u alice.b@corp.test:1234", "1234"),
    ],
)
def test_a_password_that_may_be_an_address_or_a_path_is_hidden_there_alone(
    line: str, hidden: str
) -> None:
    """Ours: other text has the same without any secret."""
    assert mask_command_line(line) == line.replace(hidden, MASK)
    assert secrets_in_arguments(line.split(" ")) == ()
    assert secrets_in_command_line(line) == ()
