# The installed package: find_package(orrery) gives orrery::model, orrery::store and the other rooms.
include(CMakePackageConfigHelpers)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/orrery" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
install(FILES "${ORRERY_GENERATED_INCLUDE}/orrery/base/version.hpp"
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/orrery/base)

set(ORRERY_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/orrery)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/orreryConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/orreryConfig.cmake" INSTALL_DESTINATION ${ORRERY_CMAKE_DIR})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/orreryConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/orreryConfig.cmake"
              "${PROJECT_BINARY_DIR}/orreryConfigVersion.cmake"
        DESTINATION ${ORRERY_CMAKE_DIR})
install(EXPORT orrery NAMESPACE orrery:: FILE orreryTargets.cmake DESTINATION ${ORRERY_CMAKE_DIR})
