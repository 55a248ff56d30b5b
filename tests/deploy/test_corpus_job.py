"""The job that builds a corpus on a cluster: `deploy/kubernetes/corpus.yaml`."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from core import settings
from core.cli.main import main
from core.corpus.building import build as building
from tools import environment

pytestmark = pytest.mark.check

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "deploy" / "kubernetes" / "corpus.yaml"
SCHEMA = json.loads((Path(__file__).parent / "rayjob.schema.json").read_text("utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
DOCUMENTS = {one["kind"]: one for one in yaml.safe_load_all(FILE.read_text("utf-8"))}
JOB = DOCUMENTS["RayJob"]
CLUSTER = JOB["spec"]["rayClusterSpec"]
HEAD = CLUSTER["headGroupSpec"]
[WORKERS] = CLUSTER["workerGroupSpecs"]
TEMPLATES: dict[str, dict[str, Any]] = {
    "submitter": JOB["spec"]["submitterPodTemplate"],
    "head": HEAD["template"],
    "worker": WORKERS["template"],
}


def validate(file: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kubernetes_validate", "--strict", "-k", "1.37", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.fuzz
def test_the_job_has_the_fields_of_its_kind() -> None:
    import jsonschema  # which takes a second and a half

    jsonschema.validate(JOB, SCHEMA)
    for change in (
        lambda job: job["spec"].update(entryPoint=job["spec"].pop("entrypoint")),
        lambda job: job["spec"]["rayClusterSpec"].pop("headGroupSpec"),
        lambda job: job["spec"]["rayClusterSpec"]["headGroupSpec"]["rayStartParams"].update(n=0),
        lambda job: job.update(apiVersion="ray.io/v1alpha1"),
    ):
        wrong = deepcopy(JOB)
        change(wrong)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA)


@pytest.mark.fuzz
def test_its_pods_and_the_rest_fit_the_schemas_of_kubernetes(tmp_path: Path) -> None:
    pods = [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, **of["metadata"]},
            "spec": of["spec"],
        }
        for name, of in TEMPLATES.items()
    ]
    rest = [one for kind, one in DOCUMENTS.items() if kind != "RayJob"]
    file = tmp_path / "right.yaml"
    file.write_text(yaml.safe_dump_all([*pods, *rest]))
    done = validate(file)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Couldn't find schema" not in done.stdout + done.stderr
    file.write_text(file.read_text().replace("mountPath", "mountpath"))
    assert validate(file).returncode != 0


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_pod_may_do_nothing_but_its_work(name: str) -> None:
    pod = TEMPLATES[name]["spec"]
    [container] = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert {str(pod["securityContext"]["runAsUser"])} == set(re.findall(r"--uid (\d+)", DOCKERFILE))
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert not pod["automountServiceAccountToken"]
    rights = container["securityContext"]
    assert rights["readOnlyRootFilesystem"]
    assert not rights["allowPrivilegeEscalation"]
    assert rights["capabilities"] == {"drop": ["ALL"]}
    assert set(container["resources"]["limits"]) == {"cpu", "memory", "ephemeral-storage"}
    assert {v["name"] for v in pod["volumes"]} == {m["name"] for m in container["volumeMounts"]}
    assert all("sizeLimit" in v["emptyDir"] for v in pod["volumes"] if "emptyDir" in v)
    assert "/tmp" in {mount["mountPath"] for mount in container["volumeMounts"]}
    labels = TEMPLATES[name]["metadata"]["labels"]
    assert DOCUMENTS["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == labels


def test_all_pods_see_the_corpus_under_one_path_and_run_one_image() -> None:
    claim = DOCUMENTS["PersistentVolumeClaim"]
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    for name in ("head", "worker"):
        pod = TEMPLATES[name]["spec"]
        [volume] = (v["name"] for v in pod["volumes"] if "persistentVolumeClaim" in v)
        [path] = (m["mountPath"] for m in pod["containers"][0]["volumeMounts"] if m["name"] == volume)
        assert path == "/corpora"
        environment = {one["name"]: one["value"] for one in pod["containers"][0]["env"]}
        assert settings.read(environment).hub == "off"
        assert environment["RAY_USAGE_STATS_ENABLED"] == "0"
    assert len({of["spec"]["containers"][0]["image"] for of in TEMPLATES.values()}) == 1
    assert {one["metadata"]["namespace"] for kind, one in DOCUMENTS.items() if kind != "Namespace"} == {
        DOCUMENTS["Namespace"]["metadata"]["name"]
    }


def test_nothing_is_embedded_beside_the_driver() -> None:
    assert HEAD["rayStartParams"]["num-cpus"] == "0"
    stores = [group["rayStartParams"]["object-store-memory"] for group in (HEAD, WORKERS)]
    shared = {v["name"]: v for v in TEMPLATES["worker"]["spec"]["volumes"]}["shm"]["emptyDir"]
    assert shared["medium"] == "Memory"
    assert all(int(one) < int(shared["sizeLimit"].removesuffix("Mi")) * 2**20 for one in stores)


def test_the_versions_are_those_that_are_pinned() -> None:
    assert CLUSTER["rayVersion"] == environment.pins(ROOT / "requirements-dev.txt")["ray"]
    assert CLUSTER["authOptions"]["mode"] == "token"
    # The image's build takes Ray from there.
    assert re.search(r"install .*\$MORE -c requirements-dev\.txt", DOCKERFILE)


def test_the_entrypoint_is_a_command_that_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    go, _, command = JOB["spec"]["entrypoint"].partition(" && ")
    assert go.removeprefix("cd ") in re.findall(r"^WORKDIR (\S+)$", DOCKERFILE, re.MULTILINE)
    assert shlex.split(command)[:3] == ["python", "-m", "core"]
    asked: list[Any] = []

    def build(texts: Any, out: Any, **named: Any) -> None:
        asked.append((texts, out, named["cluster"]))
        raise KeyboardInterrupt

    monkeypatch.setattr(building, "build", build)
    with pytest.raises((KeyboardInterrupt, SystemExit)):
        raise SystemExit(main(shlex.split(command)[3:]))
    [(texts, out, cluster)] = asked
    assert [str(one) for one in (*texts, out)] == ["/corpora/texts", "/corpora/my.corpus"]
    assert cluster is not None
