# orrery_room(NAME SOURCES ... [USES rooms] [LINKS libraries] [PUBLIC_LINKS libraries])
# A room is one static library. It links only the rooms it names, so a wrong arrow does not link.
set(ORRERY_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(ORRERY_WERROR)
  list(APPEND ORRERY_WARNINGS -Werror)
endif()
# No contraction into fused multiply-adds: the same bytes from every instruction set.
set(ORRERY_FLAGS ${ORRERY_WARNINGS} -ffp-contract=off)
if(ORRERY_SANITIZE)
  list(APPEND ORRERY_FLAGS -fsanitize=${ORRERY_SANITIZE} -fno-omit-frame-pointer
       -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ORRERY_SANITIZE})
endif()

# orrery_unity(TARGET): eight sources a translation unit, so that Eigen, gtest and the standard library
# are read and instantiated once for all of them. Sources with options of their own stay alone.
function(orrery_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ORRERY_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  if(ORRERY_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC takes the sources of such a unit for headers, where members of local types would be wrong;
    # and GCC 12 is wrong of strings and vectors that are inlined (its bug 105651).
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage -Wno-restrict
                           -Wno-stringop-overread)
  endif()
endfunction()

set(ORRERY_GENERATED_INCLUDE "${PROJECT_BINARY_DIR}/include")
configure_file("${PROJECT_SOURCE_DIR}/include/orrery/base/version.hpp.in"
               "${ORRERY_GENERATED_INCLUDE}/orrery/base/version.hpp" @ONLY)

function(orrery_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS;PUBLIC_LINKS" ${ARGN})
  set(target orrery_${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(orrery::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  orrery_unity(${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE ${ORRERY_FLAGS})
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<BUILD_INTERFACE:${ORRERY_GENERATED_INCLUDE}>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE "${PROJECT_SOURCE_DIR}/src")
  foreach(room IN LISTS ARG_USES)
    target_link_libraries(${target} PUBLIC orrery::${room})
  endforeach()
  target_link_libraries(${target} PUBLIC ${ARG_PUBLIC_LINKS} PRIVATE ${ARG_LINKS})
  install(TARGETS ${target} EXPORT orrery ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# orrery_learner(NAME SUMMARY text SOURCES ... [USES rooms])
# Registers the learner with the command line: src/cli turns the list into a generated table.
function(orrery_learner name)
  cmake_parse_arguments(ARG "" "SUMMARY" "SOURCES;USES;LINKS" ${ARGN})
  orrery_room(learner_${name} SOURCES ${ARG_SOURCES} USES learner ${ARG_USES} LINKS ${ARG_LINKS})
  set_property(GLOBAL APPEND PROPERTY ORRERY_LEARNERS ${name})
endfunction()
