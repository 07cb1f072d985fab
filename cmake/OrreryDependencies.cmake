# What orrery does not exist for comes from the distribution. src/README.md names each package.
# OrreryConfig.cmake.in repeats these calls for users of the installed libraries.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(fmt 9 REQUIRED)
find_package(spdlog 1.10 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(BLAS REQUIRED)  # OpenBLAS, if it is there

# Linear and integer programs. CLP and CBC come with pkg-config files alone.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CLP REQUIRED IMPORTED_TARGET clp)
pkg_check_modules(CBC REQUIRED IMPORTED_TARGET cbc)

# Serial HDF5: results are written by rank 0 alone.
set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 1.10.7 REQUIRED COMPONENTS C)

find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
# libzip's own package file asks for its command-line tools, which are not needed.
find_path(LIBZIP_INCLUDE_DIR zip.h REQUIRED)
find_library(LIBZIP_LIBRARY zip REQUIRED)
find_path(LIBLINEAR_INCLUDE_DIR linear.h REQUIRED)
find_library(LIBLINEAR_LIBRARY linear REQUIRED)

if(ORRERY_MPI)
  find_package(MPI 3.0 REQUIRED COMPONENTS C)
endif()
