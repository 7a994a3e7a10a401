"""The container of `deploy/`, built by buildah: it runs as its user, and a game is played at the table in it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.folders import HOME
from tests.needs import needs

httpx = needs("httpx")
needs("litestar")

from tests.table.tables import new_game

CONTAINERFILE = HOME / "deploy/Containerfile"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
# What the Python of this machine needs of its distribution.
LIBRARIES = "ca-certificates,libbz2-1.0,libffi8,liblzma5,libncursesw6,libreadline8,libsqlite3-0,libssl3,zlib1g"
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(shutil.which("buildah") is None, reason="no buildah is installed"),
    pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="not the superuser"),
]


class Buildah:
    """Images and containers in a folder of their own; containers share the network of the machine."""

    def __init__(self, folder: Path) -> None:
        places = ["--root", str(folder / "store"), "--runroot", str(folder / "run")]
        self.command = ["buildah", *places, "--storage-driver", "vfs"]
        self.surroundings = {**os.environ, "BUILDAH_ISOLATION": "chroot"}

    def __call__(self, *arguments: str | Path) -> str:
        run = subprocess.run(
            [*self.command, *map(str, arguments)],
            env=self.surroundings,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
        return run.stdout.strip()


def has_image(buildah: Buildah, name: str) -> bool:
    """Whether an image can be had from its registry."""
    command = [*buildah.command, "pull", "--quiet", name]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def make_base(buildah: Buildah, name: str, folder: Path) -> None:
    """An image of the distribution and the Python of this machine, under the name of another one."""
    if shutil.which("debootstrap", path=f"{os.environ['PATH']}:/usr/sbin") is None:
        pytest.skip(f"no registry has {name}, and no debootstrap is installed")
    root, python = folder / "root", f"python{sys.version_info.major}.{sys.version_info.minor}"
    (release,) = re.findall(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.M)
    options = ["--variant=minbase", f"--include={LIBRARIES}", release, str(root)]
    subprocess.run(["debootstrap", *options], check=True, capture_output=True)
    ignored = shutil.ignore_patterns("site-packages", "test", "__pycache__")
    source, target = Path(sys.base_prefix), root / "usr/local"
    for part in ("bin", "lib"):
        shutil.copytree(source / part, target / part, True, ignored, dirs_exist_ok=True)
    (target / "bin/python").unlink(missing_ok=True)
    (target / "bin/python").symlink_to(python)
    if CERTIFICATES.exists():  # whom this machine trusts
        shutil.copy(CERTIFICATES, root / CERTIFICATES.relative_to("/"))
    for command in (["/sbin/ldconfig"], ["/usr/local/bin/python", "-m", "ensurepip"]):
        subprocess.run(["chroot", root, *command], check=True, capture_output=True)
    pip = target / "bin/pip"
    trusted = f"PIP_CERT={CERTIFICATES} " if CERTIFICATES.exists() else ""
    pip.write_text(f'#!/bin/sh\n{trusted}exec /usr/local/bin/python -m pip "$@"\n')
    pip.chmod(0o755)
    container = buildah("from", "scratch")
    buildah("add", "--quiet", container, root, "/")
    buildah("config", "--env", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", container)
    buildah("commit", "--quiet", container, name)
    buildah("rm", container)
    shutil.rmtree(root)


@contextmanager
def running(buildah: Buildah, container: str, options: list[str]) -> Iterator[str]:
    """The address of the table in a container, as its entry point begins it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    entry = [word.strip('"') for word in buildah("inspect", "--format", FORMAT, container).split()]
    command = [*buildah.command, "run", container, "--", *entry, *options, "--port", str(port)]
    process = subprocess.Popen(
        command, env=buildah.surroundings, stdout=subprocess.DEVNULL, start_new_session=True
    )
    address, end = f"http://127.0.0.1:{port}", time.monotonic() + 120
    try:
        while process.poll() is None and time.monotonic() < end:
            try:
                if httpx.get(f"{address}/health").status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.2)
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(60)


FORMAT = '{{range .OCIv1.Config.Entrypoint}}{{printf "%s " .}}{{end}}'


def test_the_container_is_built_and_a_game_is_played_in_it(tmp_path: Path) -> None:
    buildah = Buildah(tmp_path)
    (base,) = re.findall(r"^FROM (\S+)", CONTAINERFILE.read_text("utf-8"), re.MULTILINE)
    if not has_image(buildah, base):
        make_base(buildah, base, tmp_path)
    options = ["--pull-never", "--network", "host", "--format", "docker"]
    buildah("build-using-dockerfile", *options, "-f", CONTAINERFILE, "-t", "table", HOME)
    container = buildah("from", "--pull-never", "localhost/table")

    assert buildah("run", container, "--", "id", "-un") == "table"
    assert "urlopen" in buildah("inspect", "--format", "{{.Docker.Config.Healthcheck}}", container)
    options = ["--metrics", "--log", "--given-seeds", "--rulesets", "connect-four-1.0"]
    with running(buildah, container, options) as address, httpx.Client(base_url=address) as web:
        name, seats = new_game(web, "connect-four-1.0", "empty-board")
        state = seats["Red"].state()
        action = state["view"]["actions"][0]["text"]
        played = seats["Red"].post("/actions", {"number": state["number"], "action": action})
        assert played.status_code == 200, played.text
    # Another run of the container has the game, from its volume.
    with running(buildah, container, options) as address, httpx.Client(base_url=address) as web:
        assert web.get(f"/api/games/{name}").json()["number"] == 1
