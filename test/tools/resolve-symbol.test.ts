import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { createLiveDirectory } from "../../src/market/symbols/directory.ts";
import { resolveSymbol } from "../../tools/resolve-symbol.ts";
import { member } from "../support/context.ts";
import { longLists } from "../support/long-lists.ts";
import { climbingBars, marketOf } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const bars = climbingBars({ count: 1 });
const { ports } = marketOf({ bars: { AAPL: bars, LINK: bars, "BRK.B": bars } });
const call = (query: unknown, over = {}) =>
  invoke(resolveSymbol, { query }, { ports: { ...ports, ...over }, principal: member, transport: "test" });

describe("resolve_symbol", () => {
  it("returns the instrument of a ticker, and whether the market lists it", async () => {
    expect(await call("aapl")).toMatchObject({
      ok: true,
      query: "aapl",
      symbol: "AAPL",
      match: {
        symbol: "AAPL",
        name: "Apple",
        asset_class: "equity",
        sector: "Information Technology",
        in_market: true,
      },
      alternatives: [],
    });
    expect(await call("MSFT")).toMatchObject({ match: { symbol: "MSFT", in_market: false } });
  });

  it.each([
    ["brk-b", "BRK.B"],
    ["BRK/B", "BRK.B"],
    ["btc/usdt", "BTC-USD"],
    ["$AAPL", "AAPL"],
    ["LINK-USD", "LINK-USD"],
  ])("resolves %s to %s", async (text, symbol) => {
    expect(await call(text)).toMatchObject({ query: text, symbol, match: { symbol } });
  });

  it("resolves a shared name to the stock, and lists the token once", async () => {
    const answer = await call("LINK");
    expect(answer).toMatchObject({
      symbol: "LINK",
      match: { asset_class: "equity", in_market: true },
      alternatives: [{ symbol: "LINK-USD", asset_class: "crypto", in_market: false }],
    });
    expect(answer.candidates.map(({ symbol }) => symbol)).not.toContain("LINK");
    expect(answer.candidates.map(({ symbol }) => symbol)).not.toContain("LINK-USD");
  });

  it("resolves a name that only one instrument has", async () => {
    const answer = await call("berkshire");
    expect(answer).toMatchObject({
      ok: true,
      symbol: "BRK.B",
      match: {
        symbol: "BRK.B",
        name: expect.stringContaining("Berkshire"),
        asset_class: "equity",
        sector: "Financials",
        in_market: true,
      },
      alternatives: [],
    });
    expect(answer.candidates.map(({ symbol }) => symbol)).not.toContain("BRK.B");
    expect(await call("Bitcoin")).toMatchObject({ symbol: "BTC-USD" });
  });

  it("returns similar names for an unknown one, without an error", async () => {
    const answer = await call("berkshir");
    expect(answer).toMatchObject({ ok: true, symbol: null, match: null, alternatives: [] });
    expect(answer.candidates[0]).toMatchObject({ symbol: "BRK.B" });
    expect((await call("micro")).candidates.length).toBeLessThanOrEqual(5);
    expect(await call("9Q9Q9Q")).toMatchObject({ symbol: null, candidates: [] });
  });

  it.each([
    ["LINK", "LINK", ["LINK-USD"]],
    ["BTC", "BTC-USD", ["BTC.US"]],
  ])(
    "resolves %s among all listings to %s with alternatives %o, and lists similar names",
    async (query, symbol, others) => {
      const { symbols } = createLiveDirectory({ listings: (await longLists()).listings });
      const answer = await call(query, { symbols });
      expect(answer).toMatchObject({ symbol, match: { symbol, in_market: true } });
      expect(answer.alternatives).toMatchObject(others.map((other) => ({ symbol: other, in_market: true })));
      const near = answer.candidates.map((candidate) => candidate.symbol);
      expect(near.filter((one) => [symbol, ...others].includes(one))).toEqual([]);
    },
  );

  it.each(["", "   ", "x".repeat(81), {}])("rejects %o", async (query) => {
    await expect(call(query)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("fails with INTERNAL on a defect", async () => {
    const broken = () => {
      throw new TypeError("no table");
    };
    await expect(call("AAPL", { symbols: { ...ports.symbols, find: broken } })).rejects.toMatchObject({
      code: "INTERNAL",
    });
  });
});

toolContract(resolveSymbol, { ports });
