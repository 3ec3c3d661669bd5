"""Prints what makes a shell complete `companion` with the Tab key.

bash:  companion completion bash > ~/.local/share/bash-completion/completions/companion
zsh:   companion completion zsh > ~/.zfunc/_companion   (with ~/.zfunc in fpath before compinit)
fish:  companion completion fish > ~/.config/fish/completions/companion.fish
"""

from __future__ import annotations

import argparse

from companion.commands.shared.all_commands import Command, all_commands

SHELLS = ("bash", "zsh", "fish")


def configure(parser: argparse.ArgumentParser) -> None:
    """The shell to print for."""
    parser.epilog = "for example: companion completion bash"
    parser.add_argument("shell", choices=SHELLS, help="whose completion to print")


def run(args: argparse.Namespace) -> int:
    """Print it; always 0."""
    print({"bash": bash, "zsh": zsh, "fish": fish}[args.shell](all_commands()), end="")
    return 0


def bash(commands: list[Command]) -> str:
    """A completion function for bash."""
    cases = "\n".join(f"        {c.name}) words={_quoted(' '.join(c.words))} ;;" for c in commands)
    return f"""# bash completion of companion; written by `companion completion bash`
_companion() {{
    local words
    case "${{COMP_WORDS[1]}}" in
{cases}
        *) words={_quoted(" ".join([c.name for c in commands] + ["--help", "--version"]))} ;;
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        words={_quoted(" ".join([c.name for c in commands] + ["--help", "--version"]))}
    fi
    COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
    if [ "${{#COMPREPLY[@]}}" -eq 0 ]; then
        compopt -o filenames 2> /dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "${{COMP_WORDS[COMP_CWORD]}}")
    fi
}}
complete -F _companion companion cloud-mine-companion
"""


def zsh(commands: list[Command]) -> str:
    """A completion function for zsh."""
    names = "\n".join(f"        {_quoted(f'{c.name}:{_plain(c.says)}')}" for c in commands)
    cases = "\n".join(
        f"        {c.name}) compadd -- {' '.join(_quoted(word) for word in c.words)}; _files ;;"
        for c in commands
    )
    return f"""#compdef companion cloud-mine-companion
# zsh completion of companion; written by `companion completion zsh`
_companion() {{
    local -a names
    names=(
{names}
    )
    if (( CURRENT == 2 )); then
        _describe 'command' names
        return
    fi
    case "${{words[2]}}" in
{cases}
    esac
}}
_companion "$@"
"""


def fish(commands: list[Command]) -> str:
    """Completions for fish."""
    lines = ["# fish completion of companion; written by `companion completion fish`"]
    for program in ("companion", "cloud-mine-companion"):
        for c in commands:
            lines.append(
                f"complete -c {program} -n __fish_use_subcommand -a {c.name} -d {_quoted(_plain(c.says))}"
            )
            for option, says in c.options:
                told = f" -d {_quoted(_plain(says))}" if says else ""
                lines.append(
                    f"complete -c {program} -n '__fish_seen_subcommand_from {c.name}' -l {option.lstrip('-')}{told}"
                )
            if c.choices:
                lines.append(
                    f"complete -c {program} -n '__fish_seen_subcommand_from {c.name}' -a {_quoted(' '.join(c.choices))}"
                )
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return " ".join(text.split()).replace(":", ",")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
