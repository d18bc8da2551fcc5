#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The three pictures of docs/explanation/mathematics.md, as SVG: kernels, Wiener filters, and the error of two fits.

    packaging/site/pictures.py docs/pictures
"""
import math
import pathlib
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 380, 64, 190, 20, 48
COLORS = ("#3f51b5", "#d55e00", "#009e73", "#a0529d", "#7f7f7f")


def heat(t):
    return lambda x: math.exp(-t * x)


def ppr(alpha):
    return lambda x: alpha / (1 - (1 - alpha) * (1 - x))


def wiener(g, penalty):
    return lambda x: g(x) / (g(x) ** 2 + penalty)


def solve(rows):
    """The solution of a linear system, by elimination with pivots; the right side is the last column."""
    n = len(rows)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def levelled(f, points):
    """The polynomial whose error at the points is the same, with alternating signs."""
    order = len(points) - 2
    c = solve([[*(math.cos(m * math.acos(max(-1, min(1, x - 1)))) for m in range(order + 1)), (-1) ** i, f(x)]
               for i, x in enumerate(points)])
    return lambda x: sum(c[m] * math.cos(m * math.acos(max(-1, min(1, x - 1)))) for m in range(order + 1))


def one_step(f, order):
    return levelled(f, sorted(1 + math.cos((2 * i + 1) * math.pi / (2 * (order + 2))) for i in range(order + 2)))


def remez(f, order):
    """The exchange: the points become those where the error is largest, between its zeros."""
    grid = [2 * i / 4000 for i in range(4001)]
    points = sorted(1 + math.cos((2 * i + 1) * math.pi / (2 * (order + 2))) for i in range(order + 2))
    for _ in range(20):
        p = levelled(f, points)
        runs = []
        for x in grid:
            e = p(x) - f(x)
            if runs and (runs[-1][1] > 0) == (e > 0):
                runs[-1] = max(runs[-1], (x, e), key=lambda r: abs(r[1]))
            else:
                runs.append((x, e))
        while len(runs) > order + 2:
            runs.pop(0 if abs(runs[0][1]) < abs(runs[-1][1]) else -1)
        points = [x for x, _ in runs]
    return p


def picture(curves, low, high, ticks, label):
    """Curves (name, function, dashed) over lambda in [0, 2]."""
    def at(x, y):
        return (LEFT + x / 2 * (WIDTH - LEFT - RIGHT), TOP + (high - y) / (high - low) * (HEIGHT - TOP - BOTTOM))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           f'font-size="14"><rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for y in ticks:
        (x0, v), (x1, _) = at(0, y), at(2, y)
        out.append(f'<path d="M{x0:.1f} {v:.1f}H{x1:.1f}" stroke="#dddddd"/>'
                   f'<text x="{x0 - 8:.1f}" y="{v + 5:.1f}" text-anchor="end" fill="#333333">{y:g}</text>')
    for x in (0, 0.5, 1, 1.5, 2):
        u, v = at(x, low)
        out.append(f'<text x="{u:.1f}" y="{v + 20:.1f}" text-anchor="middle" fill="#333333">{x:g}</text>')
    u, v = at(1, low)
    out.append(f'<text x="{u:.1f}" y="{v + 40:.1f}" text-anchor="middle" fill="#333333">{label}</text>')
    for i, (name, f, dashed) in enumerate(curves):
        points = [at(x / 100, f(x / 100)) for x in range(201)]
        points = [(u, max(TOP, min(v, HEIGHT - BOTTOM))) for u, v in points]
        style = f'stroke="{COLORS[i]}" stroke-width="2.5" fill="none"' + (' stroke-dasharray="7 4"' if dashed else "")
        out.append(f'<path d="M{" ".join(f"{u:.1f} {v:.1f}" for u, v in points)}" {style}/>')
        u, v = WIDTH - RIGHT + 16, TOP + 16 + 24 * i
        out.append(f'<path d="M{u} {v}h26" {style}/><text x="{u + 34}" y="{v + 5}" fill="#333333">{name}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "filter.svg").write_text(picture(
        [("heat, t = 0.5", heat(0.5), False), ("heat, t = 1", heat(1), False), ("heat, t = 4", heat(4), False),
         ("ppr, alpha = 0.2", ppr(0.2), True), ("gcn", lambda x: 1 - x, True)],
        -1, 1, (-1, -0.5, 0, 0.5, 1), "lambda: smooth to rough"))
    g = heat(1)
    (folder / "wiener.svg").write_text(picture(
        [("inverse, 1/g", lambda x: 1 / g(x), True), ("noise/signal 0.01", wiener(g, 0.01), False),
         ("0.1", wiener(g, 0.1), False), ("1", wiener(g, 1), False), ("g = heat, t = 1", g, True)],
        0, 7.5, (0, 2, 4, 6), "lambda: smooth to rough"))
    f, order = wiener(g, 0.1), 4
    first, best = one_step(f, order), remez(f, order)
    (folder / "remez.svg").write_text(picture(
        [("one step", lambda x: 1000 * (first(x) - f(x)), False), ("full exchange", lambda x: 1000 * (best(x) - f(x)), False)],
        -8, 8, (-8, -4, 0, 4, 8), "lambda; error times 1000"))
    for name, p in ("one step", first), ("full exchange", best):  # as docs/explanation/spectral.md has them
        print(f"{name}: largest error {max(abs(p(x / 1000) - f(x / 1000)) for x in range(2001)):.2e}")


if __name__ == "__main__":
    main()
