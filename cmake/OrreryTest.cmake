# orrery_test(NAME SOURCES ... ROOMS ... [LINKS ...] [RANKS n ...])
# One GoogleTest program. With RANKS it is also run under mpirun with each number of ranks.
find_package(GTest REQUIRED)
include(GoogleTest)

function(orrery_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ROOMS;LINKS;RANKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE ${ORRERY_FLAGS})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  foreach(room IN LISTS ARG_ROOMS)
    target_link_libraries(${name} PRIVATE orrery::${room})
  endforeach()
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE
    ORRERY_SHARED_DATA="${PROJECT_SOURCE_DIR}/../shared/data")
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 600)
endfunction()
