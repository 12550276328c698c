import { describe, expect, it } from "vitest";
import { EngineRow } from "../../../src/domain/nightly/engine.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { screenUniverse } from "../../../tools/screen-universe.ts";
import { engineRunOver, runsOf } from "../../support/engine-runs.ts";
import { fixedQuotes, quote, smallMarket } from "../../support/market.ts";
import { callerOf } from "../../support/tool-call.ts";

const market = smallMarket().ports;
const run = await engineRunOver(market);
const ports = { ...market, engineRuns: runsOf(run) };
const ask = callerOf(screenUniverse, ports);
const withRows = (change: (row: EngineRow) => EngineRow) => ({
  engineRuns: runsOf({ ...run, rows: run.rows.map(change) }),
});
const symbolsOf = ({ results }: { readonly results: readonly { readonly symbol: string }[] }) =>
  results.map(({ symbol }) => symbol);

describe("the figures of a row", () => {
  it("compare its close with the close before, and its volume with the 20 bars before", async () => {
    const { results } = await ask({ limit: 100 });
    const apple = results.find(({ symbol }) => symbol === "AAPL")!;
    // closes an eighth apart: 137.25, then 137.375; every bar has a volume of 1000
    expect(apple).toMatchObject({
      close: 137.375,
      change: 0.125,
      change_percent: 0.09,
      volume: 1000,
      volume_ratio: 1,
      moves_reason: null,
      as_of: "2026-01-14T21:00:00.000Z",
    });
    expect(results.find(({ symbol }) => symbol === "MSFT")).toMatchObject({
      change: -0.125,
      change_percent: -0.08,
    });
    for (const field of ["closes", "quote"]) expect(apple).not.toHaveProperty(field);
  });

  it("have the last 30 closes if included", async () => {
    const { results } = await ask({ limit: 100, include: "closes" });
    expect(results.find(({ symbol }) => symbol === "AAPL")!.closes).toEqual(
      Array.from({ length: 30 }, (_, i) => 137.375 - 0.125 * (29 - i)),
    );
  });

  it("are null with the reason in runs of earlier versions, which stay readable", async () => {
    const none = {
      change: null,
      change_percent: null,
      volume: null,
      volume_ratio: null,
      closes: null,
      moves_reason: "The run was stored by an earlier version; the next nightly run has them",
    };
    const oldest = withRows((row) => ({ ...row, moves: null }));
    expect((await ask({ limit: 1, include: "closes" }, oldest)).results).toMatchObject([none]);
    const stored = JSON.parse(JSON.stringify(run.rows.find(({ symbol }) => symbol === "AAPL")));
    for (const field of ["previous_close", "closes"]) delete stored.moves[field];
    const { confirmed_at, ...event } = { type: "SPRING", date: "2025-10-01", price: 140, confirmed_at: null };
    const wyckoff = {
      ...stored.wyckoff,
      events: [{ ...event, confirmed_at, status: "pending", spring_type: 2, tested_at: null }],
    };
    const old = EngineRow.parse({ ...stored, wyckoff });
    const { results } = await ask({ include: "closes" }, { engineRuns: runsOf({ ...run, rows: [old] }) });
    expect(results).toMatchObject([
      { ...none, change_percent: 0.09, volume: 1000, volume_ratio: 1, highlights: [event] },
    ]);
  });

  it("are null with the reason without volume and over bars in two units", async () => {
    const blank = (row: EngineRow) => ({
      ...row,
      moves: {
        ...row.moves!,
        returns: { ...row.moves!.returns, "1d": null },
        previous_close: null,
        volume: null,
        volume_ratio: null,
      },
    });
    expect((await ask({ limit: 1 }, withRows(blank))).results).toMatchObject([
      {
        change: null,
        volume: null,
        moves_reason: "Too few bars, or bars that may contain an unadjusted split; The bar has no volume",
      },
    ]);
  });
});

describe("the prices of rows", () => {
  it("are the latest ones when requested, or null with the reason", async () => {
    const over = { AAPL: quote({ price: 138, changePercent: 0.55 }), MSFT: quote({ price: 900 }) };
    const { results } = await ask(
      { include: "prices", sort: "symbol", limit: 3, asset_class: "equity" },
      { quotes: fixedQuotes(over) },
    );
    expect(results.map(({ symbol, quote }) => [symbol, quote])).toEqual([
      [
        "AAPL",
        {
          price: 138,
          change_percent: 0.55,
          price_source: "live_quote",
          as_of: "2026-01-15T14:50:00.000Z",
          source: "fixture",
          reason: null,
        },
      ],
      [
        "LINK",
        {
          price: null,
          change_percent: null,
          price_source: null,
          as_of: null,
          source: null,
          reason: "No price of LINK",
        },
      ],
      [
        "MSFT",
        {
          price: null,
          change_percent: null,
          price_source: "live_quote",
          as_of: null,
          source: "fixture",
          reason: expect.stringContaining("is more than 40% from the decision bar's close of 162.625"),
        },
      ],
    ]);
  });

  it("are read in one request where a provider has lists, and an outage does not fail the list", async () => {
    const requests: string[][] = [];
    const down = () => Promise.reject(new ToolError("UPSTREAM_UNAVAILABLE", "No provider responds"));
    const quotes = {
      latest: down,
      prefetch: async (list: readonly { readonly symbol: string }[]) => {
        requests.push(list.map(({ symbol }) => symbol));
      },
    };
    const { results } = await ask({ include: "prices", sort: "symbol", limit: 2 }, { quotes });
    expect(requests).toEqual([["AAPL", "BTC-USD"]]);
    expect(results.map(({ quote }) => quote!.reason)).toEqual([
      "No provider responds",
      "No provider responds",
    ]);
  });
});

describe("several values per filter", () => {
  it("return the rows with one of them", async () => {
    const all = await ask({ limit: 100, sort: "symbol" });
    const where = (passes: (row: (typeof all.results)[number]) => boolean) =>
      symbolsOf({ results: all.results.filter(passes) });
    const some = async (filters: object) => symbolsOf(await ask({ limit: 100, sort: "symbol", ...filters }));
    expect(await some({ asset_class: ["etf", "crypto"] })).toEqual(["BTC-USD", "ETH-USD", "LINK-USD", "SPY"]);
    expect(await some({ asset_class: "etf,crypto" })).toEqual(["BTC-USD", "ETH-USD", "LINK-USD", "SPY"]);
    expect(await some({ bias: ["LONG", "SHORT"] })).toEqual(where(({ bias }) => bias !== "WAIT"));
    expect(await some({ grade: ["F", ">=A"] })).toEqual(
      where(({ grade }) => ["F", "A", "A+"].includes(grade!)),
    );
    expect(await some({ stage: [2, 4] })).toEqual(where(({ stage }) => stage === 2 || stage === 4));
    expect(await some({ sector: ["XLK", "consumer discretionary"] })).toEqual([
      "AAPL",
      "LINK",
      "MSFT",
      "NVDA",
      "TSLA",
    ]);
    expect(await some({ tier: ["HOT", "WATCH", "NEUTRAL"] })).toEqual(symbolsOf(all));
  });

  it("name the sectors that no row has", async () => {
    expect((await ask({ sector: ["XLK", "Space", "Farming"] })).notes).toEqual([
      'No row of the newest runs is in "Space", "Farming"; known sectors: Consumer Discretionary, Information Technology',
    ]);
  });
});

describe("the order of rows", () => {
  it.each([
    [{ sort: "change" }, ["AAPL", "BTC-USD", "ETH-USD", "LINK", "LINK-USD", "TSLA", "NVDA", "SPY", "MSFT"]],
    [
      { sort: "change", order: "asc" },
      ["MSFT", "SPY", "NVDA", "AAPL", "BTC-USD", "ETH-USD", "LINK", "LINK-USD", "TSLA"],
    ],
    [
      { sort: "symbol", order: "desc" },
      ["TSLA", "SPY", "NVDA", "MSFT", "LINK-USD", "LINK", "ETH-USD", "BTC-USD", "AAPL"],
    ],
    [{ sort: "close" }, ["MSFT", "AAPL", "BTC-USD", "ETH-USD", "LINK", "LINK-USD", "TSLA", "NVDA", "SPY"]],
    [
      { sort: "asset_class", order: "desc" },
      ["BTC-USD", "ETH-USD", "LINK-USD", "SPY", "AAPL", "LINK", "MSFT", "NVDA", "TSLA"],
    ],
  ])("is that of %j, equal values by symbol", async (order, expected) => {
    expect(symbolsOf(await ask({ ...order, limit: 100 }))).toEqual(expected);
  });

  it("puts rows without a value last, up and down", async () => {
    const unknown = withRows((row) => (row.symbol === "AAPL" ? { ...row, moves: null } : row));
    for (const sort of ["change", "change_percent", "volume", "volume_ratio"])
      for (const order of ["asc", "desc"])
        expect(symbolsOf(await ask({ sort, order, limit: 100 }, unknown)).at(-1)).toBe("AAPL");
    const waiting = withRows((row) => (row.symbol === "MSFT" ? { ...row, direction: "WAIT" } : row));
    for (const order of ["asc", "desc"])
      expect(symbolsOf(await ask({ sort: "rr", order, limit: 100 }, waiting)).at(-1)).toBe("MSFT");
  });

  it("reads grades, tiers and stages by rank, the best first", async () => {
    const grades = ["B-", "A+", "F", "A", "C+", "A-", "B", "D", "C"] as const;
    const graded = withRows((row) => ({ ...row, grade: grades[run.rows.indexOf(row)]! }));
    const sorted = async (order: object) =>
      (await ask({ sort: "grade", ...order, limit: 100 }, graded)).results.map(({ grade }) => grade);
    expect(await sorted({})).toEqual(["A+", "A", "A-", "B", "B-", "C+", "C", "D", "F"]);
    expect(await sorted({ order: "asc" })).toEqual(["F", "D", "C", "C+", "B-", "B", "A-", "A", "A+"]);
  });

  it("belongs to the cursor", async () => {
    const { next_cursor: cursor } = await ask({ sort: "close", limit: 1 });
    await expect(ask({ sort: "close", order: "asc", limit: 1, cursor })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});

describe("facets", () => {
  it("are absent unless requested", async () => {
    expect(await ask({})).not.toHaveProperty("facets");
  });

  it("count the rows that pass all other filters, by value", async () => {
    const { facets, total, results } = await ask({
      include: "facets",
      asset_class: ["equity"],
      bias: ["LONG"],
      limit: 100,
    });
    expect(symbolsOf({ results }).toSorted()).toEqual(["AAPL", "LINK", "NVDA", "TSLA"]);
    expect(total).toBe(4);
    expect(facets).toMatchObject({
      bias: [
        { value: "LONG", count: 4 },
        { value: "SHORT", count: 1 },
      ],
      asset_class: [
        { value: "equity", count: 4 },
        { value: "etf", count: 1 },
        { value: "crypto", count: 3 },
      ],
      sector: [
        { value: "Consumer Discretionary", count: 1 },
        { value: "Information Technology", count: 3 },
      ],
      stage: [{ value: "2", count: 4 }],
    });
  });

  it("count only rows for which the rule holds", async () => {
    const { facets } = await ask({
      include: "facets",
      bias: "LONG",
      rules: "close > 130 and asset_class = equity",
    });
    expect(facets!.bias).toEqual([
      { value: "LONG", count: 3 },
      { value: "SHORT", count: 1 },
    ]);
    expect(facets!.asset_class).toEqual([{ value: "equity", count: 3 }]);
  });

  it("are printed below the rows", async () => {
    const answer = await ask({ include: "facets", asset_class: "crypto" });
    const lines = screenUniverse.terminal!(answer, (_, text) => text).split("\n");
    expect(lines).toContain("sector: none 3");
    expect(lines).toContain("asset_class: equity 5, etf 1, crypto 3");
  });
});
