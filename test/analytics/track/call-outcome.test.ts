import { describe, expect, it } from "vitest";
import { callOutcome, type PastCall, type TimedBars } from "../../../src/analytics/track/call-outcome.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Bars from day 0 on, each as [open, high, low, close]; they open at 9 and close at 16 o'clock. */
function timed(...rows: readonly (readonly [number, number, number, number])[]): TimedBars {
  const column = (of: (row: (typeof rows)[number], day: number) => number) => Float64Array.from(rows, of);
  const bars: Bars = {
    time: column((_, day) => day * DAY),
    open: column(([open]) => open),
    high: column(([, high]) => high),
    low: column(([, , low]) => low),
    close: column(([, , , close]) => close),
    volume: column(() => 1),
    timeframe: "1d",
    adjustment: "split",
    zone: "America/New_York",
  };
  return {
    bars,
    opens: column((_, day) => day * DAY + 9 * HOUR),
    closes: column((_, day) => day * DAY + 16 * HOUR),
  };
}
/** A purchase at 100 in the evening of day 0, with a stop at 95 and a target at 110, over two bars. */
const call = (
  over: Omit<Partial<PastCall>, "plan"> & { plan?: Partial<PastCall["plan"]> } = {},
): PastCall => ({
  recordedAt: 20 * HOUR,
  until: 2 * DAY + 16 * HOUR,
  decidedAt: 16 * HOUR,
  close: 100,
  ...over,
  plan: { side: "LONG", kind: "now", entry: 100, limit: null, stop: 95, target: 110, ...over.plan },
});
const flat = [100, 101, 99, 100] as const;

describe("the outcome of a call", () => {
  it.each([
    ["the target, once it trades", [100, 111, 99, 108], "target"],
    ["the stop in a bar that trades at both", [100, 111, 94, 100], "stop"],
    ["the target at an open beyond it, though the stop trades later", [112, 112, 94, 96], "target"],
    ["neither", [100, 109, 96, 100], "neither"],
  ] as const)("is %s", (_, bar, end) => {
    expect(callOutcome(timed(flat, flat, [...bar]), call())).toEqual({ filled: true, end, close: bar[3] });
  });

  it("waits until the last bar has closed, although a level traded before", () => {
    const bars = timed(flat, [100, 111, 99, 100]);
    expect(callOutcome(bars, call())).toBeNull();
    expect(callOutcome(bars, call({ until: DAY + 16 * HOUR }))?.end).toBe("target");
  });

  it("counts only bars that open after it was recorded", () => {
    const bars = timed(flat, [100, 111, 94, 110], flat);
    const at = (hour: number) => callOutcome(bars, call({ recordedAt: DAY + hour * HOUR }))?.end;
    expect([at(9), at(10), at(17)]).toEqual(["stop", "neither", "neither"]);
  });

  it("counts a stop or target that traded before the last bar of a delisted symbol", () => {
    const delisted = (end: readonly [number, number, number, number]) =>
      callOutcome(timed(flat, [...end]), call(), { isFinal: true })?.end;
    expect(delisted([100, 101, 30, 30])).toBe("stop");
    expect(delisted([115, 115, 114, 115])).toBe("target");
    expect(delisted(flat)).toBeUndefined();
  });

  it("does not treat a small correction of the decision close as a split", () => {
    const bars = timed([100, 101, 99, 100.01], [100, 110, 99, 108], flat);
    expect(callOutcome(bars, call())?.end).toBe("target");
  });

  it("finds an exact touch after a split by three", () => {
    const third = (...row: readonly number[]) =>
      row.map((price) => price / 3) as [number, number, number, number];
    const bars = timed(third(100, 101, 99, 100), third(100, 110, 99, 108), third(...flat));
    expect(callOutcome(bars, call())?.end).toBe("target");
  });

  it("scales its prices after a split", () => {
    const halved = timed([50, 50.5, 49.5, 50], [50, 55.5, 49.5, 50], [50, 51, 49, 50]);
    expect(callOutcome(halved, call())).toEqual({ filled: true, end: "target", close: 100 });
  });

  it("fills a limit at its price, and not at all if it never trades", () => {
    const waits = (entry: number) => call({ plan: { kind: "limit", entry } });
    const bars = timed(flat, [100, 101, 97, 99], [99, 111, 99, 110]);
    expect(callOutcome(bars, waits(98))).toEqual({ filled: true, end: "target", close: 110 });
    expect(callOutcome(bars, waits(96))).toEqual({ filled: false, end: null, close: 110 });
  });

  it("applies stop and target of a SHORT the other way round", () => {
    const short = call({ plan: { side: "SHORT", stop: 105, target: 90 } });
    expect(callOutcome(timed(flat, flat, [100, 101, 89, 92]), short)?.end).toBe("target");
    expect(callOutcome(timed(flat, flat, [100, 106, 89, 92]), short)?.end).toBe("stop");
  });

  it("is null without its decision bar", () => {
    expect(callOutcome(timed(flat, flat, flat), call({ decidedAt: 15 * HOUR }))).toBeNull();
  });
});
