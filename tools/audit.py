"""List everything that the app runs on, and its known vulnerabilities: `make audit`.

The tools have their own environment, `build/audit`. The check needs a public database, and therefore a
network; without one, the list is written all the same, and the command says so.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.environment import venv_python

ROOT = Path(__file__).resolve().parent.parent
BILL = Path("build") / "sbom.json"


def tools(root: Path) -> Path:
    """The Python of the environment with the tools, which is created if missing."""
    python = root / "build" / "audit" / "bin" / "python"
    file = root / "requirements-audit.txt"
    stamp = root / "build" / "audit" / "stamp"
    if not stamp.is_file() or stamp.read_text() != file.read_text():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(python.parents[1])], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", str(file)], check=True)
        stamp.write_text(file.read_text())
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
        return 1, [*unsafe, *notes, "Upgrade these, in requirements.txt or constraints.txt."]
    return 0, [*notes, f"{len(parts) - len(skipped)} packages, and nothing known to be unsafe in them."]


def main() -> int:
    """Write the bill of materials, check it, and print the result."""
    python = tools(ROOT)
    app = venv_python(ROOT)
    n = bill(python, app, ROOT / BILL)
    print(f"{BILL}: {n} packages.", flush=True)
    files = ("requirements.txt", "requirements-files.txt", "requirements-corpus.txt", "constraints.txt")
    pinned = [(ROOT / name).read_text("utf-8") for name in files]
    pinned_file = ROOT / "build" / "audit" / "asked.txt"
    lines = [line.partition("#")[0].strip() for line in "\n".join(pinned).splitlines()]
    pinned_file.write_text("\n".join(line for line in lines if "==" in line) + "\n")
    command = [str(python), "-m", "pip_audit", "--no-deps", "--disable-pip", "-r", str(pinned_file)]
    command += ["--progress-spinner", "off", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    status, sentences = verdict(done.stdout)
    print("\n".join(sentences))
    return status


if __name__ == "__main__":
    sys.exit(main())
