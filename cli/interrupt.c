/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"
#include "cli.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* The only variables that outlive a call: a signal has no other place to leave word. */
static volatile sig_atomic_t asked, held, silent;

static void note(int signal_number)
{
    static const char now[] = "wgdn: interrupted\n";
    static const char later[] = "wgdn: stopping after the current step; once more stops at once\n";
    const ssize_t said = silent ? 0
                         : held ? write(STDERR_FILENO, later, sizeof later - 1)
                                : write(STDERR_FILENO, now, sizeof now - 1);
    (void)said;
    (void)signal_number;
    asked = 1;
    if (!held) _exit(INTERRUPTED);
}

void interrupt_watch(void)
{
    struct sigaction former, action = {.sa_handler = note, .sa_flags = SA_RESTART | SA_RESETHAND};
    const int watched[] = {SIGINT, SIGTERM};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 2; i++)
        if (sigaction(watched[i], NULL, &former) == 0 && former.sa_handler != SIG_IGN)
            sigaction(watched[i], &action, NULL);
}

void interrupt_silence(void)
{
    silent = 1;
}

void interrupt_hold(void)
{
    held = 1;
}

void interrupt_release(void)
{
    held = 0;
}

bool interrupt_asked(void)
{
    return asked != 0;
}
