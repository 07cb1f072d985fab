-- An environment module (Lmod) for an orrery that `cmake --install build/release --prefix PREFIX`
-- put into a folder. Copy the folder `orrery` of this file into one of $MODULEPATH, and set root.
help([[
orrery finds the hidden causes behind binary data.
  orrery --help
  mpirun orrery learn quartet data.h5 -o model.h5
]])
whatis("Name: orrery")
whatis("Version: 0.2.0")
whatis("Description: Finds the hidden causes behind binary data")

local root = os.getenv("ORRERY_PREFIX") or "/opt/orrery/0.2.0"

-- The Open MPI that it was built with; name the module of your centre.
-- depends_on("openmpi")

prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
prepend_path("CMAKE_PREFIX_PATH", root)
prepend_path("PKG_CONFIG_PATH", pathJoin(root, "lib/pkgconfig"))
