# SPDX-License-Identifier: Apache-2.0
# Compiles several sources of a folder as one. Most of a compilation goes into headers, so this takes less than half the
# time.

option(POLYRX_UNITY "Compile the sources of each folder together" OFF)

# Divides the sources of each folder evenly into units of at most `most` files. Kernels are compiled alone: they include
# themselves, once for each instruction set.
function(polyrx_compile_together target most)
    if(NOT POLYRX_UNITY)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(SORT sources)
    set(folders)
    foreach(file ${sources})
        if(file MATCHES "kernel")
            set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
            continue()
        endif()
        # The first folder below the target's own; sources of its subfolders are compiled with it.
        cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE relative)
        cmake_path(RELATIVE_PATH relative BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
        string(REGEX REPLACE "/.*|[^/]*\\.cpp$" "" folder "${relative}")
        list(APPEND folders "${folder}/")
        list(APPEND files_of_${folder}/ ${file})
    endforeach()
    list(REMOVE_DUPLICATES folders)
    foreach(folder ${folders})
        list(LENGTH files_of_${folder} count)
        math(EXPR units "(${count} + ${most} - 1) / ${most}")
        set(place 0)
        foreach(file ${files_of_${folder}})
            math(EXPR unit "${place} * ${units} / ${count}")
            string(REPLACE "/" "_" name "${folder}${unit}")
            set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${name})
            math(EXPR place "${place} + 1")
        endforeach()
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
