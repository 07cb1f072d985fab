# orrery_test(NAME SOURCES ... ROOMS ... [LINKS ...] [RANKS n ...])
# One GoogleTest program, whose threads leave their cores to other tests where they wait. Its sources
# are compiled eight at a time, as reading GoogleTest's header takes longer than compiling most of
# them: names in unnamed namespaces differ within a program. With RANKS the program is also run whole
# under mpirun with each number of ranks (it then has a main of its own, which joins the team). Sources
# that speak of a part that is not built are left out (OrreryTestedParts.cmake).
find_package(GTest REQUIRED)
include(GoogleTest)
include(OrreryTestedParts)

# What is tested is optimised in full. The tests themselves are compiled at -Og: that takes two fifths
# less time than in full, and most run as fast.
set(ORRERY_TEST_FLAGS ${ORRERY_FLAGS} $<$<CONFIG:Release>:-Og>)
if(ORRERY_SANITIZE)
  list(APPEND ORRERY_TEST_FLAGS -DORRERY_SANITIZED)
endif()

orrery_precompile(orrery_precompiled_tests LINKS Eigen3::Eigen fmt::fmt GTest::gtest
                  OPTIONS ${ORRERY_TEST_FLAGS} HEADERS ${ORRERY_PRECOMPILED} <gtest/gtest.h>)

function(orrery_test name)
  cmake_parse_arguments(ARG "FAMILIES" "" "SOURCES;ROOMS;LINKS;RANKS" ${ARGN})
  orrery_tested_sources(sources ${ARG_SOURCES})
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  orrery_reuse(${name} orrery_precompiled_tests)
  target_compile_options(${name} PRIVATE ${ORRERY_TEST_FLAGS})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  foreach(room IN LISTS ARG_ROOMS)
    if(TARGET orrery::${room})
      target_link_libraries(${name} PRIVATE orrery::${room})
    endif()
  endforeach()
  if(ARG_FAMILIES)
    get_property(families GLOBAL PROPERTY ORRERY_FAMILIES)
    target_link_libraries(${name} PRIVATE orrery::family)
    orrery_families(${name} ${families})
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} GTest::gtest OpenMP::OpenMP_CXX)
  if(NOT ARG_RANKS)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  target_compile_definitions(${name} PRIVATE
    ORRERY_SHARED_DATA="${PROJECT_SOURCE_DIR}/../shared/data")
  gtest_discover_tests(${name} TEST_PREFIX "${name}." NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 600 LABELS fast ENVIRONMENT OMP_WAIT_POLICY=passive)
  if(ORRERY_MPI)
    foreach(ranks IN LISTS ARG_RANKS)
      add_test(NAME ${name}.with_${ranks}_ranks
               COMMAND "${MPIEXEC_EXECUTABLE}" --oversubscribe ${MPIEXEC_NUMPROC_FLAG} ${ranks}
                       $<TARGET_FILE:${name}>)
      orrery_ranks_test(${name}.with_${ranks}_ranks ${ranks})
    endforeach()
  endif()
endfunction()

# orrery_ranks_test(NAME n): a test that starts n ranks. Containers run it as root; one thread a
# rank keeps a small host usable. ctest counts it as one process (no PROCESSORS): ranks that wait
# leave their core to other tests, and on few cores the test would run alone, much of it on one core.
# hwloc's gl component looks for graphics cards behind X servers: slow where names do not resolve.
function(orrery_ranks_test name ranks)
  set_tests_properties(${name} PROPERTIES
    TIMEOUT 120
    ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMP_NUM_THREADS=1;HWLOC_COMPONENTS=-gl;OMPI_MCA_pml=ob1;OMPI_MCA_btl=self,vader;ORRERY_TEST_RANKS=${ranks}")
endfunction()
