/* SPDX-License-Identifier: Apache-2.0 */
#include <wgdn/wgdn.h>

int wgdn_header_is_c99(void);
int wgdn_header_is_c99(void)
{
    return WGDN_OK;
}
