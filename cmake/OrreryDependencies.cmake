# What orrery does not exist for comes from the distribution. src/README.md names each package, and
# orreryConfig.cmake.in repeats these calls for users of the installed libraries.
# What every build needs: OpenMP, Open MPI (or ORRERY_MPI=OFF), Eigen, serial HDF5 with its zlib,
# Boost.Program_options, and headers alone of fmt, spdlog, nlohmann-json, Random123 and xxHash.
include(OrreryHeaderLibraries)
include(OrreryOptionalParts)

# Serial HDF5: results are written by rank 0 alone. The target is made here, since the program may
# take another library than its tests (OrreryArchives.cmake).
set(HDF5_PREFER_PARALLEL OFF)
add_library(hdf5::hdf5 INTERFACE IMPORTED)
find_package(HDF5 1.10.7 REQUIRED COMPONENTS C)
set(hdf5_library "${HDF5_C_LIBRARIES}")
list(FILTER hdf5_library INCLUDE REGEX "/libhdf5\\.")
if(NOT hdf5_library)
  set(hdf5_library "${HDF5_C_LIBRARIES}")
endif()
set_target_properties(hdf5::hdf5 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${HDF5_INCLUDE_DIRS}"
                      INTERFACE_LINK_LIBRARIES "${hdf5_library}")
include(OrreryArchives)

# libgomp goes into the programs where it is there as an archive: it reads how long a thread looks for
# others before it sleeps when it is loaded, and only what is in the program can set that before
# (src/commands/main.cpp). Else it waits in its own way.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libgomp.a
                  OUTPUT_VARIABLE gomp_archive OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(IS_ABSOLUTE "${gomp_archive}")
    set(OpenMP_gomp_LIBRARY "${gomp_archive}" CACHE FILEPATH "OpenMP's runtime" FORCE)
  endif()
endif()
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
orrery_header_libraries(${ORRERY_HEADER_ONLY})
find_package(ZLIB REQUIRED)

find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)

if(ORRERY_MPI)
  find_package(MPI 3.0 REQUIRED COMPONENTS C)
endif()
