const KEY = {
  name: "Authorization",
  description: "An API key of this server",
  value: "Bearer {key}",
  isRequired: true,
  isSecret: true,
  variables: { key: { description: "API key, such as ms_live_...", isRequired: true, isSecret: true } },
};

/**
 * Returns server.json of a version, for the MCP registry. With the address of a public server it has `remotes`, so that
 * clients can use that server instead of starting the program.
 */
export function serverManifest(server, version, publicUrl = null) {
  const manifest = { ...server, version, packages: server.packages.map((one) => ({ ...one, version })) };
  if (publicUrl === null) return manifest;
  const base = publicUrl.replace(/\/+$/, "");
  return {
    ...manifest,
    remotes: [
      { type: "streamable-http", url: `${base}/api/mcp`, headers: [KEY] },
      { type: "sse", url: `${base}/api/mcp/sse`, headers: [KEY] },
    ],
  };
}
