# The wheel is built in the first stage; the image holds Python, the wheels and nothing else.
FROM python:3.11-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
WORKDIR /source
COPY pyproject.toml setup.py MANIFEST.in README.md CHANGELOG.md LICENSE ./
COPY engine engine
COPY search search
COPY api api
RUN pip wheel --no-cache-dir --wheel-dir /wheels .

FROM python:3.11-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels shelfie && rm -r /wheels
RUN useradd --no-create-home --shell /usr/sbin/nologin shelfie
USER shelfie
# One thread per worker process for numeric libraries; the service has its own workers.
ENV HOST=0.0.0.0 PORT=8000 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s CMD ["python", "-m", "shelfie.api.health"]
CMD ["shelfie", "serve"]
