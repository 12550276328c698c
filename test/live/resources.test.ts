import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routesOf } from "../../src/kernel/registry.ts";
import type { InputOf, OutputOf, Tool } from "../../src/kernel/tool.ts";
import { getCalendar } from "../../tools/get-calendar.ts";
import { getCongressSignal } from "../../tools/get-congress-signal.ts";
import { getCongressTrades } from "../../tools/get-congress-trades.ts";
import { getDarkpoolPrints } from "../../tools/get-darkpool-prints.ts";
import { getEarnings } from "../../tools/get-earnings.ts";
import { getMarketTide } from "../../tools/get-market-tide.ts";
import { getNews } from "../../tools/get-news.ts";
import { getOptionsFlow } from "../../tools/get-options-flow.ts";
import { getPoliticalTrades } from "../../tools/get-political-trades.ts";
import { getPredictionMarkets } from "../../tools/get-prediction-markets.ts";
import { type Installation, install } from "../support/installation.ts";
import { call, refusalOf, requestCounts, stageAt } from "../support/live.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { openTransportClients, type TransportClient } from "../support/transport-clients.ts";
import { KEYLESS } from "../support/vendors.ts";

/** A Thursday, 11:03 New York. */
const MOMENT = "2026-11-19T16:03:20Z";
const MARKETS = ["sample", "live"] as const;
type Mode = (typeof MARKETS)[number];

/**
 * A route with its input, its keyless live provider, and how to read the provider and the content from the response.
 */
interface Row {
  readonly route: string;
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly keyless: string;
  readonly seen: (
    answer: never,
    mode: Mode,
  ) => { readonly source: unknown; readonly content: readonly unknown[] };
}
const row = <T extends Tool>(
  route: string,
  tool: T,
  input: InputOf<T>,
  keyless: string,
  seen: (
    answer: OutputOf<T>,
    mode: Mode,
  ) => { readonly source: unknown; readonly content: readonly unknown[] },
): Row => ({ route, tool, input: input as Row["input"], keyless, seen });

const prints = ({ prints: rows, off_exchange, coverage }: OutputOf<typeof getDarkpoolPrints>, mode: Mode) =>
  // Prints require a key; off-exchange volume does not.
  mode === "sample"
    ? { source: coverage.source, content: rows }
    : { source: off_exchange?.coverage.source, content: off_exchange?.days ?? [] };

const ROWS: readonly Row[] = [
  row("GET /api/options-flow/:symbol", getOptionsFlow, { symbol: "AAPL" }, "cboe", (answer) => ({
    source: answer.provenance?.provider,
    content: answer.most_active,
  })),
  row("GET /api/options-flow/tide", getMarketTide, { days: 5 }, "cboe", (answer) => ({
    source: answer.provenance?.provider,
    content: answer.days,
  })),
  row("GET /api/darkpool/prints", getDarkpoolPrints, { symbol: "AAPL", limit: 5 }, "finra", prints),
  row("GET /api/options-flow/darkpool/:symbol", getDarkpoolPrints, { symbol: "AAPL" }, "finra", prints),
  row("GET /api/v1/political-trades", getPoliticalTrades, { limit: 5 }, "houseclerk", (answer) => ({
    source: answer.source,
    content: answer.trades,
  })),
  row("GET /api/congress/trades", getCongressTrades, { limit: 5 }, "houseclerk", (answer) => ({
    source: answer.source,
    content: answer.trades,
  })),
  row("GET /api/options-flow/congress", getCongressSignal, {}, "houseclerk", (answer) => ({
    source: answer.source,
    content: [...answer.most_bought, ...answer.most_sold],
  })),
  row(
    "GET /api/prediction-markets",
    getPredictionMarkets,
    { symbol: "AAPL" },
    "polymarket, kalshi, manifold",
    (answer) => ({ source: answer.source, content: answer.contracts }),
  ),
  row("GET /api/v1/earnings", getEarnings, { symbol: "AAPL" }, "yahoo", ({ dataSource, history, eps }) => ({
    source: dataSource,
    content: eps.actual === null ? [] : history,
  })),
  row("GET /api/v1/news/:symbol", getNews, { symbol: "AAPL" }, "yahoo", (answer) => ({
    source: answer.source,
    content: answer.news,
  })),
  row(
    "GET /api/v1/calendar",
    getCalendar,
    { symbols: ["AAPL"], from: "2026-11-19", to: "2027-02-18" },
    "yahoo",
    (answer) => ({ source: answer.dataSource, content: answer.earnings }),
  ),
];

it("takes options from the second keyless provider if the first is off", async () => {
  const suite = suiteDir();
  const stage = stageAt(MOMENT);
  const installation = await stage.open(suite.dir, { PROVIDERS_OFF: "cboe" });
  const answer = await call(installation, getOptionsFlow, { symbol: "BRK.B" });
  expect(answer).toMatchObject({
    provenance: { provider: "yahoo", delay_minutes: 15 },
    coverage: { status: "covered" },
    contracts: 220, // of the first six expiries
  });
  expect(await refusalOf(installation, getOptionsFlow, { symbol: "ZZQXV" })).toMatchObject({
    code: "UNKNOWN_SYMBOL",
  });
  await installation.stop();
  suite.remove();
}, 60_000);

describe.each(MARKETS)("resources other than prices, %s", (mode) => {
  const suite = suiteDir();
  const stage = stageAt(MOMENT);
  let installation: Installation;
  let clients: readonly TransportClient[];
  beforeAll(async () => {
    const { clock } = stage;
    installation = await (mode === "live" ? stage.open(suite.dir) : install(suite.dir, mode, {}, { clock }));
    clients = await openTransportClients(installation);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await installation.stop();
    suite.remove();
  });

  it.each(ROWS)("$route responds over every transport, with content and its provider", async (one) => {
    const { route, tool, input, keyless, seen } = one;
    expect(routesOf(tool)).toContain(route);
    const detail = "detail" in tool.input.shape ? { detail: "full" } : {};
    for (const client of clients) {
      const answer = await client.call({ ...tool, route }, { ...input, ...detail });
      if (!("data" in answer)) throw new Error(`${client.name} refuses ${tool.name}: ${answer.code}`);
      const { source, content } = seen(answer.data as never, mode);
      expect(content.length, client.name).toBeGreaterThan(0);
      expect({ source, market: answer.data.market ?? mode }, client.name).toEqual({
        source: mode === "live" ? keyless : mode,
        market: mode,
      });
    }
  });

  it(`calls ${mode === "live" ? "no provider that requires a key" : "no provider"}`, () => {
    const called = Object.entries(requestCounts(stage.replay)).flatMap(([name, calls]) =>
      calls > 0 ? [name] : [],
    );
    expect(called.filter((name) => mode === "sample" || !KEYLESS.some((one) => one === name))).toEqual([]);
    expect(called.length > 0).toBe(mode === "live");
  });
});
