import { describe, expect, it } from "vitest";
import { type Welcome, welcome } from "../../../src/doors/cli/welcome.ts";

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
  notes: [],
};

describe("the welcome", () => {
  it("says what answers and where, ready to paste", () => {
    expect(welcome(facts, plain)).toBe(`
Market Signal 9.9.9
  market   SAMPLE (simulated)  62 symbols
  data     /data
  browser  http://127.0.0.1:8787/docs
  MCP      http://127.0.0.1:8787/api/mcp   (HTTP+SSE: http://127.0.0.1:8787/api/mcp/sse)
  REST     http://127.0.0.1:8787/api/v1   (http://127.0.0.1:8787/openapi.json)
  key      npx market-signal keys create --plan pro makes one

  claude mcp add --transport http market-signal http://127.0.0.1:8787/api/mcp --header "Authorization: Bearer <key>"
  curl -H "Authorization: Bearer <key>" http://127.0.0.1:8787/api/v1/signals/AAPL
  npx market-signal mcp config   (what to paste into the settings of Claude, Cursor or VS Code)

`);
  });

  it("shows a key just made, in the commands too", () => {
    const text = welcome({ ...facts, key: "ms_live_x" }, plain);
    expect(text).toContain("  key      ms_live_x  shown this once\n");
    expect(text.match(/Bearer ms_live_x"/g)).toHaveLength(2);
  });

  it("names the file that a key was written to, and what to do with it, and not the key", () => {
    const text = welcome({ ...facts, keyFile: "/data/first-key.txt" }, plain);
    expect(text).toContain(
      "  key      written to /data/first-key.txt, readable by you alone\n           read it, then delete the file: it is shown nowhere else\n",
    );
    expect(text).toContain("Bearer <key>");
  });

  it("labels nothing but the simulated market, and ends with the notes", () => {
    const text = welcome({ ...facts, mode: "files", notes: ["one", "two"] }, plain);
    expect(text).toContain("  market   62 symbols\n");
    expect(text).toMatch(/\n {2}note one\n\n {2}note two\n\n$/);
  });
});
