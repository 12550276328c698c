import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import type { Paint } from "../../kernel/tool.ts";
import { CREATE_KEY_COMMAND, connections, REAL_DATA_COMMAND, shellQuote } from "../connect.ts";

export interface Welcome {
  readonly version: string;
  readonly url: string;
  readonly dataDir: string;
  readonly mode: "sample" | "files" | "live";
  /** What answers, in words. */
  readonly market: string;
  /** Path of a first question this market can answer. */
  readonly example: string;
  /** A key just made, shown this once; null where there was one already. */
  readonly key: string | null;
  /** Where the key was written instead, without a terminal. */
  readonly keyFile: string | null;
  readonly notes: readonly string[];
}

/**
 * What a person sees when the server is up: what answers, then what to do first, second and third, then where
 * everything is. A command stands on a line of its own, ready to paste.
 */
export function formatWelcome(
  { version, url, dataDir, mode, market, example, key, keyFile, notes }: Welcome,
  paint: Paint,
): string {
  const to = connections({ url, example, key });
  const step = (number: number, what: string) => ["", `${paint("bold", `${number}  ${what}`)}`];
  const row = (name: string, value: string) => `  ${paint("dim", name.padEnd(9))}${value}`;
  return [
    "",
    `${paint("bold", "Market Signal")} ${version}`,
    ...(mode === "sample"
      ? [`${paint("yellow", SAMPLE_LABEL)}  ${market}. For real prices:`, `  ${REAL_DATA_COMMAND}`]
      : [market]),
    ...step(1, "Open this page: it turns green at your agent's first call"),
    `  ${url}/`,
    ...step(2, "Connect your agent"),
    ...formatKeyNote({ key, keyFile }, paint).map((line) => `  ${line}`),
    `  ${paint("dim", "Claude Code:")}`,
    `  ${to.claude}`,
    `  ${paint("dim", "Cursor, in ~/.cursor/mcp.json:")}`,
    `  ${to.cursor}`,
    `  ${paint("dim", "VS Code, in .vscode/mcp.json (Claude Desktop: --client claude --stdio):")}`,
    "  npx market-signal mcp config --client vscode",
    ...step(3, "Or ask from a shell"),
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

/** Where the key is, and how the commands below come by it. */
function formatKeyNote({ key, keyFile }: Pick<Welcome, "key" | "keyFile">, paint: Paint): readonly string[] {
  if (key !== null)
    return [`${paint("bold", key)}  ${paint("dim", "your key, shown this once and filled in below")}`];
  if (keyFile === null)
    return [
      paint("dim", "They take your key from the variable MARKET_SIGNAL_KEY. A further key:"),
      CREATE_KEY_COMMAND,
    ];
  return [
    paint("dim", `The key is written to ${keyFile}, readable by you alone; keep it, then delete the file:`),
    `export MARKET_SIGNAL_KEY="$(cat ${shellQuote(keyFile)})"`,
  ];
}
