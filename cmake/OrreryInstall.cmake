# The installed package: find_package(orrery) gives orrery::model, orrery::store and the other rooms.
# Components: `program` is what people run, and what a rule without a component belongs to; `dev` is
# what programs that link orrery need.
include(CMakePackageConfigHelpers)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/orrery" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT dev FILES_MATCHING PATTERN "*.hpp")
install(FILES "${ORRERY_GENERATED_INCLUDE}/orrery/base/version.hpp"
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/orrery/base COMPONENT dev)

set(ORRERY_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/orrery)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/orreryConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/orreryConfig.cmake" INSTALL_DESTINATION ${ORRERY_CMAKE_DIR})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/orreryConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/orreryConfig.cmake"
              "${PROJECT_BINARY_DIR}/orreryConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/OrreryHeaderLibraries.cmake"
        DESTINATION ${ORRERY_CMAKE_DIR} COMPONENT dev)
install(EXPORT orrery NAMESPACE orrery:: FILE orreryTargets.cmake DESTINATION ${ORRERY_CMAKE_DIR}
        COMPONENT dev)
include(packaging/OrreryPkgConfig)
include(packaging/OrreryPackages)
