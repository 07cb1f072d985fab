# A Spack package of orrery: copy this file to packages/orrery/package.py of a Spack repository of
# yours (`spack repo create`, `spack repo add`), then `spack install orrery`. Spack fetches no
# archive: `spack dev-build` or `spack develop` give it the folder of the sources.
from spack.package import *


class Orrery(CMakePackage):
    """Finds the hidden causes behind binary data: noisy-OR and related latent networks."""

    maintainers = []
    license("Apache-2.0")

    version("0.2.0")

    variant("mpi", default=True, description="Run on several hosts")
    variant("linear", default=True, description="Build the family linear")
    variant("anchored", default=True, description="Build the learner anchored")
    variant("npz", default=True, description="Read archives of NumPy arrays")
    variant("blas", default=True, description="Multiply dense matrices by a BLAS")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:", when="+mpi")
    depends_on("hdf5@1.10.7:~mpi")
    depends_on("zlib-api")
    depends_on("eigen@3.4:3")
    depends_on("boost@1.74:+program_options")
    depends_on("fmt@9:")
    depends_on("spdlog@1.10:+fmt_external")
    depends_on("nlohmann-json@3.11:")
    depends_on("random123")
    depends_on("xxhash")
    depends_on("libzip", when="+npz")
    depends_on("blas", when="+blas")
    depends_on("coinor-clp", when="+linear")
    depends_on("coinor-clp", when="+anchored")
    depends_on("coinor-cbc", when="+anchored")
    depends_on("liblinear", when="+anchored")

    conflicts("%gcc@:11", msg="orrery is written in C++20 and needs GCC 12 or later")
    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("ORRERY_MPI", "mpi"),
            self.define_from_variant("ORRERY_LINEAR", "linear"),
            self.define_from_variant("ORRERY_ANCHORED", "anchored"),
            self.define_from_variant("ORRERY_NPZ", "npz"),
            self.define_from_variant("ORRERY_BLAS", "blas"),
            self.define("ORRERY_TESTS", self.run_tests),
            self.define("ORRERY_BENCH", False),
            self.define("ORRERY_WERROR", False),
        ]
