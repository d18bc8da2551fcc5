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

set(components "")
set(references "")
# library: the file that is linked, or nothing. What follows .so or the name's last dash is its version.
function(wgdn_component name library version)
  if(NOT DEFINED licence_${name})
    message(FATAL_ERROR "cmake/sbom.cmake has no licence for ${name}")
  endif()
  set(hash "")
  if(library AND EXISTS "${library}")
    file(REAL_PATH "${library}" file)
    file(SHA256 "${file}" sum)
    set(hash ",\n      \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"${sum}\"}]")
    get_filename_component(file "${file}" NAME)
    if(NOT version AND file MATCHES "(\\.so\\.|-)([0-9][0-9.]*[0-9]|[0-9])(\\.so)?$")
      set(version ${CMAKE_MATCH_2})
    endif()
  endif()
  if(version)
    set(version ",\n      \"version\": \"${version}\"")
  endif()
  set(entry "    {\n      \"type\": \"library\",\n      \"bom-ref\": \"${name}\",\n      \"name\": \"${name}\"")
  string(APPEND entry "${version},\n      \"licenses\": [{\"expression\": \"${licence_${name}}\"}]${hash}\n    }")
  list(APPEND components "${entry}")
  list(APPEND references "\"${name}\"")
  set(components "${components}" PARENT_SCOPE)
  set(references "${references}" PARENT_SCOPE)
endfunction()

foreach(name ${WGDN_NEEDED})
  wgdn_component(${name} "${WGDN_${name}_LIBRARY}" "")
endforeach()
wgdn_component(Random123 "" "")
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
