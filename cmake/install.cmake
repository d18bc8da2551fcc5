# SPDX-License-Identifier: Apache-2.0
# Header, both libraries, CMake package and pkg-config file. find_package(wgdn) gives the shared
# library as wgdn::wgdn; find_package(wgdn COMPONENTS static) gives the static one.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/wgdn)

install(DIRECTORY include/wgdn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS wgdn EXPORT wgdn-shared)
install(TARGETS wgdn_static EXPORT wgdn-static)
foreach(kind shared static)
  install(EXPORT wgdn-${kind} NAMESPACE wgdn:: DESTINATION ${package_dir})
endforeach()

configure_package_config_file(cmake/wgdn-config.cmake.in wgdn-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(wgdn-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wgdn-config.cmake ${PROJECT_BINARY_DIR}/wgdn-config-version.cmake
        DESTINATION ${package_dir})

# The .pc file finds its prefix from its own place, so that `cmake --install --prefix` may move it.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(WGDN_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(WGDN_PC_PREFIX "\${pcfiledir}/${up}")
endif()
configure_file(cmake/wgdn.pc.in wgdn.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/wgdn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The program with its manual page and its completion for three shells.
install(TARGETS wgdn_program)
install(FILES docs/man/wgdn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES docs/completion/wgdn.bash RENAME wgdn
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES docs/completion/wgdn.zsh RENAME _wgdn
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES docs/completion/wgdn.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Licence, notices, and what the build is made of.
install(FILES LICENSE NOTICE ${PROJECT_BINARY_DIR}/wgdn.cdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR})
