import { describe, expect, it } from "vitest";
import type { WyckoffEvent } from "../../../src/analytics/wyckoff/event-match.ts";
import { spanEvents } from "../../../src/analytics/wyckoff/events.ts";
import { viewsOf } from "../../../src/analytics/wyckoff/view.ts";
import { around, BASE, mirrored, steps, type TapeBar, tapeOf } from "../../support/wyckoff-tape.ts";

const SPRING: TapeBar = { high: 105, low: 97, close: 101 };
const CLIMB = [...steps(103, 119), around(120)]; // bars 110 to 119
/** Bar 120: closes 4 above the range's high of 122 in the top sixth of its bar. */
const SIGN: TapeBar = { high: 127, low: 121, close: 126, volume: 2000 };
const TAPE = [...BASE, SPRING, ...CLIMB];

const eventsOf = (rows: readonly TapeBar[]) => spanEvents(viewsOf(tapeOf(rows)));
const only = (type: WyckoffEvent["type"], rows: readonly TapeBar[]) =>
  eventsOf(rows).filter((event) => event.type === type);

describe("sign of strength", () => {
  it("is the first strong close above the range of the Spring", () => {
    expect(only("SOS", [...TAPE, SIGN])).toEqual([
      {
        type: "SOS",
        side: "top",
        bar: 120,
        price: 126,
        confirmedAt: 120,
        voidAt: null,
        status: "confirmed",
        springType: null,
        testedAt: null,
        context: "after_decline",
        range: { low: 100, high: 122, first: 51, last: 108 },
      },
    ]);
  });

  it("needs a close above the range, in the upper third, a wide bar and 1.2 times the average volume", () => {
    const weak: TapeBar[] = [
      { ...SIGN, close: 122, high: 122 },
      { ...SIGN, close: 124.9 }, // a third of the bar below its high is 125
      { high: 124, low: 121, close: 124, volume: 2000 }, // range 4 from 120, ATR14 over 4 since the Spring
      { ...SIGN, volume: 1199 },
      { ...SIGN, volume: Number.NaN },
    ];
    for (const bar of weak) expect(only("SOS", [...TAPE, bar])).toEqual([]);
    expect(only("SOS", [...TAPE, { ...SIGN, close: 125, volume: 1200 }])).toHaveLength(1);
  });

  it("follows within 40 bars of the Spring and never after the Spring is void", () => {
    const wait = (bars: number) => Array<TapeBar>(bars).fill(around(120));
    expect(only("SOS", [...TAPE, ...wait(29), SIGN])).toMatchObject([{ bar: 149 }]);
    expect(only("SOS", [...TAPE, ...wait(30), SIGN])).toEqual([]);
    const broken = [...BASE, SPRING, around(96), ...steps(98, 120), SIGN];
    expect(only("SPRING", broken)).toMatchObject([{ bar: 109, voidAt: 110, status: "void" }]);
    expect(only("SOS", broken)).toEqual([]);
  });

  it("is void on a close below the middle of the range", () => {
    expect(only("SOS", [...TAPE, SIGN, around(111)])).toMatchObject([{ status: "confirmed" }]);
    expect(only("SOS", [...TAPE, SIGN, around(110)])).toMatchObject([{ status: "void", voidAt: 121 }]);
  });
});

describe("last point of support", () => {
  const back: TapeBar[] = [
    { high: 126, low: 123, close: 124 },
    { high: 125, low: 121, close: 122 },
    { high: 124, low: 122, close: 123 },
  ];
  const turn: TapeBar = { high: 126, low: 122, close: 124.5 };

  it("is pending in a low-volume pullback, confirmed by a close above the previous high, void below its low", () => {
    const rows = [...TAPE, SIGN, ...back];
    expect(only("LPS", rows)).toMatchObject([{ bar: 122, price: 121, confirmedAt: null, status: "pending" }]);
    expect(only("LPS", [...rows, turn])).toEqual([
      {
        type: "LPS",
        side: "bottom",
        bar: 122,
        price: 121,
        confirmedAt: 124,
        voidAt: null,
        status: "confirmed",
        springType: null,
        testedAt: null,
        context: "after_decline",
        range: { low: 100, high: 122, first: 51, last: 108 },
      },
    ]);
    expect(only("LPS", [...rows, turn, around(120.5)])).toMatchObject([{ status: "void", voidAt: 125 }]);
  });

  it("includes the confirming bar's low", () => {
    expect(only("LPS", [...TAPE, SIGN, ...back, { ...turn, low: 120 }])).toMatchObject([
      { bar: 124, price: 120, confirmedAt: 124 },
    ]);
  });

  it("is absent if the pullback has high volume, wide bars or too much depth", () => {
    const loud = back.map((bar) => ({ ...bar, volume: 1601 })); // .8 of the sign's 2000 is 1600
    expect(only("LPS", [...TAPE, SIGN, ...loud, { ...turn, volume: 1601 }])).toEqual([]);
    expect(only("LPS", [...TAPE, SIGN, ...back.map((bar) => ({ ...bar, volume: 1600 })), turn])).toHaveLength(
      1,
    );
    const wide = [{ high: 127, low: 121, close: 122 }]; // 6 wide, like the sign's 127 - 120 = 7 it is not
    expect(only("LPS", [...TAPE, SIGN, ...wide, { high: 129, low: 122, close: 128 }])).toHaveLength(1);
    const wider = [{ high: 127, low: 120, close: 122 }];
    expect(only("LPS", [...TAPE, SIGN, ...wider, { high: 129, low: 122, close: 128 }])).toEqual([]);
    const deep = [...back, { high: 122, low: 117, close: 119 }]; // under 122 less an ATR14 of about 4
    expect(only("LPS", [...TAPE, SIGN, ...deep, { high: 124, low: 119, close: 123 }])).toEqual([]);
  });

  it("is confirmed within 20 bars of the SOS or not at all", () => {
    const wait = (bars: number) => Array<TapeBar>(bars).fill({ high: 125, low: 122, close: 124 });
    const out: TapeBar = { high: 126, low: 123, close: 126 };
    expect(only("LPS", [...TAPE, SIGN, ...wait(19), out])).toMatchObject([{ confirmedAt: 140 }]);
    expect(only("LPS", [...TAPE, SIGN, ...wait(19)])).toMatchObject([{ confirmedAt: null }]);
    expect(only("LPS", [...TAPE, SIGN, ...wait(20)])).toEqual([]);
    expect(only("LPS", [...TAPE, SIGN, ...wait(20), out])).toEqual([]);
  });

  it("restarts from a new high", () => {
    const higher: TapeBar[] = [
      { high: 127, low: 117, close: 118 }, // too deep and too wide
      { high: 130, low: 118, close: 129 },
      { high: 129, low: 126, close: 127 },
      { high: 129, low: 126.5, close: 128 },
      { high: 131, low: 127, close: 130 },
    ];
    expect(only("LPS", [...TAPE, SIGN, ...higher])).toMatchObject([
      { bar: 123, price: 126, confirmedAt: 125 },
    ]);
  });
});

describe("back-up", () => {
  it("returns to the broken high and closes above it, whatever its volume", () => {
    const back: TapeBar = { high: 126, low: 122, close: 125, volume: 9000 };
    expect(only("BU", [...TAPE, SIGN, back])).toMatchObject([
      { bar: 121, price: 122, confirmedAt: 121, status: "confirmed" },
    ]);
    expect(only("BU", [...TAPE, SIGN, { ...back, close: 122 }])).toEqual([]);
    expect(only("BU", [...TAPE, SIGN, { ...back, low: 124.5 }])).toEqual([]);
  });
});

describe("bearish events", () => {
  it("include a UTAD, a sign of weakness and a last point of supply in mirrored bars", () => {
    const rows = [
      ...TAPE,
      SIGN,
      { high: 126, low: 123, close: 124 },
      { high: 125, low: 123, close: 124 },
      { high: 127, low: 124, close: 126 },
    ];
    const seen = eventsOf(mirrored(rows)).filter(({ status }) => status === "confirmed");
    expect(
      seen.map(({ type, bar, price, confirmedAt, context }) => [type, bar, price, confirmedAt, context]),
    ).toEqual([
      ["UTAD", 109, 303, 109, "after_advance"],
      ["SOW", 120, 274, 120, "after_advance"],
      ["LPSY", 121, 277, 123, "after_advance"],
    ]);
    expect(seen[0]).toMatchObject({ springType: null, range: { low: 278, high: 300, first: 51, last: 108 } });
  });
});
