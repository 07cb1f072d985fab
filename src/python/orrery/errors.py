"""What this package raises, beside ValueError and TypeError for arguments that cannot be used."""


class OrreryError(Exception):
    """The program orrery ended with an error, or it was not found.

    message    str: what the program says is wrong, without the words "orrery: error: "
    exit_code  int: 2 usage, 3 input, 4 environment; negative: the number of the signal that ended
               the program; None if it did not run
    command    list of str: the program and its arguments; None if it did not run
    log        str: all that the program wrote to standard error
    """

    def __init__(self, message, exit_code=None, command=None, log=""):
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code
        self.command = command
        self.log = log

    def __str__(self):
        if self.command is None:
            return self.message
        return f"{self.message} (exit code {self.exit_code} of: {' '.join(self.command)})"


class StoppedError(OrreryError):
    """The program stopped at a checkpoint (exit code 75): the same call with resume=True goes on."""


class FileError(OrreryError):
    """A file cannot be read: it is not orrery's, of another schema, of another kind, or damaged."""
