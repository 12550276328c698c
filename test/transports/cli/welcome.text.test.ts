import { describe, expect, it } from "vitest";
import { formatWelcome, type Welcome } from "../../../src/transports/cli/welcome.text.ts";

const plain = (_: string, text: string): string => text;
const facts: Welcome = {
  version: "9.9.9",
  url: "http://127.0.0.1:8787",
  dataDir: "/data",
  mode: "sample",
  market: "62 symbols",
  example: "/api/v1/signals/AAPL",
  key: null,
  keyFile: null,
  page: null,
  pageFile: null,
  allowsApps: false,
  notes: [],
};

describe("formatWelcome", () => {
  it("shows the market and the first steps, ready to paste", () => {
    expect(formatWelcome({ ...facts, key: "ms_live_x" }, plain)).toBe(`
Market Signal 9.9.9
SAMPLE (simulated)  62 symbols. For real prices:
  MARKET_DATA=live market-signal serve

1  Open this page: it turns green at your agent's first call
  http://127.0.0.1:8787/

2  Connect your agent
  ms_live_x  your key, shown only once and already inserted below
  Claude Code:
  claude mcp add --transport http market-signal http://127.0.0.1:8787/api/mcp --header "Authorization: Bearer ms_live_x"
  Cursor, in ~/.cursor/mcp.json:
  {"mcpServers":{"market-signal":{"type":"http","url":"http://127.0.0.1:8787/api/mcp","headers":{"Authorization":"Bearer ms_live_x"}}}}
  VS Code, in .vscode/mcp.json (Claude Desktop: --client claude --stdio):
  market-signal mcp config --client vscode

3  Or call it from a shell
  curl -H "Authorization: Bearer ms_live_x" http://127.0.0.1:8787/api/v1/signals/AAPL

  docs     http://127.0.0.1:8787/docs
  MCP      http://127.0.0.1:8787/api/mcp   (HTTP+SSE: http://127.0.0.1:8787/api/mcp/sse)
  A2A      http://127.0.0.1:8787/api/a2a   (agent card: http://127.0.0.1:8787/.well-known/agent-card.json)
  REST     http://127.0.0.1:8787/api/v1   (http://127.0.0.1:8787/openapi.json)
  data     /data

`);
  });

  it("colours text but no command lines for pasting", () => {
    const painted = formatWelcome(
      { ...facts, key: "ms_live_x" },
      (style, text) => `<${style}>${text}</${style}>`,
    ).split("\n");
    expect(painted).toContain("<yellow>SAMPLE (simulated)</yellow>  62 symbols. For real prices:");
    const commands = painted.filter((line) =>
      /^ {2}(MARKET_DATA|claude|curl|market-signal|\{|http)/.test(line),
    );
    expect(commands).toHaveLength(6);
    for (const line of commands) expect(line).not.toMatch(/<\/?[a-z]+>/);
  });

  it("says in which file a key that is shown lies", () => {
    expect(formatWelcome({ ...facts, key: "ms_live_x", keyFile: "/data/first-key.txt" }, plain)).toContain(
      "  ms_live_x  your key, shown only once and already inserted below\n  It is saved in /data/first-key.txt, readable only by you\n",
    );
  });

  it("reads the key from a variable if no key can be shown", () => {
    const text = formatWelcome(facts, plain);
    expect(text).toContain(
      "  These commands read your key from MARKET_SIGNAL_KEY. To create another key:\n  npx market-signal keys create --account owner\n",
    );
    expect(text.match(/Bearer \$MARKET_SIGNAL_KEY"/g)).toHaveLength(2);
    expect(text).toMatch(/"Bearer \$\{env:MARKET_SIGNAL_KEY\}"/);
  });

  it("names the file that the key was written to, not the key", () => {
    const text = formatWelcome({ ...facts, keyFile: "/my data/first-key.txt" }, plain);
    expect(text).toContain(
      `  Your key is in /my data/first-key.txt, readable only by you. Save it, then delete the file:\n  export MARKET_SIGNAL_KEY="$(cat '/my data/first-key.txt')"\n`,
    );
    expect(text).toContain("Bearer $MARKET_SIGNAL_KEY");
  });

  it("says that apps connect without a key where they may sign in", () => {
    expect(formatWelcome({ ...facts, allowsApps: true }, plain)).toContain(
      "  An app that signs in, without a key, at this address:\n  http://127.0.0.1:8787/api/mcp\n\n3  ",
    );
    expect(formatWelcome(facts, plain)).not.toContain("without a key");
  });

  it("labels only the simulated market, and ends with the notes", () => {
    const text = formatWelcome({ ...facts, mode: "files", notes: ["one", "two"] }, plain);
    expect(text).toMatch(/^\nMarket Signal 9\.9\.9\n62 symbols\n\n1 {2}/);
    expect(text).not.toMatch(/SAMPLE|MARKET_DATA/);
    expect(text).toMatch(/\n {2}note one\n\n {2}note two\n\n$/);
  });
});
