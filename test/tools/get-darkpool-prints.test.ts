import { describe, expect, it } from "vitest";
import { DARK_DEFINITION } from "../../src/domain/off-exchange/darkpool.ts";
import type { OffExchangeDay } from "../../src/domain/off-exchange/off-exchange.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { getDarkpoolPrints } from "../../tools/get-darkpool-prints.ts";
import { NOW, stoppedClock, unavailable } from "../support/context.ts";
import { fixedOffExchange, fixedPrints } from "../support/dark-market.ts";
import { historyWith, originOf, smallMarket, YESTERDAY } from "../support/market.ts";
import { printAt } from "../support/prints.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = NOW.getTime();
const quotes = { bid: 99.5, ask: 100.5 };
/** Prints at a price of 100 and of $2M by default. */
const TAPE = [
  printAt(now - 3 * HOUR, { id: "a", price: 100.25, size: 10_000, nbbo: quotes }),
  printAt(now - 2 * HOUR, { id: "b", price: 100, size: 20_000, nbbo: quotes }),
  printAt(now - 90 * 60_000, { id: "c" }),
  printAt(now - HOUR, { id: "d", size: 500, nbbo: quotes, conditions: ["average_price"] }),
  printAt(now - HOUR / 2, { id: "b", size: 20_000, nbbo: quotes, conditions: ["cancelled"] }),
  printAt(now - 40 * DAY, { id: "old" }),
];
const day = (back: number, short: number, total: number): OffExchangeDay => ({
  day: YESTERDAY - back * DAY,
  short,
  shortExempt: 0,
  total,
  knownAt: YESTERDAY - back * DAY + 23 * HOUR,
});
const dark = {
  prints: fixedPrints({ AAPL: TAPE, MSFT: [printAt(now - HOUR, { id: "m", size: 50_000 })] }),
  offExchange: fixedOffExchange({ AAPL: [day(2, 300, 600), day(1, 100, 400), day(0, 900, 1500)] }),
};
const { ports } = smallMarket();
const ask = callerOf(getDarkpoolPrints, { ...ports, ...dark });

const silent = unavailable("No provider answered for it");

describe("get_darkpool_prints", () => {
  it("returns the prints of the last 30 days, newest report first, each once", async () => {
    const { prints, count, symbol, coverage, next_cursor, meaning } = await ask({ symbol: "AAPL" });
    expect(prints.map(({ id }) => id)).toEqual(["d", "c", "b", "a"]);
    expect([symbol, count, next_cursor, meaning]).toEqual(["AAPL", 4, null, DARK_DEFINITION]);
    expect(coverage).toEqual({
      source: "fixture",
      fetched_at: NOW.toISOString(),
      as_of: NOW.toISOString(),
      stale: false,
      reason: null,
    });
    const [d, c, b, a] = prints;
    expect(a).toMatchObject({ notional: 1_002_500, side: "buy", side_basis: "quote", conditions: [] });
    // cancelled half an hour ago: listed, and marked
    expect(b).toMatchObject({ price: 100, conditions: ["cancelled"], nbbo: quotes });
    expect(c).toMatchObject({ notional: 2_000_000, nbbo: null, side: null, side_basis: null });
    expect(d).toMatchObject({ conditions: ["average_price"], side: null });
  });

  it("measures a print against the average of 20 days", async () => {
    const { prints } = await ask({ symbol: "AAPL" });
    // the last 20 closes of the climb run from 135 to 137.375, 1000 shares a day: 136,187.5 dollars
    expect(prints.at(-1)!.share_of_day).toBe(7.3612);
  });

  it("filters prints by size and time", async () => {
    const ids = async (input: object) => (await ask({ symbol: "AAPL", ...input })).prints.map(({ id }) => id);
    expect(await ids({ min_notional: 2_000_000 })).toEqual(["c", "b"]);
    expect(await ids({ since: "2025-12-01" })).toEqual(["d", "c", "b", "a", "old"]);
    expect(await ids({ since: "2026-01-15T13:00:00Z" })).toEqual(["d", "c", "b"]);
  });

  it("rounds dollars to the cent, and shares of volume to four decimals", async () => {
    const dusty = [printAt(now - HOUR, { id: "x", price: 192.05515000000003, size: 1_000.1, nbbo: quotes })];
    const offExchange = fixedOffExchange({ AAPL: [day(1, 100, 300)] });
    const answer = await ask({ symbol: "AAPL" }, { prints: fixedPrints({ AAPL: dusty }), offExchange });
    // 1000.1 x 192.05515 = 192,074.355515
    expect(answer.prints).toMatchObject([{ price: 192.05515, notional: 192_074.36 }]);
    expect(answer.off_exchange!.days).toMatchObject([{ off_exchange_share: 0.3, short_share: 0.3333 }]);
    const sample = await ask({ symbol: "NVDA" }, sampleMarket({ clock: stoppedClock() }));
    for (const { price, notional } of sample.levels)
      expect([price, notional]).toEqual([Number(price.toFixed(2)), Number(notional.toFixed(2))]);
  });

  it("has no prints of coins, with the reason, and none in the list of the whole market", async () => {
    const market = sampleMarket({ clock: stoppedClock() });
    const coin = await ask({ symbol: "BTC-USD" }, market);
    expect(coin).toMatchObject({ prints: [], levels: [], conviction: { source: "none" } });
    const reason = "Off-exchange trades are reported only for US stocks and funds";
    const uncovered = { source: null, fetched_at: null, as_of: null, stale: false, reason };
    // the same without a provider: no setting connects one for coins
    for (const told of [coin, await ask({ symbol: "BTC-USD" }, { ...ports, bars: market.bars })])
      expect(told).toMatchObject({
        coverage: uncovered,
        conviction: { reason },
        off_exchange: { days: [], coverage: uncovered, weeks_coverage: null, prices_coverage: null },
        notes: [],
      });
    const all = await ask({ since: "2026-01-09", limit: 200 }, market);
    expect(all.prints.length).toBeGreaterThan(20);
    expect(all.prints.filter(({ symbol }) => symbol.endsWith("-USD"))).toEqual([]);
  });

  it("rejects the cursor of another list", async () => {
    const { next_cursor } = await ask({ symbol: "AAPL", limit: 2 });
    for (const other of [
      { symbol: "MSFT" },
      { symbol: "AAPL", min_notional: 5 },
      { symbol: "AAPL", since: "2026-01-14" },
      {},
    ])
      await expect(ask({ ...other, cursor: next_cursor! })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: "The cursor belongs to a list with other filters",
      });
  });

  it("returns pages that new prints do not shift", async () => {
    const first = await ask({ symbol: "AAPL", limit: 3 });
    expect(first.prints.map(({ id }) => id)).toEqual(["d", "c", "b"]);
    const more = [...TAPE, printAt(now - 60_000, { id: "new" })];
    const second = await ask(
      { symbol: "AAPL", limit: 3, cursor: first.next_cursor! },
      { prints: fixedPrints({ AAPL: more }) },
    );
    expect(second).toMatchObject({ prints: [{ id: "a" }], next_cursor: null });
  });

  it("pages through prints of one instant", async () => {
    const at = now - HOUR;
    const same = ["1", "2", "3", "4", "5"].map((id) => printAt(at, { id }));
    const market = { prints: fixedPrints({ AAPL: same }) };
    const seen: string[] = [];
    for (let cursor: string | null | undefined, page = 0; cursor !== null && page < 9; page++) {
      const answer = await ask({ symbol: "AAPL", limit: 2, ...(cursor && { cursor }) }, market);
      seen.push(...answer.prints.map(({ id }) => id));
      cursor = answer.next_cursor;
    }
    expect(seen).toEqual(["5", "4", "3", "2", "1"]);
  });

  it("returns the off-exchange share of each day's volume, and how much of it was sold short", async () => {
    const { off_exchange } = await ask({ symbol: "AAPL" });
    expect(off_exchange!.days).toEqual([
      {
        date: "2026-01-14",
        off_exchange_volume: 1500,
        consolidated_volume: 1000,
        off_exchange_share: null, // more than the total is impossible
        short_volume: 900,
        short_share: 0.6,
        published_at: "2026-01-14T23:00:00.000Z",
      },
      expect.objectContaining({ date: "2026-01-13", off_exchange_share: 0.4, short_share: 0.25 }),
      expect.objectContaining({ date: "2026-01-12", off_exchange_share: 0.6, short_share: 0.5 }),
    ]);
    expect(off_exchange!.coverage).toMatchObject({ source: "fixture", as_of: "2026-01-14T23:00:00.000Z" });
    expect(off_exchange!.weeks_coverage).toMatchObject({
      source: null,
      reason: "No provider is connected. Connect one by: a setting",
    });
  });

  it("does not treat the volume of one venue as the total", async () => {
    const bars = historyWith(ports.bars, originOf({ volume_scope: "one_venue" }));
    const { off_exchange, notes } = await ask({ symbol: "AAPL" }, { bars });
    expect(off_exchange!.days[1]).toMatchObject({ consolidated_volume: null, off_exchange_share: null });
    expect(notes).toContain("The daily bars are from one venue, so there is no off-exchange share");
  });

  it("returns levels made by prints with holds and fails, and conviction with its source", async () => {
    const market = sampleMarket({ clock: stoppedClock() });
    const { levels, conviction, coverage } = await ask({ symbol: "NVDA" }, market);
    expect(levels.length).toBeGreaterThan(3);
    const sizes = levels.map(({ notional }) => notional);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    const tests = levels.reduce((sum, { holds, fails }) => sum + holds + fails, 0);
    expect(conviction).toMatchObject({ source: "sample", reason: null });
    // of all levels, including those not listed
    expect(conviction!.tests).toBeGreaterThanOrEqual(tests);
    const concise = await ask({ symbol: "NVDA", detail: "concise" }, market);
    expect(concise.levels).toEqual(levels.slice(0, 4));
    expect(concise.conviction).toEqual(conviction);
    expect(concise.notes[0]).toMatch(/^The 4 largest of \d+ levels are listed; conviction uses all$/);
    expect(coverage).toMatchObject({ source: "sample", reason: null });
  });

  it("returns large prints of the whole market without a symbol", async () => {
    const answer = await ask({});
    expect(answer.prints.map(({ symbol, id }) => [symbol, id])).toEqual([
      ["MSFT", "m"],
      ["AAPL", "c"],
      ["AAPL", "b"],
      ["AAPL", "a"],
    ]);
    expect(answer).toMatchObject({ symbol: null, levels: [], conviction: null, off_exchange: null });
    expect((await ask({ min_notional: 3_000_000 })).prints.map(({ id }) => id)).toEqual(["m"]);
  });

  it("names the setting that connects a provider", async () => {
    const { prints, count, off_exchange, conviction, coverage } = await ask({ symbol: "AAPL" }, ports);
    expect([prints, count]).toEqual([[], null]);
    expect(coverage).toMatchObject({
      source: null,
      as_of: null,
      reason: expect.stringMatching(/^No provider is connected\. Connect one by: .*UNUSUAL_WHALES_TOKEN/),
    });
    expect(off_exchange).toMatchObject({ days: [], coverage: { source: null } });
    expect(conviction).toMatchObject({
      source: "none",
      reason: "No provider of off-exchange prints is connected",
    });
    expect((await ask({}, ports)).coverage.reason).toMatch(/UNUSUAL_WHALES_TOKEN$/);
  });

  it("states why a symbol has no prints", async () => {
    const { prints, coverage } = await ask({ symbol: "SPY" });
    expect(prints).toEqual([]);
    expect(coverage).toMatchObject({ source: "fixture", as_of: null, reason: "No provider covers SPY" });
  });

  it("does not treat an outage of prints as an empty list, and returns off-exchange volume", async () => {
    const prints = { ...dark.prints, tape: silent };
    const answer = await ask({ symbol: "AAPL" }, { prints });
    const reason = "No provider answered for it";
    expect(answer).toMatchObject({
      prints: [],
      count: null,
      next_cursor: null,
      levels: [],
      coverage: { source: null, as_of: null, stale: false, reason },
      conviction: { source: "none", reason },
      off_exchange: { coverage: { source: "fixture", reason: null } },
    });
    expect(answer.off_exchange!.days).toHaveLength(3);
    const shown = getDarkpoolPrints.terminal!(answer, (_, text) => text);
    expect(shown).toContain(reason);
    expect(shown).not.toContain("no prints");
    const nothing = { prints, offExchange: { ...dark.offExchange, days: silent }, bars: { history: silent } };
    await expect(ask({ symbol: "AAPL" }, nothing)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("returns the same cursor while prints are unavailable", async () => {
    const { next_cursor: cursor } = await ask({ symbol: "AAPL", limit: 2 });
    const prints = { ...dark.prints, tape: silent };
    expect(await ask({ symbol: "AAPL", limit: 2, cursor: cursor! }, { prints })).toMatchObject({
      prints: [],
      count: null,
      next_cursor: cursor,
    });
  });

  it("returns prints without bars and off-exchange volume", async () => {
    const offExchange = { ...dark.offExchange, days: silent };
    const answer = await ask({ symbol: "AAPL" }, { offExchange, bars: { history: silent } });
    expect(answer).toMatchObject({
      count: 4,
      levels: [],
      conviction: null,
      off_exchange: { days: [], coverage: { reason: "No provider answered for it" } },
    });
    expect(answer.prints[0]!.share_of_day).toBeNull();
    expect(answer.notes).toContain("No daily bars are available: no levels, no conviction, no shares");
  });

  it.each([
    [{ symbol: "AAPL", limit: 201 }, "/limit", "200"],
    [{ symbol: "AAPL", limit: 0 }, "/limit", "1"],
    [{ symbol: "AAPL", min_notional: -1 }, "/min_notional", "0"],
    [{ min_notional: 999_999 }, "/min_notional", "1000000"],
    [{ symbol: "AAPL", since: "2026-01-16" }, "/since", "730 days"],
    [{ symbol: "AAPL", since: "2023-01-01" }, "/since", "730 days"],
    [{ since: "2026-01-08T14:59:00Z" }, "/since", "7 days"],
    [{ symbol: "AAPL", since: "1m" }, "/since", "date"],
    [{ symbol: "AAPL", cursor: "abc" }, "/cursor", "next_cursor"],
  ])("rejects %j with the allowed value", async (input, pointer, allowed) => {
    await expect(ask(input)).rejects.toMatchObject(invalidField(pointer, allowed));
  });

  it("prints a table and the off-exchange shares", async () => {
    const answer = await ask({ symbol: "AAPL" });
    const lines = getDarkpoolPrints.terminal!(answer, (_, text) => text).split("\n");
    expect(lines[0]).toBe("AAPL fixture, data until 2026-01-15T15:00:00.000Z");
    expect(lines[1]).toMatch(/^conviction /);
    expect(lines[2]).toMatch(/^reported \(UTC\) +symbol +price +size +notional +side +conditions$/);
    expect(lines[3]).toMatch(/^2026-01-15 14:00:00 +AAPL +100\.00 +500 +\$0\.05M +- +average_price$/);
    expect(lines).toContain("2026-01-13  off exchange 40.0% (proxy)  of which sold short 25.0%");
  });
});

describe("get_darkpool_prints from and to", () => {
  const ask = callerOf(getDarkpoolPrints, { ...smallMarket().ports, ...dark });

  it("returns the prints reported in a range", async () => {
    const at = (hours: number) => new Date(now - hours * HOUR).toISOString();
    const { prints } = await ask({ symbol: "AAPL", from: at(2.5), to: at(1.2) });
    expect(prints.map(({ id }) => id)).toEqual(["c", "b"]);
    expect((await ask({ symbol: "AAPL", from: "2026-01-15" })).count).toBe(4);
    expect((await ask({ from: "2026-01-15", to: at(0.8), min_notional: 3_000_000 })).prints).toMatchObject([
      { id: "m" },
    ]);
  });

  it("refuses since with from, and a start in the future or too long ago", async () => {
    await expect(ask({ symbol: "AAPL", since: "2026-01-10", from: "2026-01-10" })).rejects.toMatchObject({
      message: "Pass since or from, not both",
    });
    await expect(ask({ symbol: "AAPL", from: "2026-01-16" })).rejects.toMatchObject(invalidField("/from"));
    await expect(ask({ symbol: "AAPL", from: "2023-01-01" })).rejects.toMatchObject(invalidField("/from"));
    await expect(ask({ from: "2026-01-01" })).rejects.toMatchObject(
      invalidField("/from", "within the last 7 days"),
    );
  });
});

toolContract(getDarkpoolPrints, { ports: { ...ports, ...dark } });
