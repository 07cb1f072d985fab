"""The examples of src/python/README.md run, in their order, in one empty folder; the table of functions
names all that the package offers."""
import re
import subprocess
import sys
import unittest

import files
import orrery

with open(f"{files.PROJECT}/src/python/README.md", encoding="utf-8") as file:
    README = file.read()


class Readme(unittest.TestCase):
    def test_examples_run(self):
        examples = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
        self.assertEqual(len(examples), 5)
        said = []
        for example in examples:
            done = subprocess.run([sys.executable, "-c", example], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, encoding="utf-8")
            self.assertEqual(done.returncode, 0, f"{example}\n{done.stderr}")
            said.append(done.stdout)
        self.assertIn("cause7", said[0])
        self.assertEqual(said[1].count("'cause "), 2)  # flu and cold
        self.assertIn("patient 4", said[1])
        self.assertIn("'n_observed': 400", said[2])
        self.assertIn("question 0", said[3])
        self.assertIn("tree.h5 sign tree tree 11 edges", said[4])
        self.assertIn("signs.h5 sign tree not learned 11 edges", said[4])
        self.assertIn("use read_model", said[4])
        self.assertIn("3 nowhere.h5: no such file", said[4])

    def test_everything_offered_is_named(self):
        for name in orrery.__all__:
            if name not in ("Anchor", "CauseTable", "Explanation", "LinearLevel"):  # parts of others
                self.assertIn(f"`{name}", README)
            self.assertTrue(getattr(orrery, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
