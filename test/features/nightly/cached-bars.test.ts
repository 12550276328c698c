import { describe, expect, it } from "vitest";
import type { BarHistory } from "../../../src/domain/ports.ts";
import { cachedBars } from "../../../src/features/nightly/cached-bars.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { climbingBars, marketOf, YESTERDAY } from "../../support/market.ts";

const signal = new AbortController().signal;
const CLOSE = Date.parse("2026-01-14T21:00:00Z");
const DAY = 86_400_000;
const at = { timeframe: "1d", asOf: CLOSE, signal } as const;

function standing(over: Partial<BarHistory> = {}) {
  const { ports, requests } = marketOf({ bars: { AAPL: climbingBars({ end: YESTERDAY + DAY }) } });
  const { instrument } = ports.symbols.resolve("AAPL");
  return { held: cachedBars({ ...ports.bars, ...over }, at), requests, instrument };
}

describe("cached bars", () => {
  it("are read once, as of their moment, and returned as the same object", async () => {
    const { held, requests, instrument } = standing();
    expect(held.peek(instrument, 80)).toBeNull();
    const [whole, newest] = await Promise.all([
      held.history(instrument, { timeframe: "1d", limit: 1251 }),
      held.history(instrument, { timeframe: "1d", limit: 80, asOf: CLOSE + DAY }),
    ]);
    expect(requests).toEqual([{ symbol: "AAPL", ...at, limit: 1251 }]);
    expect(whole.bars.time.at(-1)).toBe(YESTERDAY);
    expect(newest.bars.time).toEqual(whole.bars.time.slice(-80));
    expect(held.peek(instrument, 80)).toBe(newest);
    expect(held.peek(instrument, 1251)).toBe(whole);
  });

  it("are returned for several instruments if all are read and end at the same close", async () => {
    const { held, instrument } = standing();
    expect(held.peekAll([instrument], 80, "")).toBeNull();
    const { as_of } = await held.history(instrument, { timeframe: "1d", limit: 80 });
    const newest = held.peek(instrument, 80)!.bars;
    expect(held.peekAll([instrument, instrument], 80, as_of!)).toEqual([newest, newest]);
    expect(held.peekAll([instrument], 80, new Date(0).toISOString())).toBeNull();
    expect(held.peekAll([], 80, as_of!)).toEqual([]);
  });

  it("are requested for an earlier moment, another length or timeframe, never for a later moment", async () => {
    const { held, requests, instrument } = standing();
    const earlier = await held.history(instrument, { timeframe: "1d", limit: 80, asOf: CLOSE - DAY });
    expect(earlier.bars.time.at(-1)).toBe(YESTERDAY - DAY);
    expect(earlier.bars.time).toHaveLength(80);
    requests.length = 0;
    await held.history(instrument, { timeframe: "4h", limit: 10 });
    await held.history(instrument, { timeframe: "1d", limit: 1252, asOf: CLOSE + DAY });
    expect(requests.map(({ timeframe, limit, asOf }) => [timeframe, limit, asOf])).toEqual([
      ["4h", 10, CLOSE],
      ["1d", 1252, CLOSE],
    ]);
  });

  it.each([
    ["UPSTREAM_UNAVAILABLE", 2],
    ["NOT_ENOUGH_DATA", 1],
  ] as const)("that failed with %s are requested %i times by two callers", async (code, times) => {
    let calls = 0;
    const { held, instrument } = standing({
      history: async () => {
        calls++;
        throw new ToolError(code, "No");
      },
    });
    const ask = () => held.history(instrument, { timeframe: "1d", limit: 1 });
    await expect(ask()).rejects.toMatchObject({ code });
    await expect(ask()).rejects.toMatchObject({ code });
    expect(calls).toBe(times);
  });
});
