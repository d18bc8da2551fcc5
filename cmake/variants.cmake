# SPDX-License-Identifier: Apache-2.0
# wgdn_variants(target stem ...): stem_base.c everywhere, stem_v3.c and stem_v4.c on x86-64, each
# compiled for its level. Which one runs is decided at run time (src/base/cpu.c). WGDN_LOOP_FLAGS: for
# builds that count branches or look for mistakes, which would take most of their time in these loops; and of the
# levels only one runs, so none is counted.
function(wgdn_variants target)
  foreach(stem IN LISTS ARGN)
    set(sources ${stem}_base.c)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
      list(APPEND sources ${stem}_v3.c ${stem}_v4.c)
      set_source_files_properties(${stem}_v3.c TARGET_DIRECTORY ${target} PROPERTIES
        COMPILE_OPTIONS -march=x86-64-v3)
      set_source_files_properties(${stem}_v4.c TARGET_DIRECTORY ${target} PROPERTIES
        COMPILE_OPTIONS "-march=x86-64-v4;-mprefer-vector-width=512")
    endif()
    if(stem MATCHES "rows$")
      foreach(source IN LISTS sources)
        set_property(SOURCE ${source} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS
          -ffp-contract=fast ${WGDN_LOOP_FLAGS})
      endforeach()
    endif()
    target_sources(${target} PRIVATE ${sources})
  endforeach()
endfunction()
