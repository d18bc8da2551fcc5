# SPDX-License-Identifier: Apache-2.0
"""Pages of the program's commands, made of what it prints: `wgdn help`, `wgdn COMMAND --help-all`."""
import re
import subprocess

COLUMN = 26  # where the meaning of an option begins


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def commands(program):
    """(name, what it is for) of every command."""
    text = run(program, "help").partition("Commands:")[2]
    return re.findall(r"(?m)^  ([a-z]+)  +(.*)$", text.partition("\n\n")[0])


def escape(text):
    """As Markdown: options and quoted commands as code, the rest as it is."""
    text = re.sub(r"([<>*_|\[\]])", r"\\\1", text)
    text = re.sub(r"'(wgdn [^']*)'", r"`\1`", text)
    return re.sub(r"(?<![\w`-])(--[a-z][a-z-]*[a-z])", r"`\1`", text)


def options(lines):
    """(option, meaning) of the lines under a heading."""
    found = []
    for line in lines:
        if re.match(r" {2,6}-", line):
            head = line[:COLUMN].strip() if len(line) > COLUMN and line[COLUMN - 1] == " " else line.strip()
            said = line[COLUMN:].strip() if head != line.strip() else ""
            found.append([head, said])
        elif line.strip() and found:
            found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
    return found


def page(program, name):
    text = run(program, name, "--help-all")
    head, *blocks = text.strip("\n").split("\n\n")
    out = [f"# wgdn {name}", "```text\n" + head.removeprefix("usage: ") + "\n```"]
    for block in blocks:
        first, *rest = block.split("\n")
        if not re.fullmatch(r"[A-Z][\w ,'-]*:", first):
            out.append(escape(" ".join(block.split())))
            continue
        out.append(f"## {first[:-1]}")
        if any(re.match(r" {2,6}-", line) for line in rest):
            out.append("| option | meaning |\n|---|---|\n" + "\n".join(
                f"| `{option}` | {escape(said)} |" for option, said in options(rest)))
        else:
            out.append("```text\n" + "\n".join(line.strip() for line in rest) + "\n```")
    return "\n\n".join(out) + "\n"


def index(program):
    rows = [f"| [{name}]({name}.md) | {escape(said)} |" for name, said in commands(program)]
    return "\n\n".join([
        "# Commands",
        "What `wgdn COMMAND --help-all` prints, for every command of this version, and all of its options. `man wgdn` has the "
        "same; `wgdn COMMAND --help` has the options that are used most.",
        "| command | what it is for |\n|---|---|\n" + "\n".join(rows),
        "[Exit codes and messages](../exit-codes.md) are the same for all.",
    ]) + "\n"
