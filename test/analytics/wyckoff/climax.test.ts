import { describe, expect, it } from "vitest";
import { wyckoffEvents } from "../../../src/analytics/wyckoff/events.ts";
import { mirrored, steps, type TapeBar, tapeOf } from "../../support/wyckoff-tape.ts";

/** Down by 2 a bar to 122 (bar 50), a new low of 112 on high volume (bar 51), up, and down again to 106 (bar 59). */
const DECLINE: readonly TapeBar[] = [
  ...steps(222, 122),
  { high: 122, low: 112, close: 114, volume: 3000 },
  ...steps(116, 118),
  ...steps(116, 106),
];
/** Bar 60: eight times the volume and four times the range of the bars before it. */
const CLIMAX: TapeBar = { high: 106, low: 90, close: 100, volume: 8000 };
/** To a high of 118 at bar 68; bar 69 closes 10 below it. */
const RALLY: readonly TapeBar[] = [...steps(102, 116), { high: 116, low: 106, close: 108 }];
/** Down to 96 (bar 76 is the test). */
const BACK = steps(106, 96);
const TEST: TapeBar = { high: 97, low: 91, close: 96, volume: 900 };

const eventsOf = (rows: readonly TapeBar[]) =>
  wyckoffEvents(tapeOf(rows)).map(({ type, bar, price, confirmedAt, status }) => [
    type,
    bar,
    price,
    confirmedAt,
    status,
  ]);

describe("selling climax", () => {
  it("is confirmed, with its preliminary support, once the following rally has turned", () => {
    expect(eventsOf([...DECLINE, CLIMAX, ...RALLY])).toEqual([
      ["PS", 51, 112, 69, "confirmed"],
      ["SC", 60, 90, 69, "confirmed"],
      ["AR", 68, 118, 69, "confirmed"],
    ]);
  });

  it("is pending until then and dropped at the first lower low", () => {
    const open = [...DECLINE, CLIMAX, ...RALLY.slice(0, -1)];
    expect(eventsOf(open)).toEqual([["SC", 60, 90, null, "pending"]]);
    expect(eventsOf([...open, { high: 110, low: 89, close: 100 }])).toEqual([]);
  });

  it("is dropped if no rally follows within 20 bars", () => {
    const flat = (count: number) => Array<TapeBar>(count).fill({ high: 102, low: 98, close: 100 });
    expect(eventsOf([...DECLINE, CLIMAX, ...flat(19)])).toEqual([["SC", 60, 90, null, "pending"]]);
    expect(eventsOf([...DECLINE, CLIMAX, ...flat(20)])).toEqual([]);
    expect(eventsOf([...DECLINE, CLIMAX, ...flat(20), ...RALLY])).toEqual([]);
  });

  it("needs both high volume and a wide range", () => {
    expect(eventsOf([...DECLINE, { ...CLIMAX, volume: 1000 }, ...RALLY])).toEqual([]);
    expect(eventsOf([...DECLINE, { ...CLIMAX, volume: Number.NaN }, ...RALLY])).toEqual([]);
  });

  it("needs a volume 2 deviations above the mean of the last 40 bars", () => {
    // 38 volumes of 1000 and one of 3000: as the 40th, 1750 is 2.06 deviations above the mean, 1700 is 1.93.
    expect(eventsOf([...DECLINE, { ...CLIMAX, volume: 1750 }])).toEqual([["SC", 60, 90, null, "pending"]]);
    expect(eventsOf([...DECLINE, { ...CLIMAX, volume: 1700 }])).toEqual([]);
  });

  it("needs a preceding decline of at least three quarters of the rally", () => {
    // Low 90 against the close of 182 40 bars earlier. The rally to 118 is 28 high; it may be up to 109 high.
    const tall = { high: 90 + 110, low: 106, close: 108 };
    expect(eventsOf([...DECLINE, CLIMAX, ...RALLY.slice(0, -1), { ...tall, high: 199 }])).toContainEqual([
      "SC",
      60,
      90,
      69,
      "confirmed",
    ]);
    expect(eventsOf([...DECLINE, CLIMAX, ...RALLY.slice(0, -1), tall])).toEqual([]);
  });

  it("sets the range from its low to the rally's high", () => {
    for (const event of wyckoffEvents(tapeOf([...DECLINE, CLIMAX, ...RALLY])))
      expect(event).toMatchObject({
        range: { low: 90, high: 118, first: 60, last: 69 },
        context: "after_decline",
      });
  });
});

describe("secondary test", () => {
  it("is a return to the climax on low volume, void on a close below it", () => {
    const rows = [...DECLINE, CLIMAX, ...RALLY, ...BACK, TEST];
    expect(eventsOf(rows).at(-1)).toEqual(["ST", 76, 91, 76, "confirmed"]);
    expect(eventsOf([...rows, { high: 96, low: 89, close: 90.5 }])).toContainEqual([
      "ST",
      76,
      91,
      76,
      "void",
    ]);
  });

  it("is absent at the climax's volume or on a close in the lower half", () => {
    const before = [...DECLINE, CLIMAX, ...RALLY, ...BACK];
    const none = [
      { ...TEST, volume: 8000 },
      { ...TEST, close: 93 },
      { ...TEST, low: 95, high: 98 },
    ];
    for (const bar of none) expect(eventsOf([...before, bar]).map(([type]) => type)).not.toContain("ST");
  });
});

describe("buying climax", () => {
  it("is the mirrored selling climax, and a test above it is an upthrust", () => {
    const rows = [...DECLINE, CLIMAX, ...RALLY, ...BACK, { ...TEST, low: 89 }];
    expect(eventsOf(mirrored(rows))).toEqual([
      ["PSY", 51, 288, 69, "confirmed"],
      ["BC", 60, 310, 69, "confirmed"],
      ["AR", 68, 282, 69, "confirmed"],
      ["UT", 76, 311, 76, "confirmed"],
    ]);
    expect(eventsOf(rows).at(-1)).toEqual(["ST", 76, 89, 76, "confirmed"]);
  });
});
