# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: library, headers, program, man page, completions, licenses, and the files by
# which find_package(polyrx) and pkg-config find them. The installed tree may be moved as a whole.

if(NOT POLYRX_INSTALL)
    return()
endif()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# While the version is 0.x a minor release may change the ABI.
set_target_properties(polyrx PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    DEFINE_SYMBOL "") # every symbol is visible, so a shared build compiles the same as a static one
install(TARGETS polyrx EXPORT polyrxTargets)

if(TARGET polyrx_cli)
    file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(polyrx_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
    install(TARGETS polyrx_cli)
    # apps/polyrx makes these from its option table.
    install(FILES ${PROJECT_BINARY_DIR}/share/man/man1/polyrx.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
    set(completions ${PROJECT_BINARY_DIR}/share/completions)
    install(FILES ${completions}/polyrx.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME polyrx OPTIONAL)
    install(FILES ${completions}/_polyrx DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
    install(FILES ${completions}/polyrx.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
endif()

# Headers but for those inside training and those of the kernels, whose arrays nobody checks.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/polyrx DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
    REGEX "kernel[^/]*\\.hpp$" EXCLUDE
    REGEX "train/(gradient|step)$" EXCLUDE
    REGEX "train/(best_epoch|check_training|divergence|epoch_rows|flush_denormals|parameters)\\.hpp$" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/include/polyrx/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/polyrx)

# A static library leaves the linking of its private dependencies to its user.
get_target_property(polyrx_type polyrx TYPE)
if(polyrx_type STREQUAL "STATIC_LIBRARY")
    set(polyrx_private_dependencies "find_dependency(fmt)\nfind_dependency(ZLIB)\nfind_dependency(hwy)\nfind_dependency(Threads)\n")
endif()
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/polyrx)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/polyrxConfig.cmake.in ${PROJECT_BINARY_DIR}/polyrxConfig.cmake
    INSTALL_DESTINATION ${config_folder} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/polyrxConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT polyrxTargets NAMESPACE polyrx:: DESTINATION ${config_folder})
install(FILES ${PROJECT_BINARY_DIR}/polyrxConfig.cmake ${PROJECT_BINARY_DIR}/polyrxConfigVersion.cmake DESTINATION ${config_folder})

file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/polyrx.pc.in ${PROJECT_BINARY_DIR}/polyrx.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/polyrx.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE NOTICE THIRD_PARTY_NOTICES.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
