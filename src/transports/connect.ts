import type { Market } from "../domain/market/market.ts";
import type { Registry } from "../kernel/registry.ts";
import { clientConfig } from "./cli/mcp-config.ts";

/** Runs the server on prices of one's own in place of made-up ones. */
export const REAL_DATA_COMMAND = "MARKET_DATA=live npm start";
/** Makes a further key that opens every door. */
export const CREATE_KEY_COMMAND = "npx market-signal keys create --plan pro";

interface ConnectionOptions {
  /** Where the server is reached, without a trailing slash. */
  readonly url: string;
  /** Path of a first question. */
  readonly example: string;
  /** The key to write into the commands; without it they take it from MARKET_SIGNAL_KEY. */
  readonly key?: string | null;
}

/** What connects each client, each ready to paste as it stands. */
export interface Connections {
  /** Shell commands. */
  readonly claude: string;
  readonly curl: string;
  /** One line of JSON for ~/.cursor/mcp.json. */
  readonly cursor: string;
  /** Opens Cursor and asks to add the server. @see https://cursor.com/docs/mcp/install-links */
  readonly cursorLink: string;
  /** JSON for .vscode/mcp.json, which asks for the key itself. */
  readonly vscode: string;
  readonly mcp: string;
  readonly a2a: string;
  readonly agentCard: string;
}

/** How an agent, an editor and a shell reach this server. */
export function connections({ url, example, key = null }: ConnectionOptions): Connections {
  const header = `"Authorization: Bearer ${key ?? "$MARKET_SIGNAL_KEY"}"`;
  const wish = { child: false, url, ...(key !== null && { key }) };
  const cursor = clientConfig("cursor", wish) as { mcpServers: Record<string, object> };
  const inCursor = Buffer.from(JSON.stringify(cursor.mcpServers["market-signal"])).toString("base64");
  const mcp = `${url}/api/mcp`;
  return {
    claude: `claude mcp add --transport http market-signal ${shellQuote(mcp)} --header ${header}`,
    curl: `curl -H ${header} ${shellQuote(`${url}${example}`)}`,
    cursor: JSON.stringify(cursor),
    cursorLink: `cursor://anysphere.cursor-deeplink/mcp/install?name=market-signal&config=${encodeURIComponent(inCursor)}`,
    vscode: JSON.stringify(clientConfig("vscode", wish), null, 2),
    mcp,
    a2a: `${url}/api/a2a`,
    agentCard: `${url}/.well-known/agent-card.json`,
  };
}

/** One word of a shell, whatever it holds. */
export const shellQuote = (text: string): string =>
  /^[\w.:/%@+~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Path of a first question that this market answers, about the symbol that its demo shows. Of the tools that need no more
 * than that, one that takes tasks, else the first with a command of its own; without either, what may be asked.
 */
export function exampleRequestPath({ tools }: Pick<Registry, "tools">, { demo }: Market): string {
  if (demo === undefined) return FALLBACK_PATH;
  const asking = tools.flatMap(({ cli, route, input, tasks = [] }) => {
    const [, path = "", field = ""] = /^GET (\/[^:]*):(\w+)$/.exec(route) ?? [];
    const answers = cli?.command !== undefined && input.safeParse({ [field]: demo }).success;
    return answers ? [{ path: `${path}${encodeURIComponent(demo)}`, takesTasks: tasks.length > 0 }] : [];
  });
  return (asking.find(({ takesTasks }) => takesTasks) ?? asking[0])?.path ?? FALLBACK_PATH;
}

const FALLBACK_PATH = "/openapi.json";
