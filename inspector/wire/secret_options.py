"""Options of widespread programs whose value is a secret although their name does not say so (`mysql -psecret`, `curl -u user:password`).

A program is known by its name anywhere in a command: it may be started by another one (`docker exec db mysql …`). Its options are added to those
of the programs before it: such a name may also be a user, a host or a file. Pure.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from inspector.frozen import FrozenStruct
from inspector.wire.redaction import is_secret_name


class SecretOption(FrozenStruct, frozen=True):
    """An option with a secret in its value."""

    names: frozenset[str]
    """How it is written: letters after a hyphen, or a word after one or two."""
    is_joined: bool = False
    """Whether the value may follow a letter without a space."""
    switches: str = ""
    """Letters without a value that may stand between the hyphen and the letter, if the value may follow it without a space."""
    is_apart: bool = True
    """Whether the value may be the next argument."""
    is_leading: bool = False
    """Whether the arguments of another program follow those of this one, which has no such option after that."""
    after: str = ""
    """What the secret follows in the value, which has no secret without it. Empty if the value is the secret."""
    is_secret_alone: bool = False
    """Whether the text before `after` is the secret if nothing follows, as in `curl -u key:`."""
    command: str = ""
    """The command of the program that has the option; empty for each."""


class FoundOption(NamedTuple):
    """An option among the arguments."""

    option: SecretOption
    start: int
    """Where its value starts in its argument; 0 if it is the next argument."""
    is_certain: bool = True
    """Whether it is one of a program, which may be only the value of another option (`--name mongo`) if not."""


def _option(names: str, **details: bool | str) -> SecretOption:
    return SecretOption(frozenset(names.split()), **details)  # pyright: ignore[reportArgumentType] - names of its fields


_PASSWORD = _option("-p", is_joined=True)
_UPPER_PASSWORD = _option("-P", is_joined=True)
_ONLY_JOINED = _option("-p", is_joined=True, is_apart=False)
_MYSQL = _option("-p", is_joined=True, is_apart=False, switches="ABCEfHkLNnQRstVvXx")
_ZIP = _option("-P", is_joined=True, switches="0123456789ACDFTXefjlmoqruvyz")
_SSHPASS = _option("-p", is_joined=True, is_leading=True, switches="ev")
_HTTPIE = _option("-a", is_joined=True, after=":", is_secret_alone=True, switches="FISbcdfhjv")
_LDAP = "ACILMNQVZcgntuvx"
_LOGIN = _option("-p", is_joined=True, command="login")
_CURL_SWITCHES = "#012346BGIJLMNORSVZafgijklnpqsv"
_CURL = (
    _option(
        "-u --user -U --proxy-user",
        is_joined=True,
        after=":",
        is_secret_alone=True,
        switches=_CURL_SWITCHES,
    ),
    _option("-E --cert --proxy-cert", is_joined=True, after=":", switches=_CURL_SWITCHES),
)

_ROWS: tuple[tuple[str, tuple[SecretOption, ...]], ...] = (
    ("mysql mysqladmin mysqlbinlog mysqlcheck mysqldump mysqlimport mysqlpump", (_MYSQL,)),
    ("mysqlsh mysqlshow mysqlslap mariadb mariadb-admin mariadb-dump", (_MYSQL,)),
    ("mycli litecli cqlsh", (_PASSWORD,)),
    ("mongo mongosh mongodump mongorestore mongoexport mongoimport", (_PASSWORD,)),
    ("mongostat mongotop mongofiles", (_PASSWORD,)),
    ("curl", _CURL),
    ("http https httpie xh xhs", (_HTTPIE,)),
    ("redis-cli valkey-cli keydb-cli", (_option("-a", is_joined=True),)),
    ("sshpass", (_SSHPASS,)),
    ("7z 7za 7zr 7zz rar unrar", (_ONLY_JOINED,)),
    ("zip unzip zipcloak", (_ZIP,)),
    ("sqlcmd bcp osql isql mssql-cli", (_UPPER_PASSWORD,)),
    ("mosquitto_pub mosquitto_sub mosquitto_rr", (_UPPER_PASSWORD,)),
    (
        "ldapsearch ldapadd ldapmodify ldapdelete ldapcompare",
        (_option("-w", is_joined=True, switches=_LDAP),),
    ),
    (
        "ldapwhoami ldappasswd ldapmodrdn ldapexop",
        (_option("-w -a -s", is_joined=True, switches=_LDAP),),
    ),
    (
        "smbclient rpcclient smbget",
        (_option("-U --user", is_joined=True, after="%", switches="ENPgk"),),
    ),
    ("openssl", (_option("-k -K"), _option("-passin -passout", after="pass:"))),
    ("docker podman nerdctl helm oras skopeo buildah crane az oc", (_LOGIN,)),
)
_BY_PROGRAM = {program: options for programs, options in _ROWS for program in programs.split()}

_COMMANDS = frozenset(each.command for _, options in _ROWS for each in options)

_CONTAINERS = frozenset(
    {"docker", "podman", "nerdctl", "finch", "docker-compose", "podman-compose"}
)
_CONTAINER_COMMANDS = frozenset({"run", "exec", "create", "update"})
"""Their commands with a user that may be followed by a group, before the image or the container."""

_CONTAINER_SWITCH = re.compile(
    r"-[itdqPT]+"
    r"|--(?:rm|init|interactive|tty|detach|privileged|read-only|publish-all|quiet|no-deps|build)"
)
"""An option of these without a value."""

_COMPLETE = re.compile(r"-[A-Za-z][^A-Za-z].*|.*=.*|--", re.DOTALL)
"""An option with its value, or the end of the options."""

_ANY_LETTER = _option("-u", is_joined=True, after=":")
_ANY_USER = _option("--user --userpwd", after=":")
_USER_AND_PASSWORD = (
    r"(?!(?:ser(?:s|name|id)?|rl|ri|rn|arn|[A-Za-z](?=:[/\\])|\d+(?=:\d+$)):|[^/]*://)"
    r"(?:[^\s:/\\\[]+\\)?[^\s:/\\\[]+:(?!\d{1,5}/|\s|//).+"
)
_HOST_AND_PORT = r"(?!(?:localhost|[^\s:/\\.@]*+\.[^\s:/\\@]*+):\d{1,5}$)"
_OF_UNKNOWN = {
    _ANY_LETTER: re.compile(_HOST_AND_PORT + _USER_AND_PASSWORD, re.DOTALL),
    _ANY_USER: re.compile(_USER_AND_PASSWORD, re.DOTALL),
}
"""The value of such an option of a program that is not known: no address, no path, no numbers of user and group, no `-user:…` and `-url:…`. Of a
name and a number it cannot be told whether that is a port: it is hidden in `alice:1234` and in `alice@corp.test:1234`, and displayed where the name
has a dot and no `@`, as the name of a host has, and the number up to five digits."""

_ADDRESS = re.compile(r"(?:https?|wss?|tcp|unix)://", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:[/\\]")
_PLAIN = re.compile(r"(?:[\w.\-\[\]:]*:)?\d{1,5}(?:/[a-z]*)*|(?:/[a-z][a-z0-9._\-]*)+/?")
"""A port, an address with one, or a path: other text has it without any secret."""

_NO_PROGRAM = re.compile(r"=|://|:\s")
"""Marks an argument that has a slash and still names no program: an assignment, a URL, a header."""

_SCRIPT_OPTION = re.compile(r"-[a-z]*c|/[ck]", re.IGNORECASE)
"""The option of a shell before a command line."""

_SETTING = frozenset({"set", "setx"})
"""The command before a name and its value, as in `aws configure set aws_secret_access_key`."""


class CommandOptions:
    """What the arguments of one command have been so far. A shallow copy reads on independently."""

    def __init__(self) -> None:
        """Start before the program."""
        self.expected: tuple[FoundOption, ...] = ()
        """The options whose value the next argument may be."""
        self._program = ""
        self._options: dict[SecretOption, bool] = {}
        self._commands: frozenset[str] = frozenset()
        self._has_value = False
        """Whether the next word may be the value of an option."""
        self._is_container = False
        self._takes_group = False
        """Whether the options of a container are read, whose user may be followed by a group."""
        self._latest = ""
        self._before = ""

    @property
    def setting(self) -> str:
        """The name whose value the next argument sets; empty if it sets none."""
        return self._latest if self._before in _SETTING else ""

    def read_argument(self, argument: str, *, is_secret: bool = False) -> tuple[FoundOption, ...]:
        """Read the next argument; return the options that it is or contains. A secret is no option and no program."""
        self._before, self._latest = self._latest, "" if is_secret else argument
        expected, self.expected = self.expected, ()
        found = ()
        if not is_secret and argument.startswith("-"):
            found = self._find_options(argument)
        elif not is_secret and not any(secret_span(each.option, argument) for each in expected):
            self._read_word(argument)
        self.expected = tuple(each for each in found if not each.start)
        is_joined = len(self.expected) < len(found)
        is_option = argument.startswith("-") and not is_secret
        self._has_value = is_option and not is_joined and self._may_have_value(argument)
        return found

    def is_script_option(self, argument: str) -> bool:
        """Return whether the next argument is a command line."""
        return self._program != "git" and _SCRIPT_OPTION.fullmatch(argument) is not None

    def _may_have_value(self, option: str) -> bool:
        """Return whether the next argument may be the value of an option."""
        is_switch = self._takes_group and _CONTAINER_SWITCH.fullmatch(option)
        return not is_switch and not _COMPLETE.fullmatch(option)

    def _find_options(self, argument: str) -> tuple[FoundOption, ...]:
        """Return which of the options known so far an argument is."""
        known = [
            (option, is_certain)
            for option, is_certain in self._options.items()
            if not option.command or option.command in self._commands
        ]
        if not self._takes_group:
            known += ((each, True) for each in _OF_UNKNOWN)
        starts = [(option, _start(option, argument), is_certain) for option, is_certain in known]
        return tuple(
            FoundOption(each, start, sure) for each, start, sure in starts if start is not None
        )

    def _read_word(self, word: str) -> None:
        """Read an argument that is no option: a program, a command, an argument of it, or a value."""
        is_header = ":" in word and is_secret_name(word.partition(":")[0])
        name = "" if is_header or _NO_PROGRAM.search(word) else _program_name(word)
        if not self._has_value:
            self._takes_group = False
            self._options = {
                option: each for option, each in self._options.items() if not option.is_leading
            }
        if name in _CONTAINERS:
            self._is_container = True
        elif self._is_container and word in _CONTAINER_COMMANDS:
            self._is_container, self._takes_group = False, True
        is_certain = not (self._has_value and self._before.startswith("--"))
        for option in _BY_PROGRAM.get(name, ()):
            self._options = {
                **self._options,
                option: is_certain or self._options.get(option, False),
            }
        self._program = self._program or name
        if word in _COMMANDS:
            self._commands |= {word}


def secret_span(option: SecretOption, value: str) -> tuple[int, int] | None:
    """Return where the secret in the value of an option starts and ends; None without one."""
    if option in _OF_UNKNOWN and not _OF_UNKNOWN[option].fullmatch(value):
        return None
    if not option.after:
        return (0, len(value)) if value else None
    at = value.find(option.after, 2 if _DRIVE.match(value) else 0)
    start = at + len(option.after)
    if at < 0 or (option.after == ":" and _ADDRESS.match(value)):
        return None
    if start < len(value):
        return start, len(value)
    return (0, at) if option.is_secret_alone and at else None


def is_plain(value: str) -> bool:
    """Return whether a value may be a port, an address or a path, which other text has without any secret."""
    return _PLAIN.fullmatch(value) is not None


def _start(option: SecretOption, argument: str) -> int | None:
    """Return where the value of the option starts in an argument, 0 if it is the next one; None for another option."""
    name, equals, _ = argument.partition("=")
    if name in option.names:
        is_next = not equals and option.is_apart
        return 0 if is_next else len(name) + 1 if equals else None
    found = _joined(option).match(argument) if option.is_joined else None
    if found is None:
        return None
    if found.end() < len(argument):
        return found.end()
    return 0 if option.is_apart else None


@cache
def _joined(option: SecretOption) -> re.Pattern[str]:
    """Return what stands before a value without a space: the letter, after letters that have no value."""
    letters = "".join(re.escape(name[1:]) for name in option.names if len(name) == 2)
    switches = f"[{re.escape(option.switches)}]*" if option.switches else ""
    return re.compile(f"-{switches}[{letters}]")


def _program_name(argument: str) -> str:
    """Return the name of the program that an argument may be."""
    name = re.split(r"[\\/]", argument)[-1].lower()
    return name.removesuffix(".exe").removesuffix(".cmd")
