"""src/python/README.md names all that the package offers. tests/manual/snippets runs its examples."""
import unittest

import files
import orrery

with open(f"{files.PROJECT}/src/python/README.md", encoding="utf-8") as file:
    README = file.read()


class Readme(unittest.TestCase):
    def test_everything_offered_is_named(self):
        for name in orrery.__all__:
            if name not in ("Anchor", "CauseTable", "Explanation", "LinearLevel"):  # parts of others
                self.assertIn(f"`{name}", README)
            self.assertTrue(getattr(orrery, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
