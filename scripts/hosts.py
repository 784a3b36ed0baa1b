#!/usr/bin/env python3
"""The files for pre-commit and code hosts, run as these run them, in a repository with one description.

    scripts/hosts.py VORRANG        (with the Python in which pre-commit is; scripts/hosts.sh installs it)

The description is examples/hello.toml, first as it is, then with less budget, which nothing proves any more. The commit of
that is refused with what docs/how-to/in-your-day.md shows. What a code host would install is left out: VORRANG is there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/how-to/in-your-day.md"
COMMIT = 'git commit --all --message "Less for the motor"'


class Repository:
    """A repository whose commands find the program and pre-commit."""

    def __init__(self, folder: Path, program: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.environment = dict(os.environ, HOME=str(folder.parent), GIT_CONFIG_NOSYSTEM="1", TERM="dumb")
        for who in ("AUTHOR", "COMMITTER"):
            self.environment |= {f"GIT_{who}_NAME": "Somebody", f"GIT_{who}_EMAIL": "somebody@example.org"}
        beside = [str(program.parent), str(Path(sys.executable).parent)]
        self.environment["PATH"] = os.pathsep.join([*beside, os.environ["PATH"]])
        self.run("git init --quiet --initial-branch main")

    def run(self, command: str, code: int = 0) -> str:
        """What a command says; it has to end with this code."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode != code:
            sys.exit(f"$ {command}\n{done.stdout}ended with {done.returncode} instead of {code}")
        return done.stdout


def committed(folder: Path, program: Path) -> Repository:
    """A repository with the description, in which pre-commit is installed."""
    hooks = Repository(folder / "hooks", program)
    name = ".pre-commit-hooks.yaml"
    (hooks.folder / name).write_text((ROOT / name).read_text())
    hooks.run("git add . && git commit --quiet --message Hooks && git tag v0.1.0")
    plant = Repository(folder / "plant", program)
    (plant.folder / "systems").mkdir()
    (plant.folder / "systems/hello.toml").write_text((ROOT / "examples/hello.toml").read_text())
    config = (ROOT / "examples/ci/pre-commit-config.yaml").read_text()
    config = config.replace("https://example.org/vorrang", str(hooks.folder))
    (plant.folder / ".pre-commit-config.yaml").write_text(config)
    plant.run("git add . && pre-commit install && pre-commit run --all-files")
    plant.run('git commit --quiet --message "A motor"')
    return plant


def lines_of_hosts() -> list[tuple[str, str, str]]:
    """What each code host runs: the command, the file that it writes, and what is run in any case."""
    folder = ROOT / "examples/ci"
    gitlab = yaml.safe_load((folder / "gitlab-ci.yml").read_text())["timing"]
    github = yaml.safe_load((folder / "github-workflow.yml").read_text())["jobs"]["check"]["steps"]
    said = [gitlab["script"], [step["run"] for step in github if "run" in step]]
    after = [gitlab["after_script"][0], "true"]
    return [
        (line, line.split("> ")[1], then)
        for lines, then in zip(said, after)
        for line in lines
        if not line.startswith("cargo install")
    ]


def findings(text: str) -> int:
    """How many requirements a report has that are not proven."""
    if text.startswith("{"):
        return len(json.loads(text)["runs"][0]["results"])
    return int(xml.etree.ElementTree.fromstring(text).get("failures", "-1"))


def main() -> None:
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        plant = committed(Path(folder), program)
        file = plant.folder / "systems/hello.toml"
        for code, budget in enumerate(("4ms", "1ms")):
            file.write_text(file.read_text().replace('budget = "4ms"', f'budget = "{budget}"'))
            for command, written, then in lines_of_hosts():
                plant.run(command, code)
                found = findings((plant.folder / written).read_text())
                assert (found > 0) == (code == 1), f"{command}: {found} findings with {budget}"
                plant.run(then)
        said = plant.run(COMMIT, 1)
        assert plant.run("git status --porcelain --untracked-files=no") == " M systems/hello.toml\n"
    session = f"```console\n$ {COMMIT}\n{said.rstrip()}\n```\n"
    if session not in PAGE.read_text():
        sys.exit(f"{PAGE.relative_to(ROOT)} shows something else than\n{session}")
    print("the files for code hosts and pre-commit do what their page says")


if __name__ == "__main__":
    main()
