"""What containers, package managers and version managers say about a program that they do not start. Pure: a table for `known_mistakes.find_mistake`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session.diagnostics.known_mistakes import mistake_rule

if TYPE_CHECKING:
    from inspector.session.diagnostics.known_mistakes import Rules

WRONG_BUILD = mistake_rule(
    "wrong-build",
    r"unsupportedclassversionerror|exec format error|cannot execute binary file|\bversion `\w+_[\d.]+' not found|"
    r"unsupported engine|requires (?:python|node(?:\.js)?|java)\b[^\n]*\d|does not satisfy python[<>=]|"
    r"must install or update \.net|you must install \.net|requires a newer version of (?:python|node)|\bgo\.mod requires go >= |\byour ruby version is \S+ but your gemfile specified\b|\bdependencies require a php version\b|\bbad cpu type in executable\b|\bnot a valid win32 application\b|"
    r"\bincompatible with the project's python requirement\b|^illegal instruction\b|err_unknown_builtin_module|no such built-in module|the requested module 'node:[^'\n]*' does not provide an export|"
    r"\breferenceerror: (?-i:fetch|File|Blob|Headers|FormData|ReadableStream|structuredClone|crypto|WebSocket|CustomEvent|navigator) is not defined|unsupported operand type\(s\) for \|: '(?!nonetype' and 'nonetype)[\w.]*(?:type|meta|metaclass|genericalias)' and '(?:nonetype|type)'",
    "the program was built for another system, or for another version of its runtime",
    "Install the version of the runtime that the program needs, or a build of it for this system.",
)
"""A program for another version of its runtime; a package manager may have warned of it long before."""

TOOL_CAUSES: Rules = (
    mistake_rule(
        "docker-daemon",
        r"cannot connect to the docker daemon|docker daemon is not running|error during connect:",
        "Docker is not running",
        "Start Docker.",
    ),
    mistake_rule(
        "docker-access",
        r"permission denied [^\n]{0,60}\bdocker\b",
        "access to Docker is denied",
        "Add your user to the group docker, and log in again.",
    ),
    mistake_rule(
        "container-name",
        r"container name [^\n]* is already in use",
        "a container of that name exists",
        "Remove that container, and start the server with --rm in place of --name.",
    ),
    mistake_rule(
        "mount",
        r"bind source path does not exist|invalid mount config|invalid volume specification",
        "a folder cannot be mounted in the container",
        "Correct the path of -v or --mount in the arguments.",
    ),
    mistake_rule(
        "no-image",
        r"pull access denied|manifest unknown|no such image",
        "the image cannot be found or pulled",
        "Check the name of the image and the access to its registry.",
    ),
    WRONG_BUILD,
    mistake_rule(
        "no-interpreter",
        r"\bno interpreter found for python\b",
        "the version of Python that is asked for is not installed",
        "Install that version (uv python install), or name one that is installed.",
    ),
    mistake_rule(
        "no-environment",
        r"\bnot a conda environment\b|\benvironmentlocationnotfound\b|\bcould not find conda environment\b",
        "the conda environment does not exist",
        "Correct the name or the path of the environment (conda env list shows them), or create it.",
    ),
    mistake_rule(
        "xcode-tools",
        r"\bxcrun: error: invalid active developer path\b",
        "the command line tools of Xcode are missing",
        "Install them: xcode-select --install.",
    ),
    mistake_rule(
        "cache-owner",
        r"\bcache folder contains root-owned files\b",
        "files in the cache of npm belong to root",
        "Give them to your user: the output on stderr has the command for it (chown).",
    ),
    mistake_rule(
        "npx-confirmation",
        r"\bmissing packages and no yes option\b",
        "npx may not install the package",
        "Add -y to the arguments of npx, or install the package.",
    ),
    mistake_rule(
        "npx-folder",
        r"\benotempty: directory not empty, rename '[^'\n]*_npx\b",
        "an installation of the package is incomplete, or still runs",
        "Stop other processes that start this server, and delete the folder _npx in the cache of npm.",
    ),
    mistake_rule(
        "npm-version",
        r"^(?:npm err(?:or|!) )?invalid version: *$",
        "npm reads a package without a version, as an installation that was interrupted may leave one",
        "Delete the folder _npx in the cache of npm if the command is npx, and otherwise node_modules and package-lock.json in the folder of the server.",
    ),
    mistake_rule(
        "package-checksum",
        r"\beintegrity\b|\bintegrity checksum failed\b",
        "a package is not what its checksum says",
        "Clear the cache of the package manager (npm cache clean --force), and check the registry: it may have another build of that version.",
    ),
    mistake_rule(
        "no-executable",
        r"\bthe executable `[^`\n]*` was not found\b|\ban executable named `[^`\n]*` is not provided by package\b",
        "the package has no program of that name",
        "Name the program of the package: uvx --from PACKAGE PROGRAM.",
    ),
    mistake_rule(
        "index-login",
        r"\bfailed to fetch: [^\n]*\b(?:401 unauthorized|403 forbidden)",
        "the index of packages rejects the login",
        "Give the credentials of the index to uv: in its URL, in .netrc, or in the variables UV_INDEX_….",
    ),
    mistake_rule(
        "compiler",
        r"\bcommand '[^'\n]*(?:gcc|g\+\+|cc|clang|cl\.exe)' failed: (?:no such file|not found|none\b)|\bmicrosoft visual c\+\+ [^\n]*is required\b|\blinker `[^`\n]*` not found\b",
        "a package has to be built, and there is no compiler",
        "Install a compiler (such as gcc), or a version of the package that is already built for this system.",
    ),
    mistake_rule(
        "compilation",
        r"\bcommand '[^'\n]*(?:gcc|g\+\+|cc|clang|cl\.exe)' failed with exit (?:code|status)\b|\bfatal error: [^\s:]+\.(?:h|hh|hpp): no such file",
        "a package has to be built, and the compiler reports an error",
        "Read what the compiler printed: often a header file of a library or of Python is missing. Or install a version of the package that is already built for this system.",
    ),
    mistake_rule(
        "managed-python",
        r"\bexternally-managed-environment\b",
        "packages cannot be installed into the Python of the system",
        "Install the packages in a virtual environment, and start the server with its Python.",
    ),
    mistake_rule(
        "registry-login",
        r"npm err(?:or|!) code e401|incorrect or missing password",
        "the registry of packages rejects the login",
        "Log in to the registry (npm login), or correct its token in .npmrc.",
    ),
    mistake_rule(
        "registry-refusal",
        r"npm err(?:or|!) (?:code e)?403\b",
        "the registry of packages refuses the package",
        "Check which packages the registry allows, and what the login to it (npm login, .npmrc) may read.",
    ),
    mistake_rule(
        "version-manager",
        r"^pyenv: (?:version|python[\d.]*: command not found)|\bno version is set for command\b|^volta error:|\brbenv: version\b|is not yet installed\b[^\n]*\bnvm\b",
        "the version manager has no version for this folder",
        "Install or select that version with the version manager, or set the working directory to a folder that has one.",
    ),
    mistake_rule(
        "no-script",
        r"missing script:|\bscript not found \"|^error command \"[^\"\n]*\" not found\b|\btask '[^'\n]*' (?:is )?not found in (?:root )?project",
        "the project has no script or task of that name",
        "Name a script of package.json or a task of the build, and check the working directory.",
    ),
    mistake_rule(
        "no-project",
        r"could not read package\.json|\bno [`'\"]?(?:pyproject\.toml|package\.json|cargo\.toml)[`'\"]? found|could not find a? ?[`'\"]?(?:pyproject\.toml|cargo\.toml)|"
        r"go\.mod file not found|couldn't find a project to run|could not locate gemfile|could not find a mix\.project|\bno package\.json [^\n]{0,80}was found\b|does not contain a gradle build",
        "the working directory has no project",
        "Set the working directory to the folder of the project.",
    ),
    mistake_rule(
        "no-package",
        r"npm err(?:or|!) (?:code )?e?404|no matching (?:distribution|version) found|not found in the package registry|"
        r"could not determine executable to run|^error: package \"[^\"\n]*\" not found\b|no solution found when resolving",
        "the package cannot be found",
        "Check the name and the version of the package.",
    ),
)
"""What keeps such a tool from starting the program."""
