# Builds the server from this folder: docker build -t market-signal .
# BASE is any Linux with Node 24, npm and a user with the id 1000.
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# nothing is compiled: on Node 24 the lockfile leaves out the only package that would be
RUN npm ci --ignore-scripts
COPY LICENSE mcp.json tsconfig.json ./
COPY .config .config
COPY agents agents
COPY tools tools
COPY skills skills
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM ${BASE}
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/mcp.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN ln -s /app/dist/main.js /usr/local/bin/market-signal \
  && mkdir -m 700 /data \
  && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8787}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--optimize-for-size", "/app/dist/main.js"]
CMD ["serve"]
