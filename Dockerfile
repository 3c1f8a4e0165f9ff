# Coldframe in a container. Builds with any engine, without BuildKit.
#
#   docker build -t coldframe .
#   docker run --rm -p 4010:4010 coldframe
#   docker run --rm -p 4010:4010 -v "$PWD:/data:ro" -w /data coldframe api.yaml
#
# scripts/rehearse-container.ts runs these steps without an engine.

# All packages of the lock file, without sources: a change of the sources keeps this layer.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts, because "prepare" would compile the sources.
RUN npm ci --ignore-scripts --no-audit --no-fund

FROM packages AS build
COPY tsconfig.json ./
COPY scripts/build.ts ./scripts/
# The build writes a digest of the plant store.
COPY spec ./spec
COPY fixtures ./fixtures
COPY src ./src
RUN npm run build -- --program

FROM packages AS production
COPY scripts/ship-packages.ts ./scripts/
RUN node scripts/ship-packages.ts shipped

FROM node:24-slim AS program
WORKDIR /app
# The layers that change least come first.
COPY --from=production /app/shipped ./node_modules
COPY LICENSE package.json ./
COPY spec ./spec
COPY fixtures ./fixtures
COPY --from=build /app/dist ./dist

FROM program AS compiled
COPY scripts/compile-ahead.ts ./scripts/
RUN node scripts/compile-ahead.ts compiled 1000

FROM program
LABEL org.opencontainers.image.title="coldframe" \
      org.opencontainers.image.description="A stateful mock server for OpenAPI documents: it stores what requests create, explains refusals, fails on demand, and never responds outside the document." \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
# The default host, 127.0.0.1, is reachable only from inside the container.
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/compiled \
    COLDFRAME_HOST=0.0.0.0 \
    COLDFRAME_PORT=4010
COPY --from=compiled /app/compiled ./compiled
# The user "node", who owns no file in /app; a read-only root file system is enough. By its number,
# as Kubernetes cannot tell from a name that it is not root (runAsNonRoot).
USER 1000
EXPOSE 4010
# The image has no curl.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "/app/dist/main.js", "health"]
# Node.js is PID 1 and receives signals directly, without a shell or npm in between.
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["mock"]
