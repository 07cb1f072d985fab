"""run: options of keywords, what is returned, what is raised, and what becomes of the log."""
import contextlib
import io
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

import files
import orrery

# A program that tells its arguments, writes what LOG is to standard error and ends with CODE.
FAKE = """#!/bin/sh
for word; do printf '[%s]' "$word"; done
printf '%b' "$LOG" >&2
exit ${CODE:-0}
"""


class Runs(unittest.TestCase):
    def setUp(self):
        self.fake = os.path.abspath("fake")
        with open(self.fake, "w", encoding="utf-8") as file:
            file.write(FAKE)
        os.chmod(self.fake, 0o755)

    def words(self, *words, **options):
        return orrery.run(*words, program=self.fake, echo=False, **options)

    def ends(self, code, log, **options):
        with mock.patch.dict(os.environ, {"CODE": str(code), "LOG": log}):
            return orrery.run("learn", program=self.fake, **{"echo": False, **options})

    def test_options_of_keywords(self):
        self.assertEqual(self.words("learn", "quartet", pathlib.Path("d.h5"), time_limit="2s", seed=3),
                         "[learn][quartet][d.h5][--time-limit=2s][--seed=3]")
        self.assertEqual(self.words("x", quiet=True, dry_run=False, test=None), "[x][--quiet]")
        self.assertEqual(self.words("x", drop=["a b", "c"], missing="-1"), "[x][--drop=a b][--drop=c][--missing=-1]")
        self.assertEqual(self.words("x", from_=1), "[x][--from=1]")
        self.assertEqual(self.words("x", o="m.h5", v=True), "[x][-o][m.h5][-v]")
        self.assertEqual(self.words("x", output=["train.h5", pathlib.Path("test.h5")]), "[x][-o][train.h5][test.h5]")
        self.assertEqual(self.words("x", log="run.log"), "[x][--log=run.log]")

    def test_options_are_the_programs(self):
        orrery.run("sample", network="img", samples=60, seed=3, output="img.h5", echo=False)
        self.assertEqual(orrery.read_samples("img.h5").shape, (60, 64))
        orrery.run("split", "img.h5", test="1/3", output=["train.h5", "test.h5"], echo=False)
        self.assertEqual(orrery.read_samples("test.h5").shape, (20, 64))
        told = orrery.run("info", "img.h5", json=True)
        self.assertEqual(told["samples"]["n_samples"], 60)
        self.assertIn("x0,x1", orrery.run("export", "img.h5", rows=True, format="csv", o="-"))
        self.assertEqual(orrery.run("--version"), files.orrery("--version"))

    def test_several_words_start_the_program(self):
        self.assertEqual(orrery.run("x", program=["env", "A=b", self.fake], echo=False), "[x]")

    def test_errors_tell_message_code_and_command(self):
        with self.assertRaises(orrery.OrreryError) as caught:
            orrery.run("learn", "quartet", "nowhere.h5", output="m.h5", echo=False)
        error = caught.exception
        self.assertEqual((error.exit_code, error.message), (3, "nowhere.h5: no such file; check the path"))
        self.assertEqual(error.command, [files.PROGRAM, "learn", "quartet", "nowhere.h5", "-o", "m.h5"])
        self.assertIn("nowhere.h5: no such file; check the path (exit code 3 of: ", str(error))
        self.assertNotIsInstance(error, orrery.StoppedError)
        with self.assertRaisesRegex(orrery.OrreryError, "--no-such=x is not an option") as caught:
            orrery.run("learn", "quartet", "d.h5", no_such="x", output="m.h5", echo=False)
        self.assertEqual(caught.exception.exit_code, 2)

    def test_a_stop_at_a_checkpoint_is_told_apart(self):
        with self.assertRaises(orrery.StoppedError) as caught:
            self.ends(75, "starting\\nstopped at c.h5; go on with --resume\\n")
        self.assertEqual(caught.exception.exit_code, 75)
        self.assertEqual(caught.exception.message, "stopped at c.h5; go on with --resume")
        self.assertIsInstance(caught.exception, orrery.OrreryError)

    def test_a_real_run_stops_and_goes_on(self):
        """Stopped by the signal that batch systems send; resume=True makes the model of one run."""
        orrery.run("sample", network="img", samples=4000, seed=3, output="data.h5", echo=False)
        options = {"seed": 5, "threads": 1, "verbose": True}
        begun, start = [], subprocess.Popen

        def started(*command, **more):
            begun.append(start(*command, **more))
            return begun[-1]

        def stop(line):  # as soon as pairs are counted: quartets and refinement are to come
            if line.startswith("orrery: pairs"):
                begun[-1].send_signal(signal.SIGTERM)

        with mock.patch("subprocess.Popen", started), self.assertRaises(orrery.StoppedError) as caught:
            orrery.run("learn", "quartet", "data.h5", output="model.h5", checkpoint="c.h5", echo=stop, **options)
        self.assertIn("resume", caught.exception.message)
        self.assertTrue(os.path.exists("c.h5") and not os.path.exists("model.h5"))
        orrery.run("learn", "quartet", "data.h5", output="model.h5", checkpoint="c.h5", resume=True, echo=False,
                   **options)
        orrery.run("learn", "quartet", "data.h5", output="undisturbed.h5", echo=False, **options)
        self.assertTrue(orrery.read_model("model.h5").edges().equals(orrery.read_model("undisturbed.h5").edges()))

    def test_signals_are_named(self):
        with open(self.fake, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nkill -KILL $$\n")
        with self.assertRaisesRegex(orrery.OrreryError, "ended by signal 9 .SIGKILL") as caught:
            self.words()
        self.assertEqual(caught.exception.exit_code, -9)

    def test_the_log_is_passed_on_as_it_goes(self):
        lines = []
        self.ends(0, "one\\ntwo\\n", echo=lines.append)
        self.assertEqual(lines, ["one", "two"])
        with contextlib.redirect_stderr(io.StringIO()) as shown:
            self.ends(0, "one\\ntwo\\n", echo=None)
            self.ends(0, "three\\n", echo=False)
        self.assertEqual(shown.getvalue(), "one\ntwo\n")
        with open(self.fake, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho begun >&2\nwhile [ ! -e seen ]; do sleep 0.05; done\n")
        orrery.run(program=self.fake, echo=lambda line: open("seen", "w").close())  # else it never ends

    def test_no_json(self):
        with self.assertRaisesRegex(orrery.OrreryError, "is not JSON"):
            self.words(json=True)

    def test_where_the_program_is(self):
        self.assertEqual(orrery.find_program(), files.PROGRAM)
        with mock.patch.dict(os.environ, {"ORRERY": "/nowhere/orrery"}):
            self.assertRaisesRegex(orrery.OrreryError, "ORRERY is '/nowhere/orrery'", orrery.run, "info")
        os.makedirs("bin", exist_ok=True)
        with mock.patch.dict(os.environ, {"PATH": os.path.abspath("bin")}):
            del os.environ["ORRERY"]
            self.assertRaisesRegex(orrery.OrreryError, "no program orrery on PATH.*ORRERY", orrery.run, "info")
            os.symlink(files.PROGRAM, "bin/orrery")
            self.assertEqual(orrery.find_program(), os.path.abspath("bin/orrery"))
        with self.assertRaisesRegex(orrery.OrreryError, "cannot be run"):
            orrery.run("info", program="/nowhere")

    def test_an_interrupt_reaches_the_program(self):
        with open(self.fake, "w", encoding="utf-8") as file:
            file.write("#!/bin/bash\ntrap 'touch interrupted; kill $!; exit 1' INT\ntouch begun\nsleep 60 &\nwait\n")
        caller = subprocess.Popen(
            [sys.executable, "-c", f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
             f"import orrery; orrery.run(program={self.fake!r})"], stderr=subprocess.DEVNULL)
        for _ in range(200):
            if os.path.exists("begun"):
                break
            time.sleep(0.05)
        caller.send_signal(signal.SIGINT)
        self.assertNotEqual(caller.wait(timeout=30), 0)
        self.assertTrue(os.path.exists("interrupted"))


if __name__ == "__main__":
    unittest.main()
