import { expect, it } from "vitest";
import { clientConfig } from "../../../src/transports/cli/mcp-config.ts";

const bearer = (variable: string): string => `Bearer \${${variable}}`;
const url = "https://signals.example";

it("makes VS Code prompt for the key and keeps it out of the file", () => {
  expect(clientConfig("vscode", { stdio: false, url })).toEqual({
    inputs: [
      { type: "promptString", id: "market-signal-key", description: "Market Signal API key", password: true },
    ],
    servers: {
      "market-signal": {
        type: "http",
        url: "https://signals.example/api/mcp",
        headers: { Authorization: bearer("input:market-signal-key") },
      },
    },
  });
});

it("writes Cursor's variables the way Cursor reads them", () => {
  expect(clientConfig("cursor", { stdio: false, url })).toMatchObject({
    mcpServers: { "market-signal": { headers: { Authorization: bearer("env:MARKET_SIGNAL_KEY") } } },
  });
});

it.each(["claude", "cursor"])("starts the program by its name for %s by default", (client) => {
  expect(clientConfig(client, { stdio: true, url })).toEqual({
    mcpServers: { "market-signal": { command: "market-signal", args: ["stdio"] } },
  });
});
