/* SPDX-License-Identifier: Apache-2.0 */
/* First bytes: every format looks at them, and files of other programs are named. */
#include "fuzz.h"

#include "formats/formats.h"
#include "io/source.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const wgdn_text start = wgdn_text_of(size ? data : (const uint8_t *)"", size);
    wgdn_error err;
    int takers = 0;
    for (const wgdn_format *const *f = wgdn_dataset_formats; *f; f++)
        if ((*f)->look) takers += (*f)->look(start);
    FUZZ_EXPECT(takers >= 0);
    const wgdn_status st = wgdn_foreign_refuse(start.at, start.size, "input", &err);
    FUZZ_EXPECT(st == WGDN_OK || (st == WGDN_EFORMAT && strncmp(err.message, "input: ", 7) == 0));
    return 0;
}
