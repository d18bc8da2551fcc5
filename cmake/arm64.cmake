# SPDX-License-Identifier: Apache-2.0
# Toolchain of the preset arm64: Debian's cross compiler, libraries in WGDN_ARM64_ROOT (.ci/arm64_root fills it), and tests
# by qemu-aarch64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
if(NOT WGDN_ARM64_ROOT)
  get_filename_component(WGDN_ARM64_ROOT ${CMAKE_CURRENT_LIST_DIR}/../build/arm64-root ABSOLUTE)
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WGDN_ARM64_ROOT)
set(CMAKE_SYSROOT ${WGDN_ARM64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${WGDN_ARM64_ROOT})
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${WGDN_ARM64_ROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${WGDN_ARM64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${WGDN_ARM64_ROOT}/usr/share/pkgconfig)
