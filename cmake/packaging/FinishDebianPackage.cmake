# Run by CPack between installing into its staging folder and packing: what Debian asks of a package
# beyond the files that `cmake --install` installs. Copyright and changelogs, compressed manual pages,
# no debugging symbols.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()

foreach(tool IN ITEMS dpkg-shlibdeps file strip gzip)
  find_program(TOOL_${tool} ${tool})
  if(NOT TOOL_${tool})
    message(FATAL_ERROR "${tool} was not found, which makes Debian packages; install dpkg-dev, file "
                        "and binutils")
  endif()
endforeach()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(changes "${CPACK_TEMPORARY_DIRECTORY}/changelog.Debian")
string(CONCAT entry
  "orrery (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
  "  * Version ${CPACK_PACKAGE_VERSION}; changelog.gz says what is new.\n\n"
  " -- ${CPACK_PACKAGE_CONTACT}  Thu, 26 Nov 2026 00:00:00 +0000\n")
file(WRITE "${changes}" "${entry}")

foreach(component IN ITEMS program dev)
  set(root "${CPACK_TEMPORARY_DIRECTORY}/${component}/usr")
  if(NOT IS_DIRECTORY "${root}")
    message(FATAL_ERROR "${root}: CPack has not installed the component ${component}")
  endif()
  string(TOUPPER ${component} upper)
  set(docs "${root}/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
  # LICENSE is in every Debian system; CHANGELOG.md is the upstream changelog.
  file(REMOVE "${docs}/LICENSE" "${docs}/CHANGELOG.md")
  file(MAKE_DIRECTORY "${docs}")
  configure_file("${CPACK_ORRERY_SOURCE}/cmake/packaging/copyright" "${docs}/copyright" COPYONLY)
  configure_file("${CPACK_ORRERY_SOURCE}/CHANGELOG.md" "${docs}/changelog" COPYONLY)
  configure_file("${changes}" "${docs}/changelog.Debian" COPYONLY)
  file(GLOB_RECURSE manual "${root}/share/man/*")
  run(gzip -9nf "${docs}/changelog" "${docs}/changelog.Debian" ${manual})
  file(GLOB programs "${root}/bin/*")
  file(GLOB_RECURSE archives "${root}/lib/*.a")
  foreach(file IN LISTS programs)
    run(strip --remove-section=.comment --remove-section=.note "${file}")
  endforeach()
  foreach(file IN LISTS archives)
    run(strip --strip-debug --remove-section=.comment --remove-section=.note
        --enable-deterministic-archives "${file}")
  endforeach()
  run(chmod -R u=rwX,go=rX "${root}")
endforeach()
file(REMOVE "${changes}")
