import { ToolError } from "../../kernel/errors.ts";
import type { LaunchCommand } from "./host.ts";
import { SNIPPETS } from "./mcp-snippets.ts";
import { type ClientTarget, KEY_VARIABLE } from "./mcp-target.ts";
import { codexToml } from "./mcp-toml.ts";

export interface ClientConfigOptions {
  /** True if the client starts `market-signal stdio` itself; false if it connects over HTTP. */
  readonly stdio: boolean;
  /** Base URL of the server, without a trailing slash. */
  readonly url: string;
  /** API key to write into the settings. Default: the client reads MARKET_SIGNAL_KEY or prompts for it. */
  readonly key?: string;
  /** Command that starts the program. Default: `npx -y market-signal`. */
  readonly launch?: LaunchCommand;
  /** Toolsets that the client is shown. Default: those that a server lists by itself. */
  readonly toolsets?: readonly string[];
}

/** Text in place of the key, for clients that read no variables. */
const PLACEHOLDER = "<your API key>";
/** Command that starts the published package. */
export const NPX_LAUNCH: LaunchCommand = { command: "npx", args: ["-y", "market-signal"] };
const NAME = "market-signal";

interface ClientFormat {
  readonly title: string;
  /** File that holds the settings, or what to do with them. */
  readonly place: string;
  /** Returns JSON settings as an object, or settings in another language as text. */
  readonly render: (target: ClientTarget) => object | string;
}

/** Returns a placeholder that clients replace with the value of a variable. */
const variable = (name: string): string => `\${${name}}`;

/** Returns the settings of clients that read `mcpServers`: `remote` is the server over HTTP. */
const inMcpServers =
  (remote: (url: string, bearer: string) => object, reference: string) =>
  ({ server, url, key }: ClientTarget): object => ({
    mcpServers: { [NAME]: server ?? remote(url, `Bearer ${key ?? reference}`) },
  });

const typedHttp = (url: string, bearer: string): object => ({
  type: "http",
  url,
  headers: { Authorization: bearer },
});

/** Claude Desktop starts programs only, so mcp-remote connects to the server; it splits arguments at spaces on Windows. */
const throughProxy = (url: string, bearer: string): object => ({
  command: "npx",
  args: [
    "-y",
    "mcp-remote",
    url,
    "--header",
    `Authorization:${variable("AUTH_HEADER")}`,
    ...(needsPermission(url) ? ["--allow-http"] : []),
  ],
  env: { AUTH_HEADER: bearer },
});

const needsPermission = (url: string): boolean =>
  /^http:\/\/(?!(localhost|127\.0\.0\.1|\[::1\])([:/]|$))/.test(url);

function visualStudioCode({ server, url, key }: ClientTarget): object {
  if (server !== null) return { servers: { [NAME]: { type: "stdio", ...server } } };
  const input = "market-signal-key";
  const inputs = [{ type: "promptString", id: input, description: "Market Signal API key", password: true }];
  const bearer = `Bearer ${key ?? variable(`input:${input}`)}`;
  return { ...(key === null && { inputs }), servers: { [NAME]: typedHttp(url, bearer) } };
}

/** The format of each client by the name that `mcp config` takes. */
export const CLIENTS: Readonly<Record<string, ClientFormat>> = {
  "claude-code": {
    title: "Claude Code",
    place: ".mcp.json in the project",
    render: inMcpServers(typedHttp, variable(KEY_VARIABLE)),
  },
  "claude-desktop": {
    title: "Claude Desktop",
    place: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    render: inMcpServers(throughProxy, PLACEHOLDER),
  },
  cursor: {
    title: "Cursor",
    place: "~/.cursor/mcp.json, or .cursor/mcp.json in the project",
    render: inMcpServers(typedHttp, variable(`env:${KEY_VARIABLE}`)),
  },
  vscode: {
    title: "Visual Studio Code",
    place: ".vscode/mcp.json in the project; it prompts for the key",
    render: visualStudioCode,
  },
  codex: {
    title: "Codex",
    place: "~/.codex/config.toml",
    render: (target) => codexToml(NAME, target, KEY_VARIABLE),
  },
  windsurf: {
    title: "Windsurf",
    place: "~/.codeium/windsurf/mcp_config.json",
    render: inMcpServers(
      (url, bearer) => ({ serverUrl: url, headers: { Authorization: bearer } }),
      variable(`env:${KEY_VARIABLE}`),
    ),
  },
  zed: {
    title: "Zed",
    place: "settings.json of Zed; replace the placeholder by the key",
    render: ({ server, url, key }) => ({
      context_servers: {
        [NAME]: server ?? { url, headers: { Authorization: `Bearer ${key ?? PLACEHOLDER}` } },
      },
    }),
  },
  "gemini-cli": {
    title: "Gemini CLI",
    place: "~/.gemini/settings.json, or .gemini/settings.json in the project",
    render: inMcpServers(
      (url, bearer) => ({ httpUrl: url, headers: { Authorization: bearer } }),
      variable(KEY_VARIABLE),
    ),
  },
  ...SNIPPETS,
};

/** Earlier names of clients. */
const ALIASES: Readonly<Record<string, string>> = { claude: "claude-code" };

/** Returns the URL of MCP over HTTP at a server, for the given toolsets. */
export const mcpUrl = (url: string, toolsets: readonly string[] = []): string =>
  `${url}/api/mcp${toolsets.length === 0 ? "" : `?toolsets=${toolsets.join(",")}`}`;

/** Returns the settings of a client: an object for JSON, else text. Throws INVALID_INPUT for an unknown client. */
export function clientConfig(
  client: string,
  { stdio, url, key, launch = NPX_LAUNCH, toolsets }: ClientConfigOptions,
): object | string {
  const name = ALIASES[client] ?? client;
  const format = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (format === undefined)
    throw new ToolError("INVALID_INPUT", `There is no client "${client.slice(0, 40)}"`, {
      hint: `Clients: ${Object.keys(CLIENTS).join(", ")}.`,
    });
  return format.render({
    server: stdio ? { ...launch, args: [...launch.args, "stdio"] } : null,
    url: mcpUrl(url, toolsets),
    key: key ?? null,
  });
}
