"""The program orrery: found, run with options of keywords, its log passed on as it goes."""
import json as json_module
import os
import shutil
import signal
import subprocess
import sys
import threading

from .errors import OrreryError, StoppedError

STOPPED = 75
ERROR = "orrery: error: "


def find_program():
    """The path of the program: the environment variable ORRERY, else `orrery` on PATH.

    Raises OrreryError, without an exit code, if there is none.
    """
    named = os.environ.get("ORRERY")
    found = shutil.which(named or "orrery")
    if found is not None:
        return found
    if named:
        raise OrreryError(f"the environment variable ORRERY is {named!r}, which is no program; set it "
                          "to the path of the program orrery")
    raise OrreryError("there is no program orrery on PATH; install it, or set the environment variable "
                      "ORRERY to its path")


def run(*words, json=False, program=None, echo=None, **options):
    """Runs `orrery WORDS --OPTION=VALUE ...` and returns what it prints.

    words    the command, its method and files: "learn", "quartet", "data.h5"
    options  a keyword is the option with - for _: time_limit="2s" is --time-limit=2s. True is an
             option without a value; None and False leave the option out; a list gives the option for
             each of its values (output=[a, b]: -o a b). One letter is a short option: o="model.h5".
             A _ behind a keyword is left off: from_="2020-01-01" is --from=2020-01-01
    json     True: the object that --json prints, parsed; otherwise standard output, a str
    program  another program, a path or a list: ["mpirun", "-n", "4", "orrery"]
    echo     where each line of standard error goes as it comes: a function of a str; None: this
             process's standard error; False: nowhere

    Raises StoppedError if the program stopped at a checkpoint (exit code 75), OrreryError if it ended
    otherwise than with 0, was not found, or printed no JSON with json=True. An interrupt (Ctrl-C) is
    passed on to the program, which removes what it had begun, and then raised.
    """
    if program is None:
        program = find_program()
    start = [os.fspath(program)] if isinstance(program, (str, os.PathLike)) else [str(p) for p in program]
    command = start + [_text_of(word) for word in words] + _arguments(options)
    if json:
        command.append("--json")
    code, output, said = _call(command, _sink(echo))
    if code != 0:
        kind = StoppedError if code == STOPPED else OrreryError
        raise kind(_message(said, code), code, command, said)
    if not json:
        return output
    try:
        return json_module.loads(output)
    except ValueError as error:
        raise OrreryError(f"what the program printed is not JSON: {error}", code, command, said) from None


def _text_of(value):
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _arguments(options):
    arguments = []
    for key, value in options.items():
        name = key.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        if name in ("o", "output"):  # a second file is the word behind the first
            arguments += ["-o", *map(_text_of, values)]
        elif len(name) == 1:
            for each in values:
                arguments += [f"-{name}"] if each is True else [f"-{name}", _text_of(each)]
        else:
            arguments += [f"--{name}" if each is True else f"--{name}={_text_of(each)}" for each in values]
    return arguments


def _sink(echo):
    if echo is False:
        return lambda line: None
    if echo is None:
        return lambda line: print(line, file=sys.stderr, flush=True)
    return echo


def _call(command, sink):
    """(exit code, standard output, standard error) of a program."""
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace")
    except OSError as error:
        raise OrreryError(f"{command[0]} cannot be run: {error.strerror}; set the environment variable "
                          "ORRERY to the path of the program orrery", None, command) from error
    lines = []

    def pass_on():
        for line in process.stderr:
            lines.append(line)
            sink(line.rstrip("\n"))

    reader = threading.Thread(target=pass_on, daemon=True)
    reader.start()
    try:
        output = process.stdout.read()
        code = process.wait()
    except BaseException:  # an interrupt above all
        _interrupt(process)
        raise
    finally:
        reader.join()
        process.stdout.close()
        process.stderr.close()
    return code, output, "".join(lines)


def _interrupt(process):
    """Ctrl-C on a terminal reaches the program too, that of a notebook does not."""
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        process.wait()


def _message(said, code):
    """What is wrong: the lines of error, or else the last line, or the signal."""
    lines = said.splitlines()
    errors = [line[len(ERROR):] for line in lines if line.startswith(ERROR)]
    if errors:
        return "; ".join(errors)
    if code == STOPPED:
        return (lines or ["stopped at a checkpoint"])[-1]
    if code < 0:
        return f"the program was ended by signal {-code} ({signal.Signals(-code).name})"
    return (lines or ["the program gave no reason"])[-1]
