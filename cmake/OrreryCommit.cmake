# Which commit a program was built from: looked up at each build, in one small source that is
# compiled again where it changed. Also the script that looks: cmake -DSOURCE=... -DOUTPUT=... -P.
if(CMAKE_SCRIPT_MODE_FILE)
  set(commit unknown)
  set(date "")
  # A tarball may lie inside somebody's repository: only that of these sources counts.
  execute_process(COMMAND git rev-parse --show-toplevel WORKING_DIRECTORY "${SOURCE}"
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH "${SOURCE}" source)
  if(top STREQUAL source)
    execute_process(COMMAND git log -1 --format=%h\;%cd --date=format:%Y-%m-%d --abbrev=10
                    WORKING_DIRECTORY "${SOURCE}" RESULT_VARIABLE failed
                    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND git status --porcelain --untracked-files=no
                    WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE changes ERROR_QUIET)
    if(failed EQUAL 0)
      list(GET found 0 commit)
      list(GET found 1 date)
      if(changes)
        string(APPEND commit "+changes")
      endif()
    endif()
  endif()
  if(date STREQUAL "")
    string(TIMESTAMP date "%Y-%m-%d" UTC)  # SOURCE_DATE_EPOCH, if it is set
  endif()
  file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
// Generated at each build, see cmake/OrreryCommit.cmake.
#include "base/build.hpp"

namespace orrery {
Sources sources_of_this_build() { return {"@commit@", "@date@"}; }
}  // namespace orrery
]])
  return()
endif()

set(ORRERY_COMMIT_SOURCE "${PROJECT_BINARY_DIR}/commit/commit.cpp")
add_custom_target(orrery_find_commit
  COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${ORRERY_COMMIT_SOURCE}"
          -P "${CMAKE_CURRENT_LIST_FILE}"
  BYPRODUCTS "${ORRERY_COMMIT_SOURCE}"
  COMMENT "")
add_library(orrery_commit OBJECT "${ORRERY_COMMIT_SOURCE}")
add_dependencies(orrery_commit orrery_find_commit)
target_compile_features(orrery_commit PRIVATE cxx_std_20)
target_compile_options(orrery_commit PRIVATE ${ORRERY_FLAGS})
target_include_directories(orrery_commit PRIVATE "${PROJECT_SOURCE_DIR}/src")
set_target_properties(orrery_commit PROPERTIES POSITION_INDEPENDENT_CODE ON)

# orrery_knows_commit(TARGET): the program, or library, can say its commit.
function(orrery_knows_commit target)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:orrery_commit>)
endfunction()
