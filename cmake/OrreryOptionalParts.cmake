# Parts that can be left out, each with what it alone needs. ON: a package that is missing is an
# error which names the option; AUTO: the part is built where its package is found; OFF: without it.
#
#   ORRERY_LINEAR    the family linear                                CLP
#   ORRERY_ANCHORED  the learner anchored, classifiers of --last-tag  CLP, CBC, LIBLINEAR
#   ORRERY_NPZ       import of archives of arrays (NPZ)               libzip
#   ORRERY_BLAS      products of dense matrices by a BLAS             BLAS; OFF: by Eigen
#
# toulbar2 is a program that learn anchored looks for when it runs; no build needs it.
set(ORRERY_LINEAR ON CACHE STRING "Build the family linear (needs CLP): ON or OFF")
set(ORRERY_ANCHORED ON CACHE STRING
    "Build the learner anchored (needs CLP, CBC and LIBLINEAR): ON or OFF")
set(ORRERY_NPZ AUTO CACHE STRING "Read NPZ (needs libzip): AUTO, ON or OFF")
set(ORRERY_BLAS AUTO CACHE STRING "Multiply by a BLAS, instead of Eigen: AUTO, ON or OFF")
foreach(part IN ITEMS LINEAR ANCHORED NPZ BLAS)
  set_property(CACHE ORRERY_${part} PROPERTY STRINGS AUTO ON OFF)
endforeach()

# orrery_part(NAME NEEDS FOUND): sets ORRERY_<NAME> to ON or OFF for this configuration.
function(orrery_part name needs found)
  set(option ORRERY_${name})
  string(TOUPPER "${${option}}" asked)
  if(asked STREQUAL "AUTO")
    set(is_built ${found})
  elseif(${option} AND NOT found)
    message(FATAL_ERROR "${needs} was not found, which ${option} needs. Install it, name its folder "
                        "in CMAKE_PREFIX_PATH, or build without that part: -D${option}=OFF")
  else()
    set(is_built "${${option}}")
  endif()
  if(is_built)
    set(is_built ON)
  else()
    set(is_built OFF)
  endif()
  message(STATUS "${option}: ${is_built}")
  set(${option} ${is_built} PARENT_SCOPE)
endfunction()

# orrery_coin(NAME): CLP and CBC come with pkg-config files alone.
macro(orrery_coin name)
  string(TOLOWER ${name} module)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
  endif()
endmacro()

set(linear_found OFF)
set(anchored_found OFF)
if(ORRERY_LINEAR OR ORRERY_ANCHORED)
  orrery_coin(CLP)
  if(TARGET PkgConfig::CLP)
    set(linear_found ON)
  endif()
endif()
if(ORRERY_ANCHORED)
  orrery_coin(CBC)
  find_path(LIBLINEAR_INCLUDE_DIR linear.h)
  find_library(LIBLINEAR_LIBRARY linear)
  if(TARGET PkgConfig::CLP AND TARGET PkgConfig::CBC AND LIBLINEAR_INCLUDE_DIR AND LIBLINEAR_LIBRARY)
    set(anchored_found ON)
  endif()
endif()
# libzip's own package file asks for its command-line tools, which are not needed.
set(npz_found OFF)
if(ORRERY_NPZ)
  find_path(LIBZIP_INCLUDE_DIR zip.h)
  find_library(LIBZIP_LIBRARY zip)
  if(LIBZIP_INCLUDE_DIR AND LIBZIP_LIBRARY)
    set(npz_found ON)
  endif()
endif()
set(blas_found OFF)
if(ORRERY_BLAS)
  find_package(BLAS QUIET)  # OpenBLAS, if it is there
  set(blas_found ${BLAS_FOUND})
endif()

orrery_part(LINEAR "CLP (coinor-libclp-dev; found by pkg-config)" ${linear_found})
orrery_part(ANCHORED
  "One of CLP, CBC and LIBLINEAR (coinor-libclp-dev, coinor-libcbc-dev, liblinear-dev; pkg-config)"
  ${anchored_found})
orrery_part(NPZ "libzip (libzip-dev)" ${npz_found})
orrery_part(BLAS "A BLAS (libopenblas-dev)" ${blas_found})
if(NOT ORRERY_NPZ)
  set(LIBZIP_LIBRARY "")
endif()
