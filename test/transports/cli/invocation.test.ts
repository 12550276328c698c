import { describe, expect, it } from "vitest";
import { replaceProgramName } from "../../../src/transports/cli/invocation.ts";

const npm = { program: "npx market-signal", serve: "npm start" };
const typed = (text: string) => replaceProgramName(text, npm);

describe("replaceProgramName", () => {
  it.each([
    ["Run `market-signal doctor` first.", "Run `npx market-signal doctor` first."],
    ["Examples:\n  market-signal keys list\n", "Examples:\n  npx market-signal keys list\n"],
    ["  npx market-signal keys list", "  npx market-signal keys list"],
    ["Usage: market-signal [options]", "Usage: npx market-signal [options]"],
    ["MARKET_DATA=live market-signal serve", "MARKET_DATA=live npm start"],
    [
      "To serve: PORT=9000 DATA_DIR=/srv/a market-signal serve",
      "To serve: PORT=9000 DATA_DIR=/srv/a npm start",
    ],
    ["`market-signal serve` runs them", "`npm start` runs them"],
    ["`PORT=9000 market-signal config`", "`PORT=9000 npx market-signal config`"],
  ])("replaces the program in %j", (text, expected) => {
    expect(typed(text)).toBe(expected);
  });

  it.each([
    "claude mcp add --transport http market-signal http://127.0.0.1:8787/api/mcp",
    "market-signal: DATA_DIR is a file",
    '{"mcpServers":{"market-signal":{"command":"market-signal"}}}',
    "/home/ann/.market-signal holds the data of market-signal 1.0",
    "cd market-signal && npm ci",
  ])("leaves other uses of the name: %j", (text) => {
    expect(typed(text)).toBe(text);
  });
});
