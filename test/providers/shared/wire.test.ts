import { describe, expect, it } from "vitest";
import type { RawHeadline } from "../../../src/providers/shared/headline.ts";
import { createWire, tickersIn } from "../../../src/providers/shared/wire.ts";
import { kindOf, stock } from "../requests.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.parse("2026-10-02T18:00:00Z");
const WEEK_AGO = NOW - 7 * DAY;

const item = (id: string, publishedAt: number, ...tags: readonly string[]): RawHeadline => ({
  id,
  title: `Release ${id}`,
  publisher: "A company",
  url: `https://wire.example.com/${id}`,
  publishedAt,
  tags,
});

/** A wire whose feed and clock can be changed. */
function wireOf(first: readonly RawHeadline[]) {
  const state = { at: NOW, feed: first, reads: 0 };
  const wire = createWire({
    name: "wire",
    serves: new Set(["equity"]),
    budget: { calls: 1, perMs: 1, atOnce: 1 },
    now: () => state.at,
    read: async () => {
      state.reads++;
      return state.feed;
    },
  });
  const read = (symbol = "AAPL", signal = new AbortController().signal) =>
    wire.call({ instrument: stock(symbol), from: WEEK_AGO, until: state.at }, { signal });
  const idsOf = async (symbol?: string) => (await read(symbol)).headlines.map(({ id }) => id);
  return { state, read, idsOf, call: wire.call };
}

describe("a wire", () => {
  it("serves all symbols from one reading for two minutes, also concurrent callers", async () => {
    const { state, idsOf } = wireOf([
      item("a", NOW - HOUR, "AAPL"),
      item("b", NOW - 2 * HOUR, "MSFT", "BRK-B"),
    ]);
    expect(await Promise.all([idsOf("AAPL"), idsOf("MSFT"), idsOf("BRK.B"), idsOf("NVDA")])).toEqual([
      ["a"],
      ["b"],
      ["b"],
      [],
    ]);
    state.at += 2 * MINUTE - 1;
    await idsOf();
    expect(state.reads).toBe(1);
    state.at += 1;
    await idsOf();
    expect(state.reads).toBe(2);
  });

  it("holds items that have left the feed, for eight days", async () => {
    const { state, idsOf } = wireOf([item("a", NOW - HOUR, "AAPL")]);
    await idsOf();
    state.feed = [item("c", NOW + MINUTE, "AAPL"), item("a", NOW - HOUR, "AAPL")];
    state.at += HOUR;
    expect(await idsOf()).toEqual(["c", "a"]);
    state.feed = [item("d", NOW + 8 * DAY, "MSFT")];
    state.at = NOW + 8 * DAY;
    expect(await idsOf()).toEqual(["c"]);
  });

  it("holds the newest 2,000 items with tickers", async () => {
    const { state, read } = wireOf([]);
    for (let page = 0; page < 21; page++) {
      state.at += 2 * MINUTE;
      state.feed = Array.from({ length: 100 }, (_, i) =>
        item(`${page} ${i}`, state.at - (100 - i) * 1_000, "AAPL"),
      );
      await read();
    }
    const { headlines, completeFrom } = await read();
    expect(headlines).toHaveLength(2_000);
    expect(headlines.at(-1)!.publishedAt).toBeLessThanOrEqual(completeFrom!);
  });

  it("says since when no item is missing: the last gap between two readings", async () => {
    const { state, read } = wireOf([item("a", NOW - HOUR, "AAPL"), item("x", NOW - 2 * HOUR)]);
    expect((await read()).completeFrom).toBe(NOW - 2 * HOUR);
    // the oldest item of the feed was known: nothing is missing between
    state.feed = [item("c", NOW + HOUR), item("a", NOW - HOUR, "AAPL")];
    state.at += 2 * HOUR;
    expect((await read()).completeFrom).toBe(NOW - 2 * HOUR);
    state.feed = [item("e", NOW + 5 * HOUR), item("d", NOW + 4 * HOUR)];
    state.at += 4 * HOUR;
    expect((await read()).completeFrom).toBe(NOW + 4 * HOUR);
  });

  it("drops items from the future, which would hide later gaps", async () => {
    const { state, read, idsOf } = wireOf([
      item("wrong", Date.parse("2099-01-01"), "AAPL"),
      item("a", NOW - HOUR, "AAPL"),
    ]);
    expect(await idsOf()).toEqual(["a"]);
    state.feed = [item("d", NOW + 4 * HOUR, "AAPL")];
    state.at += 4 * HOUR;
    expect((await read()).completeFrom).toBe(NOW + 4 * HOUR);
  });

  it("serves no other kinds of instruments, and fails like its feed", async () => {
    const { call } = wireOf([]);
    const { signal } = new AbortController();
    const fund = { ...stock("SPY"), asset_class: "etf" } as const;
    expect(await kindOf(call({ instrument: fund, from: 0, until: NOW }, { signal }))).toBe("unsupported");
    const { read, state } = wireOf([item("", Number.NaN)]);
    state.feed = [{ ...item("a", Number.NaN), title: "" }];
    expect(await kindOf(read())).toBe("malformed");
  });
});

describe("tickers in a text", () => {
  it.each([
    ["SmallSat Inc. (NASDAQ: SSAT), a maker", ["SSAT"]],
    ["Nasdaq:EBIX", ["EBIX"]],
    ["(NYSE American: XYZ) and (Nasdaq: ABCD, ABCDW)", ["XYZ", "ABCD", "ABCDW"]],
    ["(NYSE:&nbsp;BRK.B) (NYSE: BF/B) (NYSE: <a href='x'>LEN-B</a>)", ["BRK-B", "BF-B", "LEN-B"]],
    ["listed on Nasdaq: AAPL. The company", ["AAPL"]],
    ["Euronext Lisbon:BCP, TSX: WDG, (OTCQB: ABCD)", []],
    ["NYSE: the exchange; NASDAQ: up 5 %", []],
    ["AI is on the agenda while Apple discusses products", []],
  ])("%s: %j", (text, tickers) => {
    expect(tickersIn(text)).toEqual(tickers);
  });
});
