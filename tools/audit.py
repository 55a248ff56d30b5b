"""List everything that the app runs on, and its known vulnerabilities: `make audit`.

The tools have their own environment, `build/audit`. The check needs a public database, and therefore a
network; without one, the list is written all the same, and the command says so.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.environment import venv_python

ROOT = Path(__file__).resolve().parent.parent
BILL = Path("build") / "sbom.json"


def tools(root: Path) -> Path:
    """The Python of the environment with the tools, which is created if missing."""
    python = root / "build" / "audit" / "bin" / "python"
    wanted = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["audit"]
    stamp = root / "build" / "audit" / "stamp"
    if not stamp.is_file() or stamp.read_text("utf-8").split() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(python.parents[1])], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *wanted], check=True)
        stamp.write_text("\n".join(wanted), "utf-8")
    return python


def bill(python: Path, of: Path, to: Path) -> int:
    """Write the bill of materials of a Python environment; returns the number of components."""
    to.parent.mkdir(parents=True, exist_ok=True)
    command = [str(python), "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    subprocess.run([*command, "--output-file", str(to), str(of)], check=True)
    return len(json.loads(to.read_text("utf-8"))["components"])


def verdict(report: str) -> tuple[int, list[str]]:
    """The exit status of `make audit`, and its messages, from pip-audit's report in JSON.

    For pip-audit, a package that no database knows counts as skipped, and it then reports that nothing
    was found: a machine without a network would seem safe.
    """
    try:
        parts = json.loads(report)["dependencies"]
    except (ValueError, KeyError):
        parts = []
    skipped = [part["name"] for part in parts if "skip_reason" in part]
    if len(skipped) == len(parts):
        return 2, [
            "No vulnerability database could be reached from here, so nothing is known either way. Run "
            "`make audit` where there is a network."
        ]
    unsafe = [
        f"{part['name']} {part['version']}: {flaw['id']}, "
        f"mended in {' or '.join(flaw['fix_versions']) or 'nothing yet'}"
        for part in parts
        for flaw in part.get("vulns", ())
    ]
    notes = [f"Not known to the database: {', '.join(skipped)}."] if skipped else []
    if unsafe:
        return 1, [*unsafe, *notes, "Upgrade these: make pins UPGRADE=NAME."]
    return 0, [*notes, f"{len(parts) - len(skipped)} packages, and nothing known to be unsafe in them."]


def main() -> int:
    """Write the bill of materials, check it, and print the result."""
    python = tools(ROOT)
    app = venv_python(ROOT)
    n = bill(python, app, ROOT / BILL)
    print(f"{BILL}: {n} packages.", flush=True)
    command = [str(python), "-m", "pip_audit", "--no-deps", "--disable-pip", "-r", "requirements.txt"]
    command += ["--progress-spinner", "off", "--format", "json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    status, sentences = verdict(done.stdout)
    print("\n".join(sentences))
    return status


if __name__ == "__main__":
    sys.exit(main())
