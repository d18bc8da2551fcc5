# SPDX-License-Identifier: Apache-2.0
# wgdn.cdx.json: what this build is made of, as CycloneDX 1.5. It names no time and no folder, so that
# two builds of the same sources against the same libraries write the same file.
set(licence_oneDNN Apache-2.0)
set(licence_CBLAS BSD-3-Clause)
set(licence_Random123 BSD-3-Clause)
set(licence_zlib Zlib)
set(licence_jansson MIT)
set(licence_xxHash BSD-2-Clause)
set(licence_inih BSD-3-Clause)
set(licence_LAPACK BSD-3-Clause)
set(licence_LIBLINEAR BSD-3-Clause)
set(licence_LIBSVM BSD-3-Clause)
set(licence_EXPAT MIT)
set(licence_ZSTD "BSD-3-Clause OR GPL-2.0-only")
set(licence_LZMA 0BSD) # its authors put it into the public domain before 5.6
set(licence_BZIP2 bzip2-1.0.6)
set(licence_METIS Apache-2.0)
set(licence_SCOTCH CECILL-C)
set(licence_SCOTCHERR CECILL-C)
set(licence_OpenMP "GPL-3.0-or-later WITH GCC-exception-3.1")
set(licence_MPI BSD-3-Clause)
set(licence_cairo "LGPL-2.1-only OR MPL-1.1")

find_program(WGDN_DPKG_QUERY dpkg-query)
mark_as_advanced(WGDN_DPKG_QUERY)
set(distribution debian)
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release distribution REGEX "^ID=")
  string(REGEX REPLACE "^ID=\"?([a-z0-9.-]+)\"?$" "\\1" distribution "${distribution}")
endif()

# The package that a file belongs to: its name, version and architecture; nothing where dpkg does not know it. The
# number behind .so is the version of an ABI and finds no entry in a list of vulnerabilities. A merged /usr has files
# that dpkg knows under /lib.
function(wgdn_package_of out file)
  set(${out} "" PARENT_SCOPE)
  if(NOT WGDN_DPKG_QUERY)
    return()
  endif()
  string(REGEX REPLACE "^/usr/" "/" short "${file}")
  foreach(path "${file}" "${short}")
    execute_process(COMMAND ${WGDN_DPKG_QUERY} -S "${path}" OUTPUT_VARIABLE found ERROR_QUIET)
    if(found MATCHES "^([a-z0-9.+-]+)(:[a-z0-9-]+)?: ")
      execute_process(COMMAND ${WGDN_DPKG_QUERY} -W "-f=\${Package};\${Version};\${Architecture}"
        "${CMAKE_MATCH_1}${CMAKE_MATCH_2}" OUTPUT_VARIABLE package ERROR_QUIET)
      set(${out} "${package}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

set(components "")
set(references "")
# library: the file that is linked, or a header; or nothing. Its version is that of its package, or else what follows
# .so or the name's last dash.
function(wgdn_component name library version)
  if(NOT DEFINED licence_${name})
    message(FATAL_ERROR "cmake/sbom.cmake has no licence for ${name}")
  endif()
  set(hash "")
  set(package "")
  if(library AND EXISTS "${library}")
    file(REAL_PATH "${library}" file)
    file(SHA256 "${file}" sum)
    set(hash ",\n      \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"${sum}\"}]")
    wgdn_package_of(package "${file}")
    get_filename_component(file "${file}" NAME)
    if(NOT version AND file MATCHES "(\\.so\\.|-)([0-9][0-9.]*[0-9]|[0-9])(\\.so)?$")
      set(version ${CMAKE_MATCH_2})
    endif()
  endif()
  if(package)
    list(GET package 1 version)
    string(REPLACE ":" "%3A" purl "${version}")
    string(REPLACE "+" "%2B" purl "${purl}")
    list(GET package 0 package_name)
    string(REPLACE "+" "%2B" package_name "${package_name}")
    list(GET package 2 architecture)
    set(purl "pkg:deb/${distribution}/${package_name}@${purl}?arch=${architecture}")
  else()
    string(TOLOWER "pkg:generic/${name}" purl)
    if(version)
      string(APPEND purl "@${version}")
    endif()
  endif()
  if(version)
    set(version ",\n      \"version\": \"${version}\"")
  endif()
  set(entry "    {\n      \"type\": \"library\",\n      \"bom-ref\": \"${name}\",\n      \"name\": \"${name}\"")
  string(APPEND entry "${version},\n      \"purl\": \"${purl}\",\n")
  string(APPEND entry "      \"licenses\": [{\"expression\": \"${licence_${name}}\"}]${hash}\n    }")
  list(APPEND components "${entry}")
  list(APPEND references "\"${name}\"")
  set(components "${components}" PARENT_SCOPE)
  set(references "${references}" PARENT_SCOPE)
endfunction()

foreach(name ${WGDN_NEEDED})
  wgdn_component(${name} "${WGDN_${name}_LIBRARY}" "")
endforeach()
wgdn_component(Random123 "${WGDN_RANDOM123_INCLUDE}/Random123/philox.h" "")
set(runtime ${OpenMP_C_LIBRARIES})
list(FILTER runtime INCLUDE REGEX "omp")
wgdn_component(OpenMP "${runtime}" "")
if(WGDN_MPI)
  list(GET MPI_C_LIBRARIES 0 runtime)
  wgdn_component(MPI "${runtime}" "${MPI_C_LIBRARY_VERSION_STRING}")
endif()
if(WGDN_CAIRO_FOUND)
  set(drawing ${WGDN_CAIRO_LINK_LIBRARIES})
  list(FILTER drawing INCLUDE REGEX "cairo[^/]*$")
  wgdn_component(cairo "${drawing}" "${WGDN_CAIRO_cairo_VERSION}")
endif()
list(JOIN components ",\n" components)
list(JOIN references ", " references)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/wgdn.cdx.json @ONLY NEWLINE_STYLE UNIX CONTENT [[{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {
    "component": {
      "type": "library",
      "bom-ref": "wgdn",
      "name": "wgdn",
      "version": "@PROJECT_VERSION@",
      "licenses": [{"expression": "Apache-2.0"}]
    }
  },
  "components": [
@components@
  ],
  "dependencies": [
    {"ref": "wgdn", "dependsOn": [@references@]}
  ]
}
]])
