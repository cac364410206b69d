"""What runtimes say about the code of a program that ended. Pure: a table for `known_mistakes.find_mistake`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import Hint
from inspector.session.diagnostics.known_mistakes import mistake_rule

if TYPE_CHECKING:
    from inspector.session.diagnostics.known_mistakes import Rules

CODE_CAUSES: Rules = (
    mistake_rule(
        "no-standard-library",
        r"\bno module named 'encodings'|\binit_fs_encoding\b",
        "Python does not find its standard library",
        "Create the virtual environment again: the Python that it was made with is gone. Or remove PYTHONHOME from the environment.",
    ),
    mistake_rule(
        "shadowed-module",
        r"no module named '[^'\n]*'; '[^'.\n]*' is not a package|consider renaming '[^'\n]*' since it has the same name",
        "a file of the server hides a module of the same name",
        "Rename the file of the server that has the name of that module.",
    ),
    mistake_rule(
        "circular-import",
        r"partially initialized module '",
        "a module is used while it is still being imported",
        "If a file of the server has the name of a module from elsewhere, rename it; otherwise let its modules no longer import each other.",
    ),
    mistake_rule(
        "no-main",
        r"\bis a package and cannot be directly executed",
        "the package cannot be started by its name",
        "Name the module that starts the server, or the program that the package installs.",
    ),
    mistake_rule(
        "missing-submodule",
        r"no module named '[^'.\n]+\.[^'\n]*'",
        "a module is missing in a package that was found",
        "Install the package that has this module, in the version that the server was written for, or correct the name if it is a module of the server.",
    ),
    mistake_rule(
        "relative-import",
        r"attempted relative import with no known parent package",
        "a module of a package was started as a script",
        "Start the module by its name in the package: python -m PACKAGE.MODULE.",
    ),
    mistake_rule(
        "foreign-path",
        r"['\"]/(?:[^'\"\n]*/)?[a-z]:\\",
        "a path is one of Windows",
        "Use a path of this system in the command and its arguments.",
    ),
    mistake_rule(
        "native-module",
        r"could not locate the bindings file|\bcould not load the \"sharp\" module|\binstalled esbuild for another platform\b|\bpackage \"@esbuild/[^\"\n]*\" could not be found|"
        r"\bnode_module_version\b|was compiled against a different node\.js version|no native build was found",
        "a native module was not built for this runtime",
        "Install the packages of the server again with this version of the runtime, and with their install scripts (npm rebuild).",
    ),
    mistake_rule(
        "missing-source",
        r"\bmodule not found \"(?:file:|(?!https?:)[^\"\n]*\.[cm]?[jt]sx?\")",
        "a file of the program does not exist",
        "Correct the path of that file, in the arguments or in the import that names it.",
    ),
    mistake_rule(
        "imported-file",
        r"\bcannot find module '(?:/|[a-z]:\\)[^'\n]*' imported from|\bmodule not found: error: can't resolve '\.",
        "a file that the program imports does not exist",
        "Build the server if a build makes that file, or correct the import: it names the file with its ending, such as ./a.js.",
    ),
    mistake_rule(
        "main-class",
        r"\bcould not find or load main class\b|\bno main manifest attribute\b",
        "the class to start is not found",
        "Check the name of the class, or of the JAR, and the class path in the arguments, and build the server: not every JAR names a class to start.",
    ),
    mistake_rule(
        "composer",
        r"\bfailed opening required '[^'\n]*\bvendor/autoload\.php\b|\bvendor/autoload\.php\b[^\n]{0,40}\bno such file\b",
        "the packages of the server are not installed",
        "Run composer install in the folder of the server.",
    ),
    mistake_rule(
        "missing-module",
        r"(?:modulenotfounderror|importerror: no module|no module named|cannot find (?:module|package)|err_module_not_found)|"
        r"cannot load such file -- |\bin locally installed gems\b|\bno required module provides package\b|\bmodule not found: error: can't resolve '|\bcould not find a matching package for\b|^relative import path \"[^\"\n]+\" not prefixed|\bcan't locate \S+ in @inc|\bclass [\"'][^\"'\n]+[\"'] not found|\bnoclassdeffounderror\b|\bclassnotfoundexception\b",
        "a module is missing",
        "Install the missing module in the environment that starts the server, and build the server if it has a build step.",
    ),
    mistake_rule(
        "module-kind",
        r"cannot use import statement outside a module|unexpected token '?export\b",
        "Node.js reads the file as CommonJS, and it is a module",
        'Set `"type": "module"` in package.json; where the file is TypeScript, start the compiled JavaScript, or the file with tsx.',
    ),
    mistake_rule(
        "commonjs",
        r"is not defined in es module scope",
        "Node.js reads the file as a module, and it is CommonJS",
        'Let the file end in .cjs, remove `"type": "module"` from package.json, or use import in place of require.',
    ),
    mistake_rule(
        "required-module",
        r"\berr_require_esm\b|\brequire\(\) of es module\b",
        "CommonJS requires a package that is a module",
        "Load the package with import(), install a version of it that is CommonJS, or start the server with Node.js 22 or later.",
    ),
    mistake_rule(
        "typescript",
        r"unknown file extension \"\.[cm]?tsx?\"",
        "this version of Node.js does not run TypeScript",
        "Start the compiled JavaScript, or the file with tsx.",
    ),
    mistake_rule(
        "missing-export",
        r"\bthe requested module '(?!node:)[^'\n]*' does not provide an export named|^syntaxerror: named export '[^'\n]*' not found|err_package_path_not_exported",
        "a module does not have what the server imports from it",
        "Install the versions of the packages that the server was written for, or correct the import.",
    ),
    mistake_rule(
        "missing-name",
        r"importerror: cannot import name|attributeerror: module '",
        "a module does not have what the server imports from it",
        "Install the versions of the packages that the server requires, and check that no file of the server has the name of a module.",
    ),
    mistake_rule(
        "missing-attribute",
        r"\bnosuch(?:method|field)error\b|^typeerror: [\w.$]+ is not a function\b|attributeerror: '[^'\n]*' object has no attribute|attributeerror: type object '|typeerror: [^\n]* got an unexpected keyword argument",
        "an object does not have what the server uses of it",
        "Correct the server, or install the versions of the packages that it was written for.",
    ),
    mistake_rule(
        "php-extension",
        r"\bcall to undefined function\b",
        "PHP does not have a function that the server calls",
        "Install the extension of PHP that has this function (php -m lists those that are there), or correct the call.",
    ),
    mistake_rule(
        "time-zones",
        r"\bno time zone found with key\b",
        "the data of time zones is missing",
        "Install the package tzdata in the environment that starts the server, or correct the name of the zone.",
    ),
    mistake_rule(
        "event-loop",
        r"already running asyncio in this thread|cannot be called from a running event loop|event loop is already running",
        "an event loop already runs",
        "Start the server outside of the event loop, or await the asynchronous form of that call.",
    ),
    mistake_rule(
        "output-encoding",
        r"unicodeencodeerror: '(?:charmap|cp\d+|gbk|gb\d+|big5\w*|shift_jis\w*|euc_\w+)'",
        "a character cannot be written in the encoding of the output",
        Hint(
            "Set the variable PYTHONUTF8 to 1 for this server.",
            cli="Set the variable PYTHONUTF8 to 1 with --env PYTHONUTF8=1.",
        ),
    ),
    mistake_rule(
        "never-awaited",
        r"coroutine '[^'\n]*' was never awaited",
        "a coroutine was made, but never ran",
        "Await it, or run it with asyncio.run().",
    ),
)
"""Mistakes in the code of a program, and in the modules that it finds."""
