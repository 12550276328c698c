import { describe, expect, it } from "vitest";
import { type BarTimeframe, barRows, type Timeframe } from "../../../src/domain/market/bars.ts";
import type { ProviderBarsRequest } from "../../../src/domain/providers/price-provider.ts";
import { aggregate } from "../../../src/market/prices/aggregate.ts";
import { liveHistory } from "../../../src/market/prices/history.ts";
import { sanitizeBars } from "../../../src/market/prices/sanitize-bars.ts";
import { fixed, fixedWorld } from "../../support/fixed-world.ts";
import { fakeProvider, providerBars, settableClock, shortMemory } from "../../support/providers.ts";

const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString().slice(0, 16);

/** Half hours that start at the given times; number i opens at 10 + i and closes half a dollar higher. */
const halfHours = (starts: readonly string[]) =>
  starts.map((start, i) => ({
    time: at(`2026-01-13T${start}Z`),
    open: 10 + i,
    high: 11 + i,
    low: 9 + i,
    close: 10.5 + i,
    volume: 100 * (i + 1),
  }));

/** Live bars of providers in the fixed world; a name with `+` has extended hours. */
function setup(names: readonly string[], now = "2025-12-03T00:30:10Z") {
  const clock = settableClock(now);
  const sent: (ProviderBarsRequest & { readonly to: string })[] = [];
  const guards = names.map((name) =>
    fakeProvider(name, {
      clock,
      reaches: { "1d": Infinity, "30m": 700, "15m": 700 },
      hasExtendedHours: name.endsWith("+"),
      history: async (request) => {
        sent.push({ ...request, to: name });
        const hours = request.extendedHours === true ? "extended" : "regular";
        const { timeframe, from, until } = request;
        return providerBars(
          fixedWorld(clock.at()).bars("AAPL", timeframe as Timeframe, { from, until, hours }),
        );
      },
    }),
  );
  const cache = shortMemory();
  const history = liveHistory({ chain: () => guards, memory: cache.memory, clock });
  const read = (timeframe: BarTimeframe, limit: number, extendedHours: boolean, asOf?: string) =>
    history.history(fixed("AAPL"), {
      timeframe,
      limit,
      extendedHours,
      ...(asOf !== undefined && { asOf: at(asOf) }),
    });
  return { clock, sent, read, cache };
}

describe("bars with extended hours", () => {
  it("never span two parts of the day", () => {
    // by hand, New York time: pre-market 09:00, session 09:30, 10:00, 15:30, after-hours 16:00 and 16:30
    const rows = halfHours(["14:00", "14:30", "15:00", "20:30", "21:00", "21:30"]);
    const hours = aggregate(providerBars(rows), "1h", "equity", "by_session").bars;
    expect(hours.map(({ time, open, close, volume }) => [iso(time), open, close, volume])).toEqual([
      ["2026-01-13T14:00", 10, 10.5, 100],
      ["2026-01-13T14:30", 11, 12.5, 500],
      ["2026-01-13T20:30", 13, 13.5, 400],
      ["2026-01-13T21:00", 14, 15.5, 1100],
    ]);
  });

  it("start from 04:00 until 20:00 New York, each on the grid of its part of the day", () => {
    const starts = ["08:30", "09:00", "13:00", "13:30", "14:00", "14:30", "21:00", "21:30", "22:00", "23:30"];
    const rows = [...halfHours(starts), { ...halfHours(["09:00"])[0]!, time: at("2026-01-14T01:00Z") }];
    const kept = (timeframe: BarTimeframe) =>
      sanitizeBars(providerBars(rows), {
        assetClass: "equity",
        timeframe,
        at: at("2026-01-14T02:00Z"),
        layout: "by_session",
      }).bars;
    expect([...kept("30m").time].map(iso)).toEqual(starts.slice(1).map((start) => `2026-01-13T${start}`));
    // pre-market hours begin on the hour, the session's at half past
    expect([...kept("1h").time].map((time) => iso(time).slice(11))).toEqual([
      "09:00",
      "13:00",
      "14:00",
      "14:30",
      "21:00",
      "22:00",
    ]);
  });

  it("come from providers that have them, and are labelled", async () => {
    const { read, sent } = setup(["one", "two+"]);
    const series = await read("30m", 3, true);
    expect(series).toMatchObject({
      source: "two+",
      as_of: "2025-12-03T00:30:00.000Z",
      origin: { session: null },
    });
    expect([...series.bars.time].map(iso)).toEqual([
      "2025-12-02T23:00",
      "2025-12-02T23:30",
      "2025-12-03T00:00",
    ]);
    expect(series.forming).toMatchObject({ time: at("2025-12-03T00:30Z") });
    expect(sent).toMatchObject([{ to: "two+", timeframe: "30m", extendedHours: true }]);
  });

  it("never mix with regular bars in a cache", async () => {
    const { read, cache, sent } = setup(["two+"]);
    const extended = await read("15m", 4, true);
    const regular = await read("15m", 4, false);
    expect(iso(extended.bars.time.at(-1)!)).toBe("2025-12-03T00:15");
    expect(iso(regular.bars.time.at(-1)!)).toBe("2025-12-02T20:45");
    expect(await read("15m", 4, true)).toMatchObject({
      bars: extended.bars,
      origin: { served_from: "memory" },
    });
    expect(await read("15m", 4, false)).toMatchObject({
      bars: regular.bars,
      origin: { served_from: "memory" },
    });
    expect(sent.map(({ extendedHours = false }) => extendedHours)).toEqual([true, false]);
    // only regular bars are preserved
    const stored = await cache.memory.bars("AAPL", "15m");
    expect(iso(stored!.bars.at(-1)!.time)).toBe("2025-12-02T20:45");
  });

  it("of an hour are built from half hours, and contain nothing later than the requested time", async () => {
    const { read, sent } = setup(["two+"]);
    const { bars, as_of, forming } = await read("1h", 2, true, "2025-12-02T14:40Z");
    // the pre-market bar of 09:00 New York ends at the open
    expect([...bars.time].map(iso)).toEqual(["2025-12-02T13:00", "2025-12-02T14:00"]);
    expect({ as_of, forming }).toEqual({ as_of: "2025-12-02T14:30:00.000Z", forming: null });
    expect(sent[0]).toMatchObject({ timeframe: "30m" });
    const [last] = barRows(bars).slice(-1);
    const [half] = fixedWorld().bars("AAPL", "30m", {
      from: at("2025-12-02T14:00Z"),
      until: at("2025-12-02T14:00Z"),
      hours: "extended",
    });
    expect(last).toEqual(half);
  });

  it("fail clearly if no provider has them", async () => {
    const { read, sent } = setup(["one"]);
    await expect(read("30m", 3, true)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "No provider of 30m bars with extended hours for AAPL is connected",
    });
    expect(sent).toEqual([]);
  });
});
