# The wheels are built in the first stage; the images hold Python, what was installed, nothing else.
#
#   docker build -t shelfie .                           the service
#   docker build -t shelfie-cluster --target cluster .  the same with Dask, for deploy/dask
FROM python:3.11-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
WORKDIR /source
COPY pyproject.toml setup.py MANIFEST.in README.md CHANGELOG.md LICENSE ./
COPY engine engine
COPY search search
COPY api api
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[cluster]"

FROM python:3.11-slim AS base
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin shelfie
# One thread per process for numeric libraries; the program has its own processes.
ENV OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

FROM base AS cluster
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels "shelfie[cluster]"
USER 10001:10001
CMD ["dask", "--help"]

# Nothing is written but in memory: the root file system may be read-only where /dev/shm is a tmpfs.
FROM base
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels shelfie
USER 10001:10001
ENV HOST=0.0.0.0 PORT=8000
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s CMD ["python", "-m", "shelfie.api.health"]
CMD ["shelfie", "serve"]
