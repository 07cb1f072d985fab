# Packages, made by `cpack` in a build folder: on Debian and Ubuntu orrery (what people run) and
# liborrery-dev (what programs link), elsewhere an archive. Debian's own files are added by
# FinishDebianPackage.cmake.
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE"
              "${PROJECT_SOURCE_DIR}/CITATION.cff" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

set(CPACK_PACKAGE_NAME orrery)
set(CPACK_PACKAGE_VENDOR "The orrery maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "find the hidden causes behind binary data")
set(CPACK_PACKAGE_CONTACT "The orrery maintainers <maintainers@orrery.invalid>")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program dev)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_GENERATOR TGZ)
find_program(DPKG_DEB dpkg-deb)
mark_as_advanced(DPKG_DEB)
if(DPKG_DEB)
  set(CPACK_GENERATOR DEB)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME orrery)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "toulbar2, liborrery-dev")
if(ORRERY_MPI)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS openmpi-bin)
endif()
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
"orrery is a batch engine that learns noisy-OR and related latent networks
from tables: which hidden causes are behind the columns, how often each is
present, and what it switches on. It runs on a laptop, under mpirun or as a
SLURM job, and gives the same bytes on any number of ranks and threads.")

set(ORRERY_DEV_PACKAGES libhdf5-dev libeigen3-dev libboost-program-options-dev libfmt-dev
    libspdlog-dev nlohmann-json3-dev zlib1g-dev)
if(ORRERY_MPI)
  list(APPEND ORRERY_DEV_PACKAGES libopenmpi-dev)
endif()
if(ORRERY_NPZ)
  list(APPEND ORRERY_DEV_PACKAGES libzip-dev)
endif()
if(ORRERY_BLAS)
  list(APPEND ORRERY_DEV_PACKAGES "libopenblas-dev | libblas-dev")
endif()
if(ORRERY_LINEAR OR ORRERY_ANCHORED)
  list(APPEND ORRERY_DEV_PACKAGES coinor-libclp-dev pkg-config)
endif()
if(ORRERY_ANCHORED)
  list(APPEND ORRERY_DEV_PACKAGES coinor-libcbc-dev liblinear-dev)
endif()
list(JOIN ORRERY_DEV_PACKAGES ", " CPACK_DEBIAN_DEV_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME liborrery-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_DESCRIPTION
"Static libraries and headers of orrery, which learns noisy-OR and related
latent networks from tables, for programs of your own, with files for CMake
(find_package(orrery)) and for pkg-config.")

set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/packaging/FinishDebianPackage.cmake")
set(CPACK_ORRERY_SOURCE "${PROJECT_SOURCE_DIR}")
include(CPack)
