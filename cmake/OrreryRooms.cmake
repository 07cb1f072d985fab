# orrery_room(NAME [OUTER] [BATCH n] SOURCES ... [USES rooms] [LINKS libraries] [PUBLIC_LINKS libraries])
# A room is one static library. It links only the rooms it names, so a wrong arrow does not link.
# OUTER: it reads options or tells results, and does not compute.
# BATCH: so many of its sources are compiled together, where eight would take more than 700 MB.
set(ORRERY_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(ORRERY_WERROR)
  list(APPEND ORRERY_WARNINGS -Werror)
endif()
# No contraction into fused multiply-adds: the same bytes from every instruction set.
set(ORRERY_FLAGS ${ORRERY_WARNINGS} -ffp-contract=off)
if(ORRERY_SANITIZE)
  # GCC's manual: with sanitizers it warns of values that are set (in std::regex, for example).
  list(APPEND ORRERY_FLAGS -fsanitize=${ORRERY_SANITIZE} -fno-omit-frame-pointer
       -fno-sanitize-recover=all $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${ORRERY_SANITIZE})
endif()

# orrery_precompile(NAME [LINKS library...] [OPTIONS option...] HEADERS header...): a target whose
# precompiled header other targets share: reading these headers was most of a build. Those targets
# must be compiled with the same options and definitions, OpenMP's and Boost's among them
# (orrery_reuse), or the compiler refuses the header. GCC tidies its memory more often while it writes
# one, or it would take 750 MB.
function(orrery_precompile name)
  cmake_parse_arguments(ARG "" "" "LINKS;OPTIONS;HEADERS" ${ARGN})
  file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
  add_library(${name} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_compile_options(${name} PRIVATE ${ORRERY_FLAGS} ${ARG_OPTIONS}
                         $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=32768>)
  target_link_libraries(${name} PRIVATE OpenMP::OpenMP_CXX Boost::program_options ${ARG_LINKS})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

# orrery_reuse(TARGET NAME): TARGET reads its headers from that precompiled one.
function(orrery_reuse target name)
  target_precompile_headers(${target} REUSE_FROM ${name})
  target_compile_definitions(${target} PRIVATE
    $<TARGET_PROPERTY:Boost::program_options,INTERFACE_COMPILE_DEFINITIONS>)
endfunction()

set(ORRERY_PRECOMPILED <algorithm> <array> <chrono> <cmath> <condition_variable> <deque> <filesystem>
    <fstream> <functional> <iomanip> <map> <memory> <numeric> <optional> <ranges> <set> <span>
    <sstream> <string> <thread> <unordered_map> <vector> <Eigen/Core>
    <boost/program_options/options_description.hpp> <boost/program_options/variables_map.hpp>
    <fmt/format.h>)
orrery_precompile(orrery_precompiled LINKS Eigen3::Eigen fmt::fmt HEADERS ${ORRERY_PRECOMPILED})
set_target_properties(orrery_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ON)

# Rooms that read options and tell results spend no time to speak of: -O1 compiles them in three
# quarters of the time. JSON stands in their precompiled header alone, as it costs who does not use it
# more than it saves the others.
set(ORRERY_OUTER_FLAGS $<$<CONFIG:Release>:-O1>)
orrery_precompile(orrery_precompiled_outer LINKS Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json
                  OPTIONS ${ORRERY_OUTER_FLAGS} HEADERS ${ORRERY_PRECOMPILED} <nlohmann/json.hpp>)
set_target_properties(orrery_precompiled_outer PROPERTIES POSITION_INDEPENDENT_CODE ON)

# orrery_source_options(SOURCE... OPTIONS option...): options of some of a room's sources, which then
# read their headers themselves.
function(orrery_source_options)
  cmake_parse_arguments(ARG "" "" "OPTIONS" ${ARGN})
  set_source_files_properties(${ARG_UNPARSED_ARGUMENTS} PROPERTIES
    COMPILE_OPTIONS "${ARG_OPTIONS}" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

set(ORRERY_GENERATED_INCLUDE "${PROJECT_BINARY_DIR}/include")
configure_file("${PROJECT_SOURCE_DIR}/include/orrery/base/version.hpp.in"
               "${ORRERY_GENERATED_INCLUDE}/orrery/base/version.hpp" @ONLY)

function(orrery_room name)
  cmake_parse_arguments(ARG "OUTER" "BATCH" "SOURCES;USES;LINKS;PUBLIC_LINKS" ${ARGN})
  set(target orrery_${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(orrery::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  if(ARG_BATCH)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${ARG_BATCH})
  endif()
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE ${ORRERY_FLAGS})
  if(ARG_OUTER)
    orrery_reuse(${target} orrery_precompiled_outer)
    target_compile_options(${target} PRIVATE ${ORRERY_OUTER_FLAGS})
  else()
    orrery_reuse(${target} orrery_precompiled)
  endif()
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<BUILD_INTERFACE:${ORRERY_GENERATED_INCLUDE}>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE "${PROJECT_SOURCE_DIR}/src")
  foreach(room IN LISTS ARG_USES)
    target_link_libraries(${target} PUBLIC orrery::${room})
  endforeach()
  target_link_libraries(${target} PUBLIC ${ARG_PUBLIC_LINKS}
                                  PRIVATE ${ARG_LINKS} OpenMP::OpenMP_CXX)
  if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/src/")  # the tests have rooms too
    install(TARGETS ${target} EXPORT orrery ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  endif()
endfunction()

# orrery_learner(NAME [BATCH n] SOURCES ... [USES rooms]): the room of a learner.
function(orrery_learner name)
  cmake_parse_arguments(ARG "" "BATCH" "SOURCES;USES;LINKS" ${ARGN})
  orrery_room(learner_${name} BATCH ${ARG_BATCH} SOURCES ${ARG_SOURCES} USES learning ${ARG_USES}
              LINKS ${ARG_LINKS})
endfunction()

# orrery_absent(WHAT OPTION LEARNER GENERATOR GROUP JSON_FORMAT): a part that is not built, as
# family::AbsentPart in src/family/families.hpp has it, for a message to who asks for it.
function(orrery_absent)
  list(JOIN ARGV "\", \"" words)
  set_property(GLOBAL APPEND_STRING PROPERTY ORRERY_ABSENT "      {\"${words}\"},\n")
endfunction()

# orrery_families(TARGET name...): gives a program its table of families, in this order. The table is
# generated: static initialisers would be dropped by the linker.
function(orrery_families target)
  set(ORRERY_FAMILY_DECLARATIONS "")
  set(ORRERY_FAMILY_ENTRIES "")
  foreach(family IN LISTS ARGN)
    string(APPEND ORRERY_FAMILY_DECLARATIONS
      "namespace ${family} {\nconst family::Family& family();\n}\n")
    string(APPEND ORRERY_FAMILY_ENTRIES "      &${family}::family(),\n")
    target_link_libraries(${target} PRIVATE orrery::family_${family})
  endforeach()
  get_property(ORRERY_ABSENT_PARTS GLOBAL PROPERTY ORRERY_ABSENT)
  set(table "${CMAKE_CURRENT_BINARY_DIR}/${target}_families.cpp")
  configure_file("${PROJECT_SOURCE_DIR}/src/family/families.cpp.in" "${table}" @ONLY)
  target_sources(${target} PRIVATE "${table}")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
endfunction()
