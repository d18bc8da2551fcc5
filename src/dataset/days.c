/* SPDX-License-Identifier: Apache-2.0 */
/* Reads dates and times: ISO 8601, and the day or the month first. */
#include "days.h"

typedef struct reader {
    const unsigned char *at, *end;
} reader;

/* Exactly so many digits. */
static bool digits(reader *r, int count, int *out)
{
    *out = 0;
    if (r->end - r->at < count) return false;
    for (int i = 0; i < count; i++, r->at++) {
        if (*r->at < '0' || *r->at > '9') return false;
        *out = 10 * *out + (*r->at - '0');
    }
    return true;
}

/* One digit or two. */
static bool short_digits(reader *r, int *out)
{
    const reader start = *r;
    if (digits(r, 2, out)) return true;
    *r = start;
    return digits(r, 1, out);
}

static bool next_is(reader *r, char c)
{
    if (r->at == r->end || *r->at != (unsigned char)c) return false;
    r->at++;
    return true;
}

static bool leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && leap(year));
}

/* Days from 1 January of the year 0 to that of a year: leap years are those before it. */
static int days_before(int year)
{
    const int past = year - 1;
    return year == 0 ? 0 : 365 * year + past / 4 - past / 100 + past / 400 + 1;
}

/* Days since 1970. */
static bool count_days(int year, int month, int day, int *out)
{
    int all;
    if (month < 1 || month > 12 || day < 1 || day > days_of_month(year, month)) return false;
    all = days_before(year) - days_before(1970) + day - 1;
    for (int m = 1; m < month; m++)
        all += days_of_month(year, m);
    *out = all;
    return true;
}

static bool read_iso_date(reader *r, int *out)
{
    int year, month, day;
    if (!digits(r, 4, &year)) return false;
    const char between = (char)(r->at < r->end && *r->at == '/' ? '/' : '-');
    if (!next_is(r, between) || !digits(r, 2, &month) || !next_is(r, between) ||
        !digits(r, 2, &day))
        return false;
    return count_days(year, month, day, out);
}

/* The year last; *between is the mark, and a point says that the day is first. */
static bool read_local_date(reader *r, wgdn_day_order order, int *out)
{
    int first, second, year;
    if (!short_digits(r, &first) || r->at == r->end) return false;
    const char between = (char)*r->at;
    if (between != '.' && between != '/' && between != '-') return false;
    if (!next_is(r, between) || !short_digits(r, &second) || !next_is(r, between) ||
        !digits(r, 4, &year))
        return false;
    const bool swap = order == WGDN_MONTH_FIRST && between != '.';
    return count_days(year, swap ? first : second, swap ? second : first, out);
}

/* AM or PM, if one follows: 12 AM is hour 0. */
static bool read_half(reader *r, int *hour)
{
    const reader start = *r;
    (void)next_is(r, ' ');
    const bool am = next_is(r, 'A') || next_is(r, 'a');
    const bool pm = !am && (next_is(r, 'P') || next_is(r, 'p'));
    if (!am && !pm) {
        *r = start;
        return true;
    }
    if (!next_is(r, 'M') && !next_is(r, 'm')) return false;
    if (*hour < 1 || *hour > 12) return false;
    *hour = *hour % 12 + (pm ? 12 : 0);
    return true;
}

/* Seconds of a day. */
static bool read_time(reader *r, double *out)
{
    int hour, minute, second = 0;
    double part = 0, unit = 1;
    if (!short_digits(r, &hour) || !next_is(r, ':') || !digits(r, 2, &minute)) return false;
    if (next_is(r, ':')) {
        if (!digits(r, 2, &second)) return false;
        if (next_is(r, '.')) {
            const unsigned char *first = r->at;
            for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
                unit /= 10;
                part += unit * (*r->at - '0');
            }
            if (r->at == first) return false;
        }
    }
    if (!read_half(r, &hour)) return false;
    *out = 3600.0 * hour + 60.0 * minute + second + part;
    return hour < 24 && minute < 60 && second <= 60;
}

/* Seconds by which local time is ahead of UTC. */
static bool read_offset(reader *r, double *out)
{
    int hour, minute = 0;
    *out = 0;
    if (r->at == r->end || next_is(r, 'Z') || next_is(r, 'z')) return true;
    const bool behind = *r->at == '-';
    if (!next_is(r, '-') && !next_is(r, '+')) return false;
    if (!digits(r, 2, &hour)) return false;
    if (r->at < r->end) {
        (void)next_is(r, ':');
        if (!digits(r, 2, &minute)) return false;
    }
    *out = (behind ? -1 : 1) * (3600.0 * hour + 60.0 * minute);
    return hour < 24 && minute < 60;
}

bool wgdn_text_day(wgdn_text t, wgdn_day_order order, double *out)
{
    reader r = {t.at, t.at + t.size};
    int day;
    double seconds = 0, offset = 0;
    if (t.size < 8 || t.size > 40) return false;
    if (!read_iso_date(&r, &day)) {
        r.at = t.at;
        if (!read_local_date(&r, order, &day)) return false;
    }
    if (r.at < r.end) {
        if (!next_is(&r, 'T') && !next_is(&r, 't') && !next_is(&r, ' ')) return false;
        if (!read_time(&r, &seconds) || !read_offset(&r, &offset)) return false;
    }
    *out = day + (seconds - offset) / 86400.0;
    return r.at == r.end;
}
