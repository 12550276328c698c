import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { renderChart } from "../../tools/render-chart.ts";
import { pro } from "../support/context.ts";
import { climbingBars, marketOf, smallMarket, withOmittedRow } from "../support/market.ts";
import { openPng } from "../support/png.ts";
import { splitAt } from "../support/synthetic-bars.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports, requests } = smallMarket();
const call = callerOf(renderChart, ports);
const pictureIn = ({ media }: Awaited<ReturnType<typeof call>>) =>
  openPng(Buffer.from(media.base64 ?? "", "base64"));

describe("render_chart", () => {
  it("draws the newest closed bars, and states which", async () => {
    const { media, ...answer } = await call({ symbol: "aapl" });
    expect(answer).toMatchObject({
      ok: true,
      symbol: "AAPL",
      timeframe: "1d",
      bars: 120,
      from: "2025-07-31",
      to: "2026-01-14",
      last_close: 137.375,
      asset_class: "equity",
      venue: "XTST",
      source: "fixture",
      adjustment: "split",
      market: "sample",
      data_as_of: "2026-01-14T21:00:00.000Z",
      notes: [],
      alternatives: [],
    });
    expect(media.mime).toBe("image/png");
    expect(pictureIn({ media } as never)).toMatchObject({ width: 1200, height: 675 });
  });

  it("draws weekly bars, without levels because they have no signals", async () => {
    const weeks = climbingBars({ timeframe: "1w", count: 60, end: Date.UTC(2026, 0, 5) });
    const weekly = callerOf(renderChart, marketOf({ bars: { AAPL: weeks } }).ports);
    expect(await weekly({ symbol: "AAPL", timeframe: "weekly", bars: 52 })).toMatchObject({
      timeframe: "1w",
      bars: 52,
      from: "2025-01-13",
      to: "2026-01-05",
      data_as_of: "2026-01-09T21:00:00.000Z",
      levels: null,
      direction: null,
      levels_reason: "There are no signals on 1w bars, only on 1d, 4h, 1h, 30m, 15m, 5m.",
      notes: [],
    });
  });

  it("notes weekly bars once a fourth week has closed without them", async () => {
    const chartOf = async (end: number) => {
      const weeks = climbingBars({ timeframe: "1w", count: 60, end });
      return callerOf(
        renderChart,
        marketOf({ bars: { AAPL: weeks } }).ports,
      )({ symbol: "AAPL", timeframe: "1w" });
    };
    expect((await chartOf(Date.UTC(2025, 11, 15))).notes).toEqual([]);
    const old = await chartOf(Date.UTC(2025, 11, 8));
    expect(old.notes).toEqual([
      "Stale: the newest closed 1w bar is 33 days old: it closed 2025-12-12T21:00:00.000Z.",
    ]);
    expect(renderChart.terminal!(old, (_, text) => text)).toMatch(/^Stale: /);
  });

  it("shows the levels of get_signal", async () => {
    const [chart, signal] = await Promise.all([
      call({ symbol: "MSFT" }),
      invoke(getSignal, { symbol: "MSFT" }, { ports, principal: pro, transport: "test" }),
    ]);
    const { entry_zone, stop_loss, targets, reward_to_risk, levels_basis, ...told } = signal.data.signal;
    expect(chart.levels).toMatchObject({
      entry_zone,
      stop_loss,
      targets,
      reward_to_risk,
      basis: levels_basis,
    });
    expect({ ...chart, levels: null }).toMatchObject({
      direction: told.direction,
      score: told.score,
      grade: told.grade,
      reason: told.reason,
      levels_reason: null,
    });
    expect(chart.media.alt).toMatch(
      /^MSFT 1d candlestick chart of simulated prices: 120 closed bars .* last close 162\.63 .*entry .*, stop .*, targets /,
    );
  });

  it("draws the range of the next 20 bars and the odds of the levels", async () => {
    const signal = (await invoke(getSignal, { symbol: "MSFT" }, { ports, principal: pro, transport: "test" }))
      .data.signal;
    const { odds, range, range_reason, media } = await call({ symbol: "MSFT" });
    expect(odds).toEqual(signal.odds);
    expect(odds).not.toBeNull();
    expect(range!.map(({ bars }) => bars)).toEqual([1, 2, 3, 5, 8, 12, 16, 20]);
    for (const { bars: _, ...prices } of range!)
      expect(Object.values(prices)).toEqual(Object.values(prices).toSorted((a, b) => a - b));
    // the same paths as those of the signal
    const { p5, p95 } = range!.at(-1)!;
    expect({ low: p5, high: p95 }).toEqual(signal.odds!.range_90);
    expect(range_reason).toBeNull();
    expect(media.alt).toMatch(
      / Odds: expected -\d\.\d\d R in 20 bars: stop first in .* of 100 cases, .* In 90 of 100 cases the close after 20 bars is /,
    );
    expect((await call({ symbol: "MSFT" })).range).toEqual(range);
  });

  it("draws no range and no odds when the range is off, and no odds without levels", async () => {
    const off = await call({ symbol: "MSFT", range: false });
    expect(off).toMatchObject({ odds: null, range: null, range_reason: "The range was not requested." });
    expect(off.levels).not.toBeNull();
    expect(off.media.alt).not.toContain("100 cases");
    const bare = await call({ symbol: "MSFT", levels: false });
    expect(bare).toMatchObject({ odds: null, range_reason: null, levels: null });
    expect(bare.range).toEqual((await call({ symbol: "MSFT" })).range);
    const pictures = [off, bare, await call({ symbol: "MSFT" })].map(({ media }) => media.base64);
    expect(new Set(pictures).size).toBe(3);
  });

  it("states why there is no range: too few bars, or a suspected split", async () => {
    const few = marketOf({ bars: { AAPL: climbingBars({ count: 119 }) } });
    expect(await call({ symbol: "AAPL" }, few.ports)).toMatchObject({
      odds: null,
      range: null,
      range_reason: "Odds need 120 bars, there are 119",
    });
    const enough = marketOf({ bars: { AAPL: climbingBars({ count: 120 }) } });
    expect((await call({ symbol: "AAPL" }, enough.ports)).range).toHaveLength(8);
    const split = marketOf({ bars: { AAPL: splitAt(climbingBars(), 200, "raw") } });
    const answer = await call({ symbol: "AAPL", levels: false }, split.ports);
    expect(answer.range).toBeNull();
    expect(answer.range_reason).toContain("possibly an unadjusted split");
  });

  it("draws only candles when levels are off, without other requests", async () => {
    const from = requests.length;
    expect(await call({ symbol: "AAPL", levels: false, bars: 20 })).toMatchObject({
      bars: 20,
      direction: null,
      score: null,
      levels: null,
      levels_reason: "Levels were not requested.",
      media: { alt: expect.stringContaining("No levels are shown.") },
    });
    expect(requests.slice(from).map(({ symbol }) => symbol)).toEqual(["AAPL"]);
  });

  it("draws the available bars, and states why there are no levels", async () => {
    const few = marketOf({ bars: { AAPL: climbingBars({ count: 9 }) } });
    expect(await call({ symbol: "AAPL" }, few.ports)).toMatchObject({
      bars: 9,
      direction: null,
      levels: null,
      levels_reason: "AAPL has 9 closed 1d bars; a signal needs 15, a score 252",
    });
  });

  it("draws flat prices, which have no levels", async () => {
    const flat = climbingBars({ step: 0 });
    const prices = { ...flat, open: flat.close, high: flat.close, low: flat.close };
    const answer = await call({ symbol: "AAPL" }, marketOf({ bars: { AAPL: prices } }).ports);
    expect(answer).toMatchObject({
      levels: null,
      levels_reason: "No levels for AAPL: The average true range is 0",
      last_close: 100,
    });
  });

  it("draws a past chart and reads nothing later", async () => {
    const from = requests.length;
    const past = await call({ symbol: "AAPL", as_of: "2026-01-13T20:59:59Z" });
    expect(past).toMatchObject({ to: "2026-01-12", data_as_of: "2026-01-12T21:00:00.000Z" });
    expect(requests.slice(from).every(({ asOf }) => asOf! <= Date.parse("2026-01-13T20:59:59Z"))).toBe(true);
    // later bars do not change the picture
    const shorter = climbingBars({ end: Date.UTC(2026, 0, 12), count: 298 });
    const { ports: then } = marketOf({ bars: { AAPL: shorter, SPY: climbingBars({ step: 0.03125 }) } });
    const alone = { symbol: "AAPL", as_of: "2026-01-13T20:59:59Z", levels: false };
    const [told, known] = [await call(alone, then), await call(alone)];
    expect(told.media).toEqual(known.media);
    expect(told.range).toEqual(known.range);
    expect(told.range).not.toEqual((await call({ symbol: "AAPL", levels: false })).range);
  });

  it("never draws the unfinished bar", async () => {
    const unfinished = { time: Date.UTC(2026, 0, 15), open: 1, high: 900, low: 1, close: 900, volume: 40 };
    const busy = smallMarket({ forming: { AAPL: unfinished } });
    expect((await call({ symbol: "AAPL" }, busy.ports)).media).toEqual(
      (await call({ symbol: "AAPL" })).media,
    );
  });

  it("marks simulated prices in the picture, but not real ones", async () => {
    const picture = async (mode: "sample" | "live") =>
      (await call({ symbol: "AAPL" }, { market: { mode, id: "test" } })).media;
    const [made, real] = [await picture("sample"), await picture("live")];
    expect(made.base64).not.toBe(real.base64);
    expect([made.alt.includes("simulated"), real.alt.includes("simulated")]).toEqual([true, false]);
  });

  it.each([19, 251, 50.5])("rejects %d bars", async (bars) => {
    await expect(call({ symbol: "AAPL", bars })).rejects.toMatchObject(invalidField("/bars"));
  });

  it("rejects a symbol without bars", async () => {
    const none = marketOf({ bars: { AAPL: climbingBars({ count: 0 }) } }).ports;
    for (const levels of [true, false])
      await expect(call({ symbol: "AAPL", levels }, none)).rejects.toMatchObject({
        code: "NOT_ENOUGH_DATA",
        message: "No 1d bars of AAPL",
      });
    await expect(call({ symbol: "KO" })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: "This market has no bars of KO",
    });
  });

  it("notes the rows left out of its bars", async () => {
    expect((await call({ symbol: "AAPL" }, withOmittedRow(ports))).notes).toEqual([
      "1 row of bars was left out: 1 without a valid price (2026-01-12).",
    ]);
  });

  it("notes when the newest bar is old", async () => {
    const old = marketOf({ bars: { AAPL: climbingBars({ end: Date.UTC(2026, 0, 5) }) } });
    expect((await call({ symbol: "AAPL" }, old.ports)).notes).toEqual([
      "Stale: the newest closed 1d bar is 9 days old: it closed 2026-01-05T21:00:00.000Z.",
    ]);
  });

  it("lists the alternatives of an ambiguous name", async () => {
    expect(await call({ symbol: "LINK" })).toMatchObject({
      symbol: "LINK",
      alternatives: [{ symbol: "LINK-USD" }],
    });
  });
});

toolContract(renderChart, { ports });
