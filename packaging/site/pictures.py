#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of the documentation, as SVG: kernels, Wiener filters, and the error of two fits (explanation/mathematics.md);
the scores of all methods (README, from docs/results/vectors.csv); and what the closed form does (explanation/how-it-works.md).

    packaging/site/pictures.py docs/pictures
"""
import csv
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


def svg(width, height, parts):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
                      f'font-size="14"><rect width="{width}" height="{height}" fill="#ffffff"/>', *parts, "</svg>"]) + "\n"


def results():
    """A row for each set, a dot for each method: its score minus that of wgdn, from -30 to 5 points."""
    shown = {"wgdn": ("wgdn", COLORS[0]), "wgdn-train": ("wgdn train", "#e6a100"), "svd": ("SVD", COLORS[2]),
             "dgi": ("DGI", COLORS[1]), "pecanpy": ("PecanPy", COLORS[3]), "prone": ("ProNE", COLORS[4]),
             "cleora": ("Cleora", "#56b4e9")}
    root = pathlib.Path(__file__).resolve().parents[2]
    with open(root / "docs/results/vectors.csv", newline="") as f:
        score = {(r["set"], r["method"]): float(r["score"]) for r in csv.DictReader(f)}
    for (name, method), value in list(score.items()):  # of the two ways of Cleora the better one
        if method == "cleora-features":
            score[name, "cleora"] = max(value, score[name, "cleora"])
    sets = [s for s, m in score if m == "svd"]
    left, top, step, right = 130, 52, 24, 20
    width, height = 820, top + step * len(sets) + 46

    def at(difference):
        return left + (max(difference, -30) + 31) / 36 * (width - left - right)

    out = []
    for i, (name, color) in enumerate(shown.values()):
        x = left + 96 * i
        out.append(f'<circle cx="{x}" cy="22" r="6" fill="{color}"/><text x="{x + 11}" y="27" fill="#333333">{name}</text>')
    for tick in (-30, -20, -10, 0):
        label = f"{tick}" if tick > -30 else "-30 or less"
        out.append(f'<path d="M{at(tick):.1f} {top - 8}V{height - 42}" stroke="#dddddd"/>'
                   f'<text x="{at(tick):.1f}" y="{height - 24}" text-anchor="middle" fill="#333333">{label}</text>')
    out.append(f'<text x="{(left + width - right) / 2:.0f}" y="{height - 6}" text-anchor="middle" fill="#333333">'
               "points of accuracy, AUC or micro-F1, relative to wgdn</text>")
    for i, name in enumerate(sets):
        y = top + step * i + 6
        out.append(f'<text x="{left - 12}" y="{y + 5}" text-anchor="end" fill="#333333">{"Facebook pages" if name == "facebook_large" else name}</text>')
        for method in reversed(shown):
            if (name, method) in score:
                x = at(score[name, method] - score[name, "wgdn"])
                out.append(f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{shown[method][1]}" fill-opacity="0.9"/>')
    return svg(width, height, out)


def steps():
    """What the closed form does, as boxes from left to right."""
    boxes = (("graph and features", ("edges; one row of", "numbers per node"), "#eceff1"),
             ("average", ("over neighbors, as far", "as neighbors predict", "a node's features"), "#e8eaf6"),
             ("keep what is shared", ("directions of feature", "space that neighbors", "have in common"), "#e8eaf6"),
             ("reduce", ("principal components,", "at most 256 columns"), "#e8eaf6"),
             ("vectors", ("one row per node; the", "model embeds new", "nodes the same way"), "#e0f2f1"))
    out, w, gap, y = [], 168, 26, 30
    for i, (title, lines, color) in enumerate(boxes):
        x = 14 + i * (w + gap)
        out.append(f'<rect x="{x}" y="{y}" width="{w}" height="96" rx="8" fill="{color}" stroke="#9fa8da"/>'
                   f'<text x="{x + w / 2}" y="{y + 24}" text-anchor="middle" font-weight="bold" fill="#222222">{title}</text>')
        for k, line in enumerate(lines):
            out.append(f'<text x="{x + w / 2}" y="{y + 47 + 18 * k}" text-anchor="middle" fill="#333333">{line}</text>')
        if i:
            out.append(f'<path d="M{x - gap + 3} {y + 48}h{gap - 9}m-6 -5l6 5l-6 5" stroke="#333333" fill="none"/>')
    x = 14 + w + gap
    out.append(f'<rect x="{x}" y="158" width="{3 * w + 2 * gap}" height="62" rx="8" fill="#fff8e1" stroke="#e6a100"/>'
               f'<text x="{x + 1.5 * w + gap}" y="182" text-anchor="middle" font-weight="bold" fill="#222222">structure, where features are '
               'missing, few or unlike</text>'
               f'<text x="{x + 1.5 * w + gap}" y="204" text-anchor="middle" fill="#333333">eigenvectors of the graph and factorized '
               'transition probabilities</text>')
    start, end = 14 + w / 2, 14 + 4 * (w + gap) + w / 2
    out.append(f'<path d="M{start} 126V189H{x - 6}m-6 -5l6 5l-6 5M{x + 3 * w + 2 * gap} 189H{end}V132m-5 6l5 -6l5 6" '
               'stroke="#333333" fill="none"/>')
    return svg(14 * 2 + 5 * w + 4 * gap, 236, out)


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "results.svg").write_text(results())
    (folder / "steps.svg").write_text(steps())
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
