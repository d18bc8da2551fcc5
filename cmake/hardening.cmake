# SPDX-License-Identifier: Apache-2.0
# What a release is compiled and linked with so that a mistake in memory ends the program instead of
# being of use to somebody. Sanitizers see more and want none of it. tests/hardening looks at the
# result.
set(hardened ON)
if(WGDN_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug" OR CMAKE_BUILD_TYPE STREQUAL "")
  set(hardened OFF)
endif()
option(WGDN_HARDEN "stack protector, FORTIFY, CET, full RELRO" ${hardened})

add_library(wgdn_hardening INTERFACE)
if(WGDN_HARDEN)
  include(CheckCCompilerFlag)
  set(CMAKE_REQUIRED_FLAGS -Werror) # for a compiler that warns of a flag without effect
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
    string(MAKE_C_IDENTIFIER "WGDN_HAS${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
      target_compile_options(wgdn_hardening INTERFACE ${flag})
    endif()
  endforeach()
  unset(CMAKE_REQUIRED_FLAGS)
  # Distributions may set it themselves: theirs is taken back first.
  target_compile_options(wgdn_hardening INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  if(NOT APPLE) # whose linker does all of this by itself
    target_link_options(wgdn_hardening INTERFACE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
  endif()
endif()
