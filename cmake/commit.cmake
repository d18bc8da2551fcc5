# SPDX-License-Identifier: Apache-2.0
# Write the commit of SOURCE to the header OUT, unless it is there already.
execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
  WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown) # an archive, not a checkout
endif()
set(text "#define WGDN_COMMIT \"${commit}\"\n")
if(EXISTS ${OUT})
  file(READ ${OUT} there)
endif()
if(NOT "${text}" STREQUAL "${there}")
  file(WRITE ${OUT} "${text}")
endif()
