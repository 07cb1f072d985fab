"""pip installs the package without a network; its version is the program's."""
import importlib.util
import os
import shutil
import subprocess
import sys
import unittest

import files


def call(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", **more)


class Package(unittest.TestCase):
    def setUp(self):
        # A copy, as setuptools builds in the folder itself.
        shutil.rmtree("project", ignore_errors=True)
        shutil.copytree(f"{files.PROJECT}/src/python", "project/src/python",
                        ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        shutil.copy(f"{files.PROJECT}/CMakeLists.txt", "project")
        self.environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def install(self, source, target):
        done = call(sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-index",
                    "--no-deps", "--target", target, source, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue(os.path.exists(f"{target}/orrery/__init__.py"))
        environment = dict(self.environment, PYTHONPATH=os.path.abspath(target))
        done = call(sys.executable, "-c", "import orrery; print(orrery.__version__, orrery.__file__)", env=environment)
        version, place = done.stdout.split()
        self.assertEqual(place, os.path.abspath(f"{target}/orrery/__init__.py"))
        self.assertEqual(f"orrery {version}", files.orrery("--version").split("\n")[0])
        return environment

    @unittest.skipUnless(importlib.util.find_spec("pip"), "needs python3-pip")
    def test_pip_installs_it(self):
        environment = self.install("./project/src/python", "installed")
        files.data_of("tree")
        done = call(sys.executable, "-c", "import orrery; print(orrery.read_samples('tree.data.h5').shape)",
                    env=environment)
        self.assertEqual(done.stdout, "(1000, 12)\n")

    @unittest.skipUnless(importlib.util.find_spec("pip"), "needs python3-pip")
    def test_a_source_distribution_knows_its_version(self):
        done = call(sys.executable, "setup.py", "-q", "sdist", cwd="project/src/python", env=self.environment)
        self.assertEqual(done.returncode, 0, done.stdout)
        archive, = os.listdir("project/src/python/dist")
        shutil.move(f"project/src/python/dist/{archive}", ".")
        self.install(f"./{archive}", "from_archive")


if __name__ == "__main__":
    unittest.main()
