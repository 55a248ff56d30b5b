# docker build -t polysee . && docker run --rm -p 8501:8501 polysee
# With a root that nobody can write to:
#   docker run --rm -p 8501:8501 --read-only --tmpfs /tmp --cap-drop ALL \
#       --security-opt no-new-privileges polysee

FROM python:3.12-slim AS build

ENV PIP_NO_CACHE_DIR=1 PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /build
COPY requirements.txt constraints.txt requirements-audit.txt ./
RUN python -m venv /opt/polysee
# torch first and alone, without CUDA; the version is the pinned one. What it needs comes with the rest,
# and so does the model: it is a package.
RUN /opt/polysee/bin/pip install --no-deps --index-url https://download.pytorch.org/whl/cpu \
        "$(grep -o '^torch==[^ ]*' requirements.txt)" \
    && /opt/polysee/bin/pip install -r requirements.txt
# The bill of materials, by a tool that stays behind: /opt/polysee/sbom.json
RUN python -m venv /opt/audit \
    && /opt/audit/bin/pip install "$(grep -o '^cyclonedx-bom==[^ ]*' requirements-audit.txt)" \
    && /opt/audit/bin/cyclonedx-py environment --output-reproducible \
        --output-file /opt/polysee/sbom.json /opt/polysee/bin/python


FROM python:3.12-slim

RUN useradd --create-home --uid 10001 polysee
COPY --from=build /opt/polysee /opt/polysee
WORKDIR /polysee
COPY . .
# Translated once, here: the app's own folder cannot be written to at run time.
RUN /opt/polysee/bin/python -m compileall -q app.py core pages ui

USER 10001:10001

ENV PATH=/opt/polysee/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# Nothing is fetched at run time: without a hub, only what is in the image is offered. What libraries
# want to write besides goes where a read-only container has room.
ENV POLYSEE_HUB=off HF_HUB_OFFLINE=1 HF_HUB_DISABLE_TELEMETRY=1 \
    HOME=/tmp NUMBA_CACHE_DIR=/tmp/numba STREAMLIT_LOGGER_HIDE_WELCOME_MESSAGE=true

# What one thread frees, another takes: glibc gives threads heaps of their own, eight to a core, and 16
# visitors took 60 to 95 MB more that way.
ENV MALLOC_ARENA_MAX=2

EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/ready', timeout=4)"]
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.port=8501", "--server.address=0.0.0.0"]
