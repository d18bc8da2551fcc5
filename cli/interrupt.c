/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "interrupt.h"
#include "cli.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* The only variables that outlive a call: a signal has no other place to leave word. */
static volatile sig_atomic_t asked, held, silent;
static void (*before_end)(void);

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
    if (held) return;
    if (before_end) before_end();
    _exit(INTERRUPTED);
}

static void watch(int signal_number)
{
    struct sigaction former, action = {.sa_handler = note, .sa_flags = SA_RESTART | SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &former) == 0 && former.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

void interrupt_watch(void (*tidy)(void))
{
    before_end = tidy;
    watch(SIGINT);
    watch(SIGTERM);
    watch(SIGHUP);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

void interrupt_silence(void)
{
    silent = 1;
}

void interrupt_hold(void)
{
    held++;
}

void interrupt_release(void)
{
    held--;
}

bool interrupt_asked(void)
{
    return asked != 0;
}
