import type { ClientTarget } from "./mcp-target.ts";

/**
 * Returns the settings of Codex, which reads the key from a variable; a given key becomes a header.
 * @see https://developers.openai.com/codex/mcp
 */
export function codexToml(name: string, { server, url, key }: ClientTarget, keyVariable: string): string {
  const table = `[mcp_servers.${name}]`;
  if (server !== null)
    return [
      table,
      `command = ${text(server.command)}`,
      `args = [${server.args.map(text).join(", ")}]`,
      ...(server.env === undefined ? [] : [`env = ${inlineTable(server.env)}`]),
      "",
    ].join("\n");
  const credential =
    key === null
      ? `bearer_token_env_var = ${text(keyVariable)}`
      : `http_headers = ${inlineTable({ Authorization: `Bearer ${key}` })}`;
  return [table, `url = ${text(url)}`, credential, ""].join("\n");
}

const inlineTable = (fields: Readonly<Record<string, string>>): string =>
  `{ ${Object.entries(fields)
    .map(([name, value]) => `${text(name)} = ${text(value)}`)
    .join(", ")} }`;

/** A basic string of TOML has the escapes of JSON, and needs one more. */
const text = (value: string): string => JSON.stringify(value).replaceAll("\u007f", "\\u007f");
