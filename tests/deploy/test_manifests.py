"""The files of `deploy/`, against the schemas of Kubernetes and Compose, and against the app itself."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from starlette.applications import Starlette
from starlette.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from core import settings
from core.classroom import Question
from tests.tiers import some
from ui.serving.classroom import ROOMS, rooms
from ui.serving.headers import PAGE
from ui.serving.routes import PAGES

pytestmark = pytest.mark.check

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
MANIFESTS = DEPLOY / "kubernetes" / "polysee.yaml"
COMPOSE = DEPLOY / "compose.yaml"
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
NGINX = (DEPLOY / "nginx.conf").read_text("utf-8")


def check(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=False, timeout=120
    )


def manifest(kind: str) -> dict[str, Any]:
    found = [m for m in yaml.safe_load_all(MANIFESTS.read_text("utf-8")) if m["kind"] == kind]
    assert len(found) == 1
    return dict(found[0])


@pytest.mark.fuzz
@pytest.mark.parametrize("version", some(["1.37", "1.29"], 1))
def test_kubernetes_manifests_fit_the_schemas(version: str, tmp_path: Path) -> None:
    schema = ("kubernetes_validate", "--strict", "-k", version)
    done = check(*schema, str(MANIFESTS))
    assert done.returncode == 0, done.stdout + done.stderr
    # The check is effective: a misspelt key fails.
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(MANIFESTS.read_text("utf-8").replace("readinessProbe:", "readynessProbe:"))
    assert check(*schema, str(wrong)).returncode != 0


@pytest.mark.fuzz
def test_compose_file_fits_the_schema(tmp_path: Path) -> None:
    schema = ("check_jsonschema", "--builtin-schema", "vendor.compose-spec")
    done = check(*schema, str(COMPOSE))
    assert done.returncode == 0, done.stdout + done.stderr
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(COMPOSE.read_text("utf-8").replace("restart: unless", "restarts: unless"))
    assert check(*schema, str(wrong)).returncode != 0


def environments() -> list[tuple[str, dict[str, str]]]:
    services = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]
    in_compose = [(n, s["environment"]) for n, s in services.items() if "environment" in s]
    lines = re.findall(r"(POLYSEE_\w+)=(\S+)", DOCKERFILE)
    return [*in_compose, ("kubernetes", manifest("ConfigMap")["data"]), ("image", dict(lines))]


def test_every_deployment_has_settings_that_the_app_takes_and_no_hub() -> None:
    found = environments()
    assert len(found) == 5
    for name, environment in found:
        assert settings.read(environment).hub == "off", name


BEHIND_A_PROXY = [name for name, _ in environments() if name != "image"]


@pytest.mark.fuzz
@pytest.mark.few(2)
@pytest.mark.parametrize("name", BEHIND_A_PROXY)
def test_each_phone_of_a_class_counts_as_itself(name: str) -> None:
    """340 phones through a proxy on another machine: from one address, 300 may answer."""
    trusted = dict(environments())[name].get(
        "FORWARDED_ALLOW_IPS", "127.0.0.1,::1"
    )  # uvicorn's default
    room = ROOMS.open()
    ROOMS.ask(room.name, Question("Which?", ("one", "two")))
    app = ProxyHeadersMiddleware(Starlette(routes=rooms.routes()), trusted)  # type: ignore[arg-type]
    client = TestClient(app, client=("10.96.7.11", 40_000))  # type: ignore[arg-type]
    try:
        for phone in range(340):
            headers = {"x-forwarded-for": f"203.0.{phone // 250}.{phone % 250}"}
            cookies = {"Cookie": f"{rooms.COOKIE}={phone:024x}"}
            sent = client.post(
                f"/class/0/{room.name}/vote", json={"round": 1, "answer": 0}, headers=headers | cookies
            )
            assert sent.status_code == 200, (phone, sent.text)
        wall = ROOMS.wall(room.name, room.key)
        assert wall is not None
        assert wall.tally.answers == 340
    finally:
        ROOMS.close(room.name)


def test_only_the_proxy_that_writes_the_header_reaches_the_servers_that_believe_it() -> None:
    compose = yaml.safe_load(COMPOSE.read_text("utf-8"))
    inside = [n for n, one in compose["services"].items() if "inside" in one["networks"]]
    assert compose["networks"]["inside"]["internal"]
    assert {*inside} - {"nginx"} == {name for name in BEHIND_A_PROXY if name != "kubernetes"}
    for name, service in compose["services"].items():
        assert name == "nginx" or (service["networks"] == ["inside"] and "ports" not in service)
    # Not $proxy_add_x_forwarded_for, whose first address is the visitor's own claim.
    assert re.findall(r"proxy_set_header X-Forwarded-For (\S+);", NGINX) == ["$remote_addr"]
    [to_http] = [
        rule
        for rule in manifest("NetworkPolicy")["spec"]["ingress"]
        if rule["ports"][0]["port"] == "http"
    ]
    names = [one["namespaceSelector"]["matchLabels"] for one in to_http["from"]]
    assert names == [{"kubernetes.io/metadata.name": "ingress-nginx"}]


def test_pods_may_do_nothing_but_answer() -> None:
    pod = manifest("Deployment")["spec"]["template"]["spec"]
    [container] = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert not pod["automountServiceAccountToken"]
    rights = container["securityContext"]
    assert rights["readOnlyRootFilesystem"]
    assert not rights["allowPrivilegeEscalation"]
    assert rights["capabilities"] == {"drop": ["ALL"]}
    assert set(container["resources"]["limits"]) == {"cpu", "memory", "ephemeral-storage"}
    assert {v["name"] for v in pod["volumes"]} == {m["name"] for m in container["volumeMounts"]}
    assert all("sizeLimit" in v["emptyDir"] for v in pod["volumes"])
    assert container["readinessProbe"]["httpGet"]["path"] == "/ready"
    assert container["livenessProbe"]["httpGet"]["path"] == "/_stcore/health"
    # The same user in the image, in Kubernetes and in Compose.
    users = {str(pod["securityContext"]["runAsUser"]), *re.findall(r"--uid (\d+)", DOCKERFILE)}
    users |= set(re.findall(r"USER (\d+):", DOCKERFILE))
    for service in yaml.safe_load(COMPOSE.read_text("utf-8"))["services"].values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        users |= {service["user"].partition(":")[0]} if "build" in service else set()
    assert users == {"10001"}


def test_all_parts_mean_the_same_pods() -> None:
    labels = manifest("Deployment")["spec"]["template"]["metadata"]["labels"]
    assert manifest("Service")["spec"]["selector"] == labels
    assert manifest("Deployment")["spec"]["selector"]["matchLabels"] == labels
    assert manifest("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    policy = manifest("NetworkPolicy")["spec"]
    assert policy["podSelector"]["matchLabels"] == labels
    assert [rule["ports"][0]["port"] for rule in policy["ingress"]] == ["http", "metrics"]
    assert all(rule["from"] for rule in policy["ingress"])  # without, every pod of the cluster may come
    assert manifest("HorizontalPodAutoscaler")["spec"]["minReplicas"] >= 3
    ingress = manifest("Ingress")
    assert ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/affinity"] == "cookie"
    metrics = settings.read(manifest("ConfigMap")["data"]).metrics
    ports = manifest("Deployment")["spec"]["template"]["spec"]["containers"][0]["ports"]
    assert {port["name"]: port["containerPort"] for port in ports} == {"http": 8501, "metrics": metrics}


def test_the_proxy_asks_the_app_for_its_pages_and_takes_long_addresses() -> None:
    name = PAGE.lower().replace("-", "_")
    assert re.search(rf'map \$upstream_http_{name} \$page {{\s+""\s+other;', NGINX)
    assert re.search(r"default +\$page;", NGINX)
    assert f"proxy_hide_header {PAGE};" in NGINX
    for page in PAGES:
        assert not re.search(rf"\b{page}\b", re.sub("#.*", "", NGINX)), page
    most = re.search(r"large_client_header_buffers \d+ (\d+)k", NGINX)
    assert most
    assert int(most[1]) * 1024 > 32_000  # links from before long texts were packed
    assert "$request " not in NGINX
    assert "$args" not in NGINX
    assert "$http_referer" not in NGINX
    services = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]
    servers = re.findall(r"server (polysee-\d):8501", NGINX)
    assert servers == [name for name in services if name != "nginx"]


def test_the_image_holds_what_it_copies_and_a_bill_of_materials() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8")
    for line in re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.MULTILINE):
        for name in line.split():
            assert name == "." or f"!{name}" in ignored, name
    assert "sbom.json" in DOCKERFILE
    assert "HEALTHCHECK" in DOCKERFILE
    assert DOCKERFILE.index("USER 10001") < DOCKERFILE.index("CMD")


def test_threads_share_few_heaps_in_the_image() -> None:
    assert re.findall(r"^ENV MALLOC_ARENA_MAX=(\d+)$", DOCKERFILE, re.MULTILINE) == ["2"]
