import type { Market } from "../domain/market/market.ts";
import type { Registry } from "../kernel/registry.ts";
import { shellWord } from "../lib/shell-quote.ts";
import { clientConfig, mcpUrl } from "./cli/mcp-config.ts";

/** Command that starts the server with live data instead of sample data. */
export const REAL_DATA_COMMAND = "MARKET_DATA=live npm start";
/** Lowest plan whose accounts may use MCP. */
export const MCP_PLAN = "pro";
/** Path of the links that sign a browser in. */
export const LINK_PATH = "/open";
/** Page on which a person sets how they sign in. */
export const ACCOUNT_PATH = "/account";
/** Page on which the owner manages people. */
export const PEOPLE_PATH = "/people";
/** Path of the links that people are invited by: a page whose button signs the browser in. */
export const INVITED_PATH = "/invited";
/** Command that creates another API key of the account that the command line uses. */
export const CREATE_KEY_COMMAND = "npx market-signal keys create --account owner";
/** Restores a backup in the data folder. */
export const RESTORE_COMMAND = "npx market-signal restore --replace <file>";

/** Name of the server in the settings of clients. */
const NAME = "market-signal";

interface ClientSetupOptions {
  /** Base URL of the server, without a trailing slash. */
  readonly url: string;
  /** Path of the example request. */
  readonly example: string;
  /** Key to insert into the commands. Default: the variable MARKET_SIGNAL_KEY. */
  readonly key?: string | null;
  /** Toolsets that clients of MCP are shown. Default: those that a server lists by itself. */
  readonly toolsets?: readonly string[];
}

/** Connection commands and settings of each client, ready to paste. */
export interface ClientSetup {
  /** Shell commands. */
  readonly claude: string;
  readonly curl: string;
  /** One line of JSON for ~/.cursor/mcp.json. */
  readonly cursor: string;
  /** Link that opens Cursor with a prompt to add the server. @see https://cursor.com/docs/mcp/install-links */
  readonly cursorLink: string;
  /** JSON for .vscode/mcp.json, which prompts for the key. */
  readonly vscode: string;
  /** Link that opens Visual Studio Code with a prompt to add the server. @see https://code.visualstudio.com/api/extension-guides/ai/mcp */
  readonly vscodeLink: string;
  readonly mcp: string;
  readonly a2a: string;
  readonly agentCard: string;
}

/** Returns the connection settings for agents, editors and shells. */
export function clientSetup({ url, example, key = null, toolsets = [] }: ClientSetupOptions): ClientSetup {
  const header = `"Authorization: Bearer ${key ?? "$MARKET_SIGNAL_KEY"}"`;
  const target = { stdio: false, url, toolsets, ...(key !== null && { key }) };
  const cursor = clientConfig("cursor", target) as { mcpServers: Record<string, object> };
  const vscode = clientConfig("vscode", target) as { servers: Record<string, object>; inputs?: object };
  const mcp = mcpUrl(url, toolsets);
  return {
    claude: `claude mcp add --transport http ${NAME} ${shellWord(mcp)} --header ${header}`,
    curl: `curl -H ${header} ${shellWord(`${url}${example}`)}`,
    cursor: JSON.stringify(cursor),
    cursorLink: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(btoa(JSON.stringify(cursor.mcpServers[NAME])))}`,
    vscode: JSON.stringify(vscode, null, 2),
    vscodeLink: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, ...vscode.servers[NAME], inputs: vscode.inputs }))}`,
    mcp,
    a2a: `${url}/api/a2a`,
    agentCard: `${url}/.well-known/agent-card.json`,
  };
}

/**
 * Returns the path of an example request for the market's demo symbol: of the first tool that serves a task, or else
 * the first tool with its own command whose only required input is the symbol. Default: /openapi.json.
 */
export function exampleRequestPath({ tools }: Pick<Registry, "tools">, { demo }: Market): string {
  if (demo === undefined) return FALLBACK_PATH;
  const candidates = tools.flatMap(({ cli, route, input, tasks = [] }) => {
    const [, path = "", field = ""] = /^GET (\/[^:]*):(\w+)$/.exec(route) ?? [];
    const isCallable = cli?.command !== undefined && input.safeParse({ [field]: demo }).success;
    return isCallable ? [{ path: `${path}${encodeURIComponent(demo)}`, servesTasks: tasks.length > 0 }] : [];
  });
  return (candidates.find(({ servesTasks }) => servesTasks) ?? candidates[0])?.path ?? FALLBACK_PATH;
}

const FALLBACK_PATH = "/openapi.json";
