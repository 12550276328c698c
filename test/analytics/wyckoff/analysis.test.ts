import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeWyckoff } from "../../../src/analytics/wyckoff/analysis.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { draws } from "../../support/draws.ts";
import { barsAround } from "../../support/synthetic-bars.ts";
import {
  around,
  BASE,
  mirrored,
  steps,
  type TapeBar,
  tapeOf,
  wanderingBars,
} from "../../support/wyckoff-tape.ts";

const SPRING: TapeBar = { high: 105, low: 97, close: 101 };
const CLIMB = [...steps(103, 119), around(120)];
const SIGN: TapeBar = { high: 127, low: 121, close: 126, volume: 2000 };
const BACK: TapeBar[] = [
  { high: 126, low: 123, close: 124 },
  { high: 125, low: 122, close: 123 },
];
const TURN: TapeBar = { high: 127, low: 123, close: 126 };
const phaseOf = (...rows: TapeBar[]) => {
  const { phase, subPhase } = analyzeWyckoff(tapeOf(rows));
  return subPhase === null ? phase : `${phase} ${subPhase}`;
};
const upsideDown = (...rows: TapeBar[]) => phaseOf(...mirrored(rows));

describe("Wyckoff phase", () => {
  it("goes through the accumulation phases by Spring, SOS and LPS to Markup", () => {
    expect(phaseOf(...BASE)).toBe("Accumulation B");
    expect(phaseOf(...BASE, { ...SPRING, close: 99 })).toBe("Accumulation B"); // not confirmed yet
    expect(phaseOf(...BASE, SPRING)).toBe("Accumulation C");
    const signed = [...BASE, SPRING, ...CLIMB, SIGN];
    expect(phaseOf(...signed)).toBe("Accumulation D");
    expect(phaseOf(...signed, ...BACK, TURN)).toBe("Accumulation D");
    expect(phaseOf(...signed, ...BACK, TURN, around(128))).toBe("Markup E"); // beyond the 127 since the sign
  });

  it("is mirrored for mirrored bars", () => {
    const signed = [...BASE, SPRING, ...CLIMB, SIGN];
    expect(upsideDown(...BASE)).toBe("Distribution B");
    expect(upsideDown(...BASE, SPRING)).toBe("Distribution C");
    expect(upsideDown(...signed)).toBe("Distribution D");
    expect(upsideDown(...signed, ...BACK, TURN, around(128))).toBe("Markdown E");
  });

  it("becomes Redistribution on a UTAD after a decline, and Reaccumulation on a Spring after an advance", () => {
    // Up to 118, then 2.5 above 122 and back: the previous range is 100 to 122.
    const rows = [...BASE, ...steps(104, 118), { high: 124.5, low: 116, close: 118 }];
    expect(phaseOf(...rows)).toBe("Redistribution C");
    expect(upsideDown(...rows)).toBe("Reaccumulation C");
  });

  it("is Markup or Markdown on any close beyond a range without an SOS or SOW", () => {
    expect(phaseOf(...BASE, ...steps(104, 122))).toBe("Accumulation B");
    // The range grows with the climb until it exceeds 9 ATR14 of 4, from 100 to 136.
    expect(phaseOf(...BASE, ...steps(104, 136))).toBe("Accumulation B");
    expect(phaseOf(...BASE, ...steps(104, 138))).toBe("Accumulation B"); // a UTAD at 138 is pending
    expect(phaseOf(...BASE, ...steps(104, 140))).toBe("Markup E");
    expect(phaseOf(...BASE, { high: 104, low: 93, close: 94 })).toBe("Markdown E");
  });

  it("is A from a climax to its secondary test", () => {
    const climax = [
      ...steps(222, 106),
      { high: 106, low: 90, close: 100, volume: 8000 },
      ...steps(102, 116),
      { high: 116, low: 106, close: 108 },
    ];
    const tested = [...climax, ...steps(106, 96), { high: 97, low: 91, close: 96, volume: 900 }];
    expect(phaseOf(...climax)).toBe("Accumulation A");
    expect(phaseOf(...tested)).toBe("Accumulation B");
    expect(upsideDown(...climax)).toBe("Distribution A");
  });

  it("is Undetermined in a range after neither a decline nor an advance", () => {
    const rows = BASE.slice(51); // 58 bars, nothing before the range
    expect(analyzeWyckoff(tapeOf(rows))).toEqual({
      phase: "Undetermined",
      subPhase: null,
      narrative:
        "Undetermined: The range came after neither a decline nor an advance and holds no event that separates buyers " +
        "from sellers. The trading range 100.00 to 122.00 ran from 2020-01-01 to 2020-02-27, 58 bars. " +
        "The close of 2020-02-27 at 102.00 is inside the range.",
      range: { low: 100, high: 122, first: 0, last: 57 },
      events: [],
      reason:
        "The range came after neither a decline nor an advance and holds no event that separates buyers from sellers",
    });
  });

  it("is Undetermined if price left the range and returned", () => {
    const fall = { high: 104, low: 93, close: 94 };
    expect(phaseOf(...BASE, fall, around(96))).toBe("Markdown E");
    expect(analyzeWyckoff(tapeOf([...BASE, fall, around(96), around(100)]))).toMatchObject({
      phase: "Undetermined",
      reason: "Price left the last trading range and came back into it",
    });
  });

  it("is Markup after a Spring without an SOS once price closes above the range of the Spring", () => {
    expect(phaseOf(...BASE, SPRING, ...CLIMB, around(122))).toBe("Accumulation C");
    expect(phaseOf(...BASE, SPRING, ...CLIMB, around(123))).toBe("Markup E");
  });

  it("stays D for the 20 bars in which the LPS may follow the SOS", () => {
    const wait = (count: number) =>
      Array<TapeBar>(count).fill({ high: 126, low: 122, close: 124, volume: 1700 });
    expect(phaseOf(...BASE, SPRING, ...CLIMB, SIGN, ...wait(20))).toBe("Accumulation D");
    expect(phaseOf(...BASE, SPRING, ...CLIMB, SIGN, ...wait(21))).toBe("Markup E");
  });

  it("ignores an event after 40 bars", () => {
    const wait = (count: number) => Array.from({ length: count }, (_, i) => around(i % 2 ? 108 : 110));
    expect(phaseOf(...BASE, SPRING, ...wait(39))).toBe("Accumulation C");
    expect(phaseOf(...BASE, SPRING, ...wait(40))).not.toBe("Accumulation C");
  });
});

describe("Wyckoff analysis", () => {
  it("describes its evidence with dates and prices", () => {
    const reading = analyzeWyckoff(
      tapeOf([...BASE, SPRING, { high: 104, low: 99, close: 103, volume: 500 }]),
    );
    expect(reading.narrative).toBe(
      "Accumulation, phase C. The trading range 100.00 to 122.00 ran from 2020-02-21 to 2020-04-18, 58 bars and " +
        "came after a decline. A Spring of type 2 at 97.00 on 2020-04-19, tested on 2020-04-20. " +
        "The close of 2020-04-20 at 103.00 is inside the range.",
    );
    expect(reading.events).toMatchObject([{ type: "SPRING", bar: 109, confirmedAt: 109, testedAt: 110 }]);
    expect(reading.range).toEqual({ low: 100, high: 122, first: 51, last: 108 });
    expect(reading.reason).toBeNull();
  });

  it("formats intraday bars to the minute and small prices to five digits", () => {
    const tape = tapeOf([...BASE, SPRING]);
    const small = (x: Float64Array) => x.map((value) => value / 4096);
    const bars: Bars = {
      ...tape,
      timeframe: "1h",
      time: tape.time.map((_, bar) => Date.UTC(2020, 0, 1, bar, 30)),
      high: small(tape.high),
      low: small(tape.low),
      close: small(tape.close),
    };
    expect(analyzeWyckoff(bars).narrative).toContain("A Spring of type 2 at 0.023682 on 2020-01-05T13:30Z.");
  });

  it("gives a reason if there are too few bars", () => {
    const bars = wanderingBars(1, 200);
    const reasonOf = (given: Bars) => {
      const { phase, subPhase, range, events, reason, narrative } = analyzeWyckoff(given);
      expect({ phase, subPhase, range, events }).toEqual({
        phase: "Undetermined",
        subPhase: null,
        range: null,
        events: [],
      });
      expect(narrative).toBe(`Undetermined: ${reason}.`);
      return reason;
    };
    const column = (value: number) => new Float64Array(200).fill(value);
    expect(reasonOf(sliceBars(bars, 0, 0))).toBe("There are no bars");
    expect(reasonOf(sliceBars(bars, 0, 1))).toBe("Needs 35 bars, has 1");
    expect(reasonOf(barsAround(Array(100).fill(50)))).toBe("Prices do not move: the average true range is 0");
    expect(reasonOf({ ...bars, low: column(Number.NaN) })).toBe("A price of the series is not a number");
    expect(reasonOf({ ...bars, volume: column(Number.NaN) })).toBe(
      "The volume of a recent bar is not a number",
    );
    expect(reasonOf({ ...bars, volume: column(0) })).toBe(
      "There is no volume, which is needed to distinguish a Spring or a climax from a dip",
    );
    expect(reasonOf(tapeOf(steps(300, 200)))).toBe("No trading range in the bars given");
    const late = (bar: number) => (bar < 190 ? 0 : 30 * 86_400_000);
    expect(reasonOf({ ...bars, time: bars.time.map((time, bar) => time + late(bar)) })).toBe(
      "Needs 35 bars since the last gap in the series, has 10",
    );
  });

  it("returns bar indices of the entire series after a gap", () => {
    const tape = tapeOf([...BASE, ...BASE, SPRING]);
    const time = tape.time.map((value, bar) => value + (bar < 109 ? 0 : 30 * 86_400_000));
    const { range, events } = analyzeWyckoff({ ...tape, time });
    expect(range).toEqual({ low: 100, high: 122, first: 160, last: 217 });
    expect(events).toMatchObject([{ type: "SPRING", bar: 218 }]);
  });

  it("is mirrored for a mirrored market", () => {
    const opposite: Readonly<Record<string, string>> = {
      Accumulation: "Distribution",
      Distribution: "Accumulation",
      Reaccumulation: "Redistribution",
      Redistribution: "Reaccumulation",
      Markup: "Markdown",
      Markdown: "Markup",
      Undetermined: "Undetermined",
    };
    const seen = new Set<string>();
    const flip = (x: Float64Array) => x.map((value) => 4096 - value);
    for (let seed = 1; seed <= draws(600); seed++) {
      const bars = wanderingBars(seed, 250);
      const other = { ...bars, high: flip(bars.low), low: flip(bars.high), close: flip(bars.close) };
      const [up, down] = [analyzeWyckoff(bars), analyzeWyckoff(other)];
      expect([down.phase, down.subPhase, down.reason]).toEqual([opposite[up.phase], up.subPhase, up.reason]);
      seen.add(up.phase);
    }
    expect(seen.size).toBe(7);
  });

  it("never throws and always returns a narrative or a reason, for any column values", () => {
    const value = fc.oneof(
      fc.double({ min: -10, max: 200 }),
      fc.constantFrom(0, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 5),
    );
    const column = fc.array(value, { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(column, column, column, column, (high, low, close, volume) => {
        const { phase, reason } = analyzeWyckoff(barsAround(close, { high, low, volume }));
        expect(reason === null).toBe(phase !== "Undetermined");
      }),
    );
  });
});
