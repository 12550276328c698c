import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import type { Paint } from "../../kernel/tool.ts";
import { shellWord } from "../../lib/shell-quote.ts";
import { CREATE_KEY_COMMAND, clientSetup } from "../connect.ts";

export interface Welcome {
  readonly version: string;
  readonly url: string;
  readonly dataDir: string;
  readonly mode: "sample" | "files" | "live";
  /** Description of the market. */
  readonly market: string;
  /** Path of an example request that works in this market. */
  readonly example: string;
  /** Key that was just created and is shown only at this start; null for any other start and without a terminal. */
  readonly key: string | null;
  /** File that holds the first key; null once its owner has deleted it. */
  readonly keyFile: string | null;
  /** Address that signs a browser in once; null behind a proxy and without a terminal. */
  readonly page: string | null;
  /** File that holds that address; null behind a proxy. */
  readonly pageFile: string | null;
  /** true: apps may connect by sign-in. */
  readonly allowsApps: boolean;
  readonly notes: readonly string[];
}

/**
 * Returns the text shown at server start: the market, the first three steps, then all addresses. Each command is on a
 * line of its own, ready to paste.
 */
export function formatWelcome(
  { version, url, dataDir, mode, market, example, key, keyFile, page, pageFile, allowsApps, notes }: Welcome,
  paint: Paint,
): string {
  const to = clientSetup({ url, example, key });
  const step = (number: number, what: string) => ["", `${paint("bold", `${number}  ${what}`)}`];
  const row = (name: string, value: string) => `  ${paint("dim", name.padEnd(9))}${value}`;
  return [
    "",
    `${paint("bold", "Market Signal")} ${version}`,
    ...(mode === "sample"
      ? [
          `${paint("yellow", SAMPLE_LABEL)}  ${market}. For real prices:`,
          "  MARKET_DATA=live market-signal serve",
        ]
      : [market]),
    ...step(1, "Open this page: it turns green at your agent's first call"),
    `  ${page ?? `${url}/`}`,
    ...formatPageNote({ page, pageFile }).map((line) => `  ${paint("dim", line)}`),
    ...step(2, "Connect your agent"),
    ...formatKeyNote({ key, keyFile }, paint).map((line) => `  ${line}`),
    `  ${paint("dim", "Claude Code:")}`,
    `  ${to.claude}`,
    `  ${paint("dim", "Cursor, in ~/.cursor/mcp.json:")}`,
    `  ${to.cursor}`,
    `  ${paint("dim", "VS Code, in .vscode/mcp.json (Claude Desktop: --client claude --stdio):")}`,
    "  market-signal mcp config --client vscode",
    ...(allowsApps
      ? [`  ${paint("dim", "An app that signs in, without a key, at this address:")}`, `  ${to.mcp}`]
      : []),
    ...step(3, "Or call it from a shell"),
    `  ${to.curl}`,
    "",
    row("docs", `${url}/docs`),
    row("MCP", `${to.mcp}   (HTTP+SSE: ${to.mcp}/sse)`),
    row("A2A", `${to.a2a}   (agent card: ${to.agentCard})`),
    row("REST", `${url}/api/v1   (${url}/openapi.json)`),
    row("data", dataDir),
    ...notes.map((note) => `\n  ${paint("yellow", "note")} ${note}`),
    "",
    "",
  ].join("\n");
}

/** Returns a line that says how a browser is signed in. */
const formatPageNote = ({ page, pageFile }: Pick<Welcome, "page" | "pageFile">): readonly string[] =>
  page !== null
    ? ["The link signs one browser in, for 12 hours; `market-signal open` prints another."]
    : pageFile !== null
      ? [`The address in ${pageFile} signs one browser in; \`market-signal open\` prints another.`]
      : [];

/** Returns lines that show the key or say where it is. */
function formatKeyNote({ key, keyFile }: Pick<Welcome, "key" | "keyFile">, paint: Paint): readonly string[] {
  if (key !== null)
    return [
      `${paint("bold", key)}  ${paint("dim", "your key, shown only once and already inserted below")}`,
      ...(keyFile === null ? [] : [paint("dim", `It is saved in ${keyFile}, readable only by you`)]),
    ];
  if (keyFile === null)
    return [
      paint("dim", "These commands read your key from MARKET_SIGNAL_KEY. To create another key:"),
      CREATE_KEY_COMMAND,
    ];
  return [
    paint("dim", `Your key is in ${keyFile}, readable only by you. Save it, then delete the file:`),
    `export MARKET_SIGNAL_KEY="$(cat ${shellWord(keyFile)})"`,
  ];
}
