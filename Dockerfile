# Coldframe in a container. Any engine builds it; nothing here needs BuildKit.
#
#   docker build -t coldframe .
#   docker run --rm -p 4010:4010 coldframe
#   docker run --rm -p 4010:4010 -v "$PWD:/data:ro" -w /data coldframe api.yaml
#
# scripts/rehearse-container.ts carries these steps out without an engine.

# All packages of the lock file. No sources yet: a change in them leaves this layer as it is.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts, because "prepare" would compile the sources, which are not here.
RUN npm ci --ignore-scripts --no-audit --no-fund

FROM packages AS build
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build

FROM packages AS production
# Without scripts, because "prepare" needs the compiler that goes here.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim
LABEL org.opencontainers.image.title="coldframe" \
      org.opencontainers.image.description="A mock server for any OpenAPI document: it remembers, it refuses with reasons, it fails on request, and it never answers what the document does not allow." \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
# Without COLDFRAME_HOST it would listen where only the container itself reaches it.
ENV NODE_ENV=production \
    COLDFRAME_HOST=0.0.0.0 \
    COLDFRAME_PORT=4010
WORKDIR /app
# What changes least comes first.
COPY --from=production /app/node_modules ./node_modules
COPY LICENSE package.json ./
COPY spec ./spec
COPY fixtures ./fixtures
COPY --from=build /app/dist ./dist
# Owns nothing in /app, so it can change nothing there; a read-only root file system will do.
USER node
EXPOSE 4010
# Node itself asks: the image has no curl.
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "/app/dist/main.js", "health"]
# Node is PID 1 and gets the signals itself; no shell or npm stands between.
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["mock"]
