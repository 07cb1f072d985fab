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

# What the program says of itself: pages for man, and completion for shells. It makes them itself, of
# the tables that it reads command lines by, when it has been linked.
set(share "${PROJECT_BINARY_DIR}/share")
set(bash_completions bash-completion/completions)
set(fish_completions fish/vendor_completions.d)
set(zsh_completions zsh/site-functions)
foreach(folder IN ITEMS man ${bash_completions} ${fish_completions} ${zsh_completions})
  file(MAKE_DIRECTORY "${share}/${folder}")
endforeach()
add_custom_command(OUTPUT "${share}/made"
  COMMAND orrery manual --quiet -o "${share}/man"
  COMMAND orrery completion bash > "${share}/${bash_completions}/orrery"
  COMMAND orrery completion fish > "${share}/${fish_completions}/orrery.fish"
  COMMAND orrery completion zsh > "${share}/${zsh_completions}/_orrery"
  COMMAND "${CMAKE_COMMAND}" -E touch "${share}/made"
  DEPENDS orrery
  COMMENT "Making the manual and completions" VERBATIM)
add_custom_target(orrery_manual ALL DEPENDS "${share}/made")
install(DIRECTORY "${share}/man/" DESTINATION ${CMAKE_INSTALL_MANDIR})
foreach(folder IN ITEMS ${bash_completions} ${fish_completions} ${zsh_completions})
  install(DIRECTORY "${share}/${folder}/" DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
endforeach()

include(packaging/OrreryPkgConfig)
include(packaging/OrreryPackages)
