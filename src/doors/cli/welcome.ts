import type { Paint } from "../../kernel/tool.ts";
import { SAMPLE_LABEL } from "../label.ts";

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

/** What a person sees when the server is up: what answers, where to point a browser, an agent and curl. */
export function welcome(
  { version, url, dataDir, mode, market, example, key, keyFile, notes }: Welcome,
  paint: Paint,
): string {
  const row = (name: string, value: string) => `  ${paint("dim", name.padEnd(9))}${value}`;
  const shown = key ?? "<key>";
  const label = mode === "sample" ? `${paint("yellow", SAMPLE_LABEL)}  ` : "";
  return [
    "",
    `${paint("bold", "Market Signal")} ${version}`,
    row("market", `${label}${market}`),
    row("data", dataDir),
    row("browser", `${url}/docs`),
    row("MCP", `${url}/api/mcp   (HTTP+SSE: ${url}/api/mcp/sse)`),
    row("REST", `${url}/api/v1   (${url}/openapi.json)`),
    ...(key === null ? [] : [row("key", `${paint("bold", key)}  ${paint("dim", "shown this once")}`)]),
    ...(keyFile === null
      ? []
      : [
          row("key", `written to ${keyFile}, readable by you alone`),
          row("", "read it, then delete the file: it is shown nowhere else"),
        ]),
    ...(key === null && keyFile === null
      ? [row("key", "npx market-signal keys create --plan pro makes one")]
      : []),
    "",
    `  claude mcp add --transport http market-signal ${url}/api/mcp --header "Authorization: Bearer ${shown}"`,
    `  curl -H "Authorization: Bearer ${shown}" ${url}${example}`,
    "  npx market-signal mcp config   (what to paste into the settings of Claude, Cursor or VS Code)",
    ...notes.map((note) => `\n  ${paint("yellow", "note")} ${note}`),
    "",
    "",
  ].join("\n");
}
