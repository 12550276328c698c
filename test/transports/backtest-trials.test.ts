import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { runBacktest } from "../../tools/run-backtest.ts";
import { type Installation, install, useInstallation } from "../support/installation.ts";
import { type McpResult, mcpData } from "../support/mcp-data.ts";
import { openTransportClients } from "../support/transport-clients.ts";

const SHORT = { from: "2024-01-02", to: "2025-06-30", picture: false } as const;
const SWEEP = { strategy: "sma_cross", sweep: { fast: "3,5,8,12", slow: "20,30,40,50" }, ...SHORT };

interface Answer {
  readonly params: Record<string, number>;
  readonly deflated_sharpe: {
    readonly deflated: number | null;
    readonly trials: number;
    readonly reason: string | null;
  };
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** Calls with one key over REST and MCP. */
function callerOf(installation: Installation, key: string) {
  const authorization = `Bearer ${key}`;
  return {
    async rest(input: object): Promise<Answer> {
      const response = await fetch(`${installation.url}/api/v1/backtest`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(input),
      });
      const body = (await response.json()) as Answer;
      expect(response.status, JSON.stringify(body)).toBe(200);
      return body;
    },
    async mcp(input: object): Promise<Answer> {
      const client = new Client({ name: "trials", version: "1" });
      const url = new URL(`${installation.url}/api/mcp?toolsets=all`);
      await client.connect(
        new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }),
      );
      const result = await client.callTool({ name: "run_backtest", arguments: { ...input } });
      await client.close();
      return mcpData(result as McpResult) as unknown as Answer;
    },
  };
}

const installation = useInstallation("sample");
const trialsOf = ({ deflated_sharpe }: Answer) => deflated_sharpe.trials;

it("counts the trials of an account however the winner of a sweep is run again", async () => {
  const { key } = await installation.key("pro");
  const { rest, mcp } = callerOf(installation, key);
  const swept = await rest({ symbol: "AAPL", ...SWEEP });
  expect(swept.deflated_sharpe).toMatchObject({ trials: 16, reason: null });
  const alone = { strategy: "sma_cross", params: swept.params, ...SHORT };
  const winner = await rest({ symbol: "AAPL", ...alone });
  expect(winner.deflated_sharpe).toEqual(swept.deflated_sharpe);
  expect(winner.notes.join()).toContain("16 trials are counted");

  const others: readonly (readonly [string, Promise<Answer>])[] = [
    ["MCP", mcp({ symbol: "AAPL", ...alone })],
    ["lower case", rest({ symbol: "aapl", ...alone })],
    ["name", rest({ symbol: "Apple", ...alone })],
    ["cashtag", rest({ symbol: "$AAPL", ...alone })],
    ["list", rest({ symbols: ["AAPL"], ...alone })],
    ["repeated", rest({ symbols: ["AAPL", "aapl"], ...alone })],
    ["other cash", rest({ symbol: "AAPL", ...alone, cash: 50_000 })],
    ["other costs", rest({ symbol: "AAPL", ...alone, slippage: 0 })],
    ["part of the period", rest({ symbol: "AAPL", ...alone, from: "2024-06-03" })],
    ["null run", rest({ symbol: "AAPL", ...alone, null_run: 2 })],
    ["walk-forward", rest({ symbol: "AAPL", ...SWEEP, folds: 2 })],
  ];
  for (const [name, answer] of others) expect(trialsOf(await answer), name).toBe(16);

  // a new setting is one more, over either transport
  expect(trialsOf(await mcp({ symbol: "AAPL", ...alone, params: { fast: 4, slow: 21 } }))).toBe(17);
  expect(trialsOf(await rest({ symbol: "AAPL", ...alone }))).toBe(17);

  // another account has its own count, and one trial is not called deflated
  const stranger = callerOf(installation, (await installation.key("pro")).key);
  expect((await stranger.rest({ symbol: "AAPL", ...alone })).deflated_sharpe).toMatchObject({
    deflated: null,
    trials: 1,
    reason: "One trial is counted: there is no choice to correct for",
  });
}, 120_000);

it("counts them for a set of symbols in any order, apart from those of each symbol", async () => {
  const { rest } = callerOf(installation, (await installation.key("pro")).key);
  await rest({ symbols: ["AAPL", "MSFT"], ...SWEEP });
  const alone = { strategy: "sma_cross", params: { fast: 5, slow: 30 }, ...SHORT };
  expect(trialsOf(await rest({ symbols: ["MSFT", "AAPL"], ...alone }))).toBe(16);
  expect(trialsOf(await rest({ symbol: "MSFT", ...alone }))).toBe(1);
}, 60_000);

it("counts them over every transport, never deflating one", async () => {
  const clients = await openTransportClients(installation);
  try {
    for (const { name, call } of clients) {
      const run = async (input: object) => {
        const answer = await call(runBacktest, { symbol: "AAPL", ...SHORT, strategy: "sma_cross", ...input });
        return (answer as unknown as { data: Answer }).data.deflated_sharpe;
      };
      const params = { fast: 5, slow: 30 };
      expect(await run({ params }), name).toMatchObject({ deflated: null, trials: 1 });
      expect(await run({ sweep: { fast: "3,5", slow: "20,30" } }), name).toMatchObject({ trials: 4 });
      const counted = await run({ params });
      expect(counted.trials, name).toBe(4);
      expect(counted.deflated, name).toEqual(expect.any(Number));
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}, 120_000);

it("counts them after a restart", async () => {
  const { key } = await installation.key("pro");
  await callerOf(installation, key).rest({ symbol: "AAPL", ...SWEEP });
  await installation.stop();
  Object.assign(installation, await install(installation.dir, "sample"));
  const alone = { symbol: "AAPL", strategy: "sma_cross", params: { fast: 5, slow: 30 }, ...SHORT };
  expect(trialsOf(await callerOf(installation, key).rest(alone))).toBe(16);
}, 60_000);
