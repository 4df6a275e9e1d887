# syntax=docker/dockerfile:1

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim AS companion-packages
WORKDIR /app/companion
COPY companion/package.json companion/package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim AS server
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PROCESSES=1
RUN install -d -o node -g node -m 0700 /data /backup
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/catalogue ./catalogue
COPY --from=build /app/server/db/migrations ./server/db/migrations
COPY --from=build /app/server/db/functions ./server/db/functions
COPY --from=build /app/dist ./dist
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
