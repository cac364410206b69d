"""Options of widespread programs whose value is a secret although their name does not say so (`mysql -psecret`, `curl -u user:password`).

A program is known by its name anywhere in a command: it may be started by another one (`docker exec db mysql …`). Pure.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from inspector.frozen import FrozenStruct


class SecretOption(FrozenStruct, frozen=True):
    """An option with a secret in its value."""

    names: frozenset[str]
    """How it is written: letters after a hyphen, or a word after one or two."""
    is_joined: bool = False
    """Whether the value may follow a letter without a space, and other letters may stand before it."""
    is_apart: bool = True
    """Whether the value may be the next argument."""
    after: str = ""
    """What the secret follows in the value, which has no secret without it. Empty if the value is the secret."""
    command: str = ""
    """The command of the program that has the option; empty for each."""


class FoundOption(NamedTuple):
    """An option among the arguments."""

    option: SecretOption
    start: int
    """Where its value starts in its argument; 0 if it is the next argument."""


def _option(names: str, **details: bool | str) -> SecretOption:
    return SecretOption(frozenset(names.split()), **details)  # pyright: ignore[reportArgumentType] - names of its fields


_PASSWORD = _option("-p", is_joined=True)
_UPPER_PASSWORD = _option("-P", is_joined=True)
_ONLY_JOINED = _option("-p", is_joined=True, is_apart=False)
_USER = _option("-u --user -U --proxy-user", is_joined=True, after=":")
_LOGIN = _option("-p", is_joined=True, command="login")

_ROWS: tuple[tuple[str, tuple[SecretOption, ...]], ...] = (
    ("mysql mysqladmin mysqlbinlog mysqlcheck mysqldump mysqlimport mysqlpump", (_ONLY_JOINED,)),
    ("mysqlsh mysqlshow mysqlslap mariadb mariadb-admin mariadb-dump", (_ONLY_JOINED,)),
    ("mycli litecli cqlsh", (_PASSWORD,)),
    ("mongo mongosh mongodump mongorestore mongoexport mongoimport", (_PASSWORD,)),
    ("mongostat mongotop mongofiles", (_PASSWORD,)),
    ("curl", (_USER,)),
    ("http https httpie xh xhs", (_option("-a", is_joined=True, after=":"),)),
    ("redis-cli valkey-cli keydb-cli", (_option("-a"),)),
    ("sshpass", (_PASSWORD,)),
    ("7z 7za 7zr 7zz rar unrar", (_ONLY_JOINED,)),
    ("zip unzip zipcloak", (_UPPER_PASSWORD,)),
    ("sqlcmd bcp osql isql mssql-cli", (_UPPER_PASSWORD,)),
    ("mosquitto_pub mosquitto_sub mosquitto_rr", (_UPPER_PASSWORD,)),
    ("ldapsearch ldapadd ldapmodify ldapdelete ldapcompare", (_option("-w", is_joined=True),)),
    ("ldapwhoami ldappasswd ldapmodrdn ldapexop", (_option("-w -a -s", is_joined=True),)),
    ("smbclient rpcclient smbget", (_option("-U --user", is_joined=True, after="%"),)),
    ("openssl", (_option("-k -K"), _option("-passin -passout", after="pass:"))),
    ("docker podman nerdctl helm oras skopeo buildah crane az oc", (_LOGIN,)),
)
_BY_PROGRAM = {program: options for programs, options in _ROWS for program in programs.split()}

_PLAIN_USER = frozenset(
    {"docker", "podman", "nerdctl", "docker-compose", "kubectl", "chown", "gosu", "su-exec"}
)
"""Programs whose user may be followed by a group."""

_ANY_USER = _option("-u --user --userpwd", after=":")
_USER_AND_PASSWORD = re.compile(r"[^\s:/\\\[]+:(?!\d+$)[^\s/\\]+")
"""The value of such an option of a program that is not known: no address, and no numbers of user and group."""

_SCRIPT_OPTION = re.compile(r"-[a-z]*c|/[ck]", re.IGNORECASE)
"""The option of a shell before a command line."""

_SETTING = frozenset({"set", "setx"})
"""The command before a name and its value, as in `aws configure set aws_secret_access_key`."""


class CommandOptions:
    """What the arguments of one command have been so far."""

    def __init__(self) -> None:
        """Start before the program."""
        self._program = ""
        self._options: tuple[SecretOption, ...] = ()
        self._subcommands: set[str] = set()
        self._latest = ""
        self._before = ""

    @property
    def setting(self) -> str:
        """The name whose value the next argument sets; empty if it sets none."""
        return self._latest if self._before in _SETTING else ""

    def take(self, argument: str) -> FoundOption | None:
        """Take the next argument; return the option that it is or contains."""
        self._before, self._latest = self._latest, argument
        if not argument.startswith("-"):
            name = _program_name(argument)
            if name in _BY_PROGRAM or name in _PLAIN_USER or not self._program:
                self._program, self._options, self._subcommands = (
                    name,
                    _BY_PROGRAM.get(name, ()),
                    set(),
                )
            self._subcommands.add(argument)
            return None
        for option in self._options:
            if not option.command or option.command in self._subcommands:
                start = _start(option, argument)
                if start is not None:
                    return FoundOption(option, start)
        start = None if self._program in _PLAIN_USER else _start(_ANY_USER, argument)
        return None if start is None else FoundOption(_ANY_USER, start)

    def is_script_option(self, argument: str) -> bool:
        """Return whether the next argument is a command line."""
        return self._program != "git" and _SCRIPT_OPTION.fullmatch(argument) is not None


def secret_start(option: SecretOption, value: str) -> int | None:
    """Return where the secret starts in the value of an option; None without one."""
    if option is _ANY_USER and not _USER_AND_PASSWORD.fullmatch(value):
        return None
    at = value.find(option.after)
    return at + len(option.after) if 0 <= at < len(value) - len(option.after) else None


def _start(option: SecretOption, argument: str) -> int | None:
    """Return where the value of the option starts in an argument, 0 if it is the next one; None for another option."""
    name, equals, _ = argument.partition("=")
    if name in option.names:
        is_next = not equals and option.is_apart
        return 0 if is_next else len(name) + 1 if equals else None
    letter = argument[:2]
    if letter in option.names and option.is_joined:
        return 2
    is_cluster = (
        option.is_apart
        and option.is_joined
        and re.fullmatch(r"-[A-Za-z]{2,5}", argument) is not None
    )
    return 0 if is_cluster and f"-{argument[-1]}" in option.names else None


def _program_name(argument: str) -> str:
    """Return the name of the program that an argument may be."""
    name = re.split(r"[\\/]", argument)[-1].lower()
    return name.removesuffix(".exe").removesuffix(".cmd")
