# syntax=docker/dockerfile:1

# The build runs on the builder's own processor also for others: nothing is compiled, and npm selects the programs.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --workspaces=false --legacy-peer-deps --no-audit --no-fund
COPY . .
RUN npm run build
ARG TARGETARCH
RUN node scripts/release.mjs --unpacked --cpu "$(test "$TARGETARCH" = arm64 && echo arm64 || echo x64)" \
  && mv release/banger-or-bust-* /release

FROM --platform=$BUILDPLATFORM node:24-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS companion-packages
WORKDIR /app/companion
COPY companion/package.json companion/package-lock.json companion/.npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS node

# Node alone: its image also has npm, Yarn and headers. It is made from the same Debian.
FROM debian:bookworm-slim@sha256:3783cc01769c7b2b1b83a5c5ad96c815348e28ed7da68e2e3687004faa906251 AS server
COPY --from=node /usr/local/bin/node /usr/local/bin/node
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node \
  && install -d -o node -g node -m 0700 /data /backup
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PROCESSES=1
# What changes least comes first.
COPY --from=build /release/node_modules ./node_modules
COPY --from=build /release/catalogue ./catalogue
COPY --from=build /release/server ./server
COPY --from=build /release/docs/api.md ./docs/
COPY --from=build /release/dist ./dist
COPY --from=build /release/package.json ./
# PostgreSQL does not run as root, and nothing else has to.
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]

# docker build --target companion
FROM server AS companion
COPY companion/package.json ./companion/
COPY --from=companion-packages /app/companion/node_modules ./companion/node_modules
ENV COMPANION_PORT=3020
EXPOSE 3020
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.COMPANION_PORT + '/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/programs/companion.js"]

# Without a target, the server.
FROM server
