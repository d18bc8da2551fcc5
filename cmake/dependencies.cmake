# SPDX-License-Identifier: Apache-2.0
# What the library needs. wgdn_dependencies compiles against it; WGDN_LINK_LIBRARIES links it,
# by path here and by plain name once installed, so that the installed package can be moved.
find_package(OpenMP REQUIRED COMPONENTS C)

add_library(wgdn_dependencies INTERFACE)
set(WGDN_NEEDED "") # names, for the list of what a build is made of
set(WGDN_LINK_LIBRARIES "")
set(WGDN_PC_LIBS "")
set(WGDN_MISSING "")          # what was not found, all of it, for one message
set(WGDN_MISSING_PACKAGES "")

macro(wgdn_need name header library package)
  find_path(WGDN_${name}_INCLUDE ${header} PATH_SUFFIXES ${ARGN})
  find_library(WGDN_${name}_LIBRARY ${library})
  mark_as_advanced(WGDN_${name}_INCLUDE WGDN_${name}_LIBRARY)
  if(NOT WGDN_${name}_INCLUDE OR NOT WGDN_${name}_LIBRARY)
    list(APPEND WGDN_MISSING ${name})
    list(APPEND WGDN_MISSING_PACKAGES ${package})
  else()
    target_include_directories(wgdn_dependencies SYSTEM INTERFACE ${WGDN_${name}_INCLUDE})
    target_link_libraries(wgdn_dependencies INTERFACE ${WGDN_${name}_LIBRARY})
    list(APPEND WGDN_LINK_LIBRARIES
         "$<BUILD_INTERFACE:${WGDN_${name}_LIBRARY}>" "$<INSTALL_INTERFACE:${library}>")
    string(APPEND WGDN_PC_LIBS " -l${library}")
    list(APPEND WGDN_NEEDED ${name})
  endif()
endmacro()

if(WGDN_BLAS STREQUAL "onednn")
  wgdn_need(oneDNN dnnl.h dnnl libdnnl-dev)
elseif(WGDN_BLAS STREQUAL "cblas")
  set(WGDN_CBLAS_NAME "openblas" CACHE STRING "library that has cblas_sgemm")
  wgdn_need(CBLAS cblas.h ${WGDN_CBLAS_NAME} libopenblas-dev
            ${CMAKE_LIBRARY_ARCHITECTURE} openblas blis)
else()
  message(FATAL_ERROR "WGDN_BLAS is '${WGDN_BLAS}'; it may be onednn or cblas")
endif()

find_path(WGDN_RANDOM123_INCLUDE Random123/philox.h)
mark_as_advanced(WGDN_RANDOM123_INCLUDE)
if(WGDN_RANDOM123_INCLUDE)
  target_include_directories(wgdn_dependencies SYSTEM INTERFACE ${WGDN_RANDOM123_INCLUDE})
else()
  list(APPEND WGDN_MISSING Random123)
  list(APPEND WGDN_MISSING_PACKAGES librandom123-dev)
endif()

wgdn_need(zlib zlib.h z zlib1g-dev)
wgdn_need(jansson jansson.h jansson libjansson-dev)
wgdn_need(xxHash xxhash.h xxhash libxxhash-dev)
wgdn_need(inih ini.h inih libinih-dev)
if(WGDN_MISSING)
  list(JOIN WGDN_MISSING ", " missing)
  list(JOIN WGDN_MISSING_PACKAGES " " packages)
  message(FATAL_ERROR "not found: ${missing}. Install them (Debian: apt-get install ${packages}) or set "
                      "CMAKE_PREFIX_PATH to where they are")
endif()

# wgdn_want(name headers library package): the same for what the library can do without. Sets
# WGDN_HAVE_<name>, for CMake and, when found, for the sources.
macro(wgdn_want name header library package)
  find_path(WGDN_${name}_INCLUDE ${header} PATH_SUFFIXES ${ARGN})
  find_library(WGDN_${name}_LIBRARY ${library})
  mark_as_advanced(WGDN_${name}_INCLUDE WGDN_${name}_LIBRARY)
  set(WGDN_HAVE_${name} OFF)
  if(WGDN_${name}_INCLUDE AND WGDN_${name}_LIBRARY)
    set(WGDN_HAVE_${name} ON)
    wgdn_need(${name} ${header} ${library} ${package} ${ARGN})
    target_compile_definitions(wgdn_dependencies INTERFACE WGDN_HAVE_${name})
  else()
    message(STATUS "${name} was not found (Debian: ${package}): built without it")
  endif()
endmacro()

wgdn_want(LAPACK lapacke.h lapacke liblapacke-dev)
wgdn_want(LIBLINEAR linear.h linear liblinear-dev)
wgdn_want(LIBSVM svm.h svm libsvm-dev libsvm)
wgdn_want(EXPAT expat.h expat libexpat1-dev)
wgdn_want(ZSTD zstd.h zstd libzstd-dev)
wgdn_want(LZMA lzma.h lzma liblzma-dev)
wgdn_want(BZIP2 bzlib.h bz2 libbz2-dev)
wgdn_want(METIS metis.h metis libmetis-dev)
wgdn_want(SCOTCH scotch.h scotch libscotch-dev scotch)
if(WGDN_HAVE_SCOTCH)
  wgdn_need(SCOTCHERR scotch.h scotcherr libscotch-dev scotch)
endif()

# Any MPI; its libraries are named whole, as its compiler wrapper says them.
if(WGDN_MPI)
  find_package(MPI REQUIRED COMPONENTS C)
  target_link_libraries(wgdn_dependencies INTERFACE MPI::MPI_C)
  target_compile_definitions(wgdn_dependencies INTERFACE WGDN_HAVE_MPI)
  list(APPEND WGDN_LINK_LIBRARIES ${MPI_C_LIBRARIES})
endif()

# The program draws pictures with cairo; the library knows nothing of it.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(WGDN_CAIRO QUIET IMPORTED_TARGET cairo cairo-png cairo-svg cairo-pdf)
endif()
if(NOT WGDN_CAIRO_FOUND)
  message(STATUS "cairo was not found (Debian: libcairo2-dev): built without it")
endif()
