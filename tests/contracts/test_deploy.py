"""docker-compose.yml, Dockerfile, Makefile and lock files, without a container engine."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from helpers import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]


def test_every_image_has_a_pinned_tag() -> None:
    for name, service in SERVICES.items():
        assert re.fullmatch(r"[\w./-]+:v?\d+\.\d+\.\d+", service["image"]), name


def test_every_port_is_on_loopback() -> None:
    for service in SERVICES.values():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))


def test_the_worker_waits_for_broker_and_topics() -> None:
    assert SERVICES["worker"]["depends_on"] == {
        "kafka": {"condition": "service_healthy"},
        "init": {"condition": "service_completed_successfully"},
    }
    assert SERVICES["init"]["command"] == ["topics", "init"]
    assert all("healthcheck" in SERVICES[name] for name in ("kafka", "worker"))


def test_every_setting_in_compose_is_one_of_ours() -> None:
    from tamis.settings import load

    for service in SERVICES.values():
        load(environ={key: value for key, value in service.get("environment", {}).items() if key.startswith("TAMIS_")})


def test_compose_matches_the_compose_schema() -> None:
    # the package is found, not imported: its command line wants another click than Faust, its schema files do not
    found = importlib.util.find_spec("check_jsonschema")
    assert found is not None
    assert found.origin is not None
    schema = json.loads((Path(found.origin).parent / "builtin_schemas/vendor/compose-spec.json").read_text("utf-8"))
    validator = jsonschema_rs.validator_for(schema)
    assert [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(COMPOSE)] == []
    assert not validator.is_valid({"services": {"kafka": {"imagee": "x"}}}), "the schema does tell a misspelt key"


def test_prometheus_and_grafana_are_there_when_asked_for() -> None:
    assert {name for name, service in SERVICES.items() if service.get("profiles") == ["obs"]} == {"prometheus", "grafana"}
    assert all("healthcheck" in SERVICES[name] for name in ("prometheus", "grafana"))
    for name in ("prometheus", "grafana"):
        for volume in SERVICES[name]["volumes"]:
            source, *rest = volume.split(":")
            if source.startswith("./"):
                assert (ROOT / source).exists(), volume
                assert rest[-1] == "ro"
            else:
                assert source in COMPOSE["volumes"]
    config = yaml.safe_load((ROOT / "deploy" / "prometheus" / "prometheus.yml").read_text("utf-8"))
    (job,) = config["scrape_configs"]
    (target,) = job["static_configs"][0]["targets"]
    host, port = target.split(":")
    assert host in SERVICES
    assert any(mapping.endswith(f":{port}") for mapping in SERVICES[host]["ports"])


def test_grafana_is_provisioned_with_the_boards() -> None:
    folder = ROOT / "deploy" / "grafana"
    (source,) = yaml.safe_load((folder / "provisioning" / "datasources" / "prometheus.yml").read_text("utf-8"))["datasources"]
    assert source["type"] == "prometheus"
    assert source["url"] == "http://prometheus:9090"
    assert source["isDefault"], "the boards' variable starts with it"
    (provider,) = yaml.safe_load((folder / "provisioning" / "dashboards" / "tamis.yml").read_text("utf-8"))["providers"]
    mounts = dict(volume.split(":")[:2] for volume in SERVICES["grafana"]["volumes"])
    assert mounts["./deploy/grafana/dashboards"] == provider["options"]["path"]
    home = Path(SERVICES["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"])
    assert (folder / "dashboards" / home.name).is_file()
    assert SERVICES["grafana"]["environment"]["GF_AUTH_ANONYMOUS_ORG_ROLE"] == "Viewer"


def test_the_image_runs_as_nobody_special() -> None:
    text = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    users = re.findall(r"^USER (\S+)", text, re.M)
    assert users
    assert not users[-1].startswith(("0", "root"))
    assert "--require-hashes" in text
    assert all(":" in image and not image.endswith(":latest") for image in re.findall(r"^FROM (\S+)", text, re.M))


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_locks_pin_every_dependency_with_hashes_and_name_no_host(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert "://" not in text
    pinned = dict(re.findall(r"^([a-z0-9.-]+)(?:\[[^\]]*\])?==(\S+)", text, re.M))
    assert text.count("--hash=sha256:") >= len(pinned)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = project["project"]["dependencies"] + project["project"]["optional-dependencies"]["embedded"]
    wanted += project["dependency-groups"]["dev"] if "dev" in name else []
    missing = [item for item in wanted if re.split(r"[ ;=<>\[]", item)[0].lower().replace("_", "-") not in pinned]
    assert not missing, "run `make lock`"


def test_scripts_are_sound_shell() -> None:
    for path in (ROOT / ".ci" / "run", ROOT / "deploy" / "setup.sh"):
        subprocess.run(["bash", "-n", str(path)], check=True)
        assert "set -euo pipefail" in path.read_text("utf-8")
        assert path.stat().st_mode & 0o111


def test_the_readme_examples_run() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    code = re.findall(r"```python\n(.*?)```", text, re.S)
    assert code
    exec(compile("\n".join(code), "README.md", "exec"), {})  # one after the other, as a reader would try them


def test_the_readme_names_every_topic_command_and_target() -> None:
    from tamis.cli import app
    from tamis.wire.topics import Topic

    text = (ROOT / "README.md").read_text("utf-8")
    for topic in Topic:
        assert f"| `{topic}` |" in text
    for command in [item.name for item in (*app.registered_commands, *app.registered_groups)]:
        assert f"| `tamis {command}" in text
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"(?:`|\$ )make ([a-z-]+)", text):
        assert re.search(rf"^{target}:", makefile, re.M)


def test_the_readme_settings_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tamis.settings import load

    text = (ROOT / "README.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.S)
    monkeypatch.chdir(tmp_path)
    Path("secrets").mkdir()
    for name in ("kafka-password", "ca.pem"):
        Path("secrets", name).write_text("x")
    Path("tamis.toml").write_text(example)
    assert load(environ={}).kafka.username == "tamis"
