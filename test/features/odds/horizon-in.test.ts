import { describe, expect, it } from "vitest";
import { barsWithin, horizonIn, spansBlanked } from "../../../src/features/odds/horizon-in.ts";

/** A Thursday, 10:00 in New York. */
const NOW = new Date("2026-01-15T15:00:00Z");
const stock = { assetClass: "equity", timeframe: null, now: NOW, isPast: false } as const;
const coin = { ...stock, assetClass: "crypto" } as const;

describe("the horizon of a question", () => {
  it.each<[string, number | null, number | null]>([
    ["within 20 bars", 20, 20],
    ["within the next 10 candles", 10, 10],
    ["in 5 sessions", 5, 5],
    ["over the next 15 trading days", 15, 15],
    ["in the next 20 days", 20, 20],
    ["within a week", 5, 7],
    ["next week", 5, 7],
    ["in two weeks", 10, 14],
    ["in twenty-five days", 25, 25],
    ["10 days from now", 10, 10],
    ["3 weeks", 15, 21],
    ["by next month", 21, 30],
    ["in the next month", 21, 30],
    ["within a couple of months", 42, 60],
    ["tomorrow", 2, 2],
    ["today", 1, 1],
    // 15 and 16 January
    ["by Friday", 2, 2],
    // without Martin Luther King Day
    ["by January 20", 3, 6],
    ["by the end of the month", 11, 17],
    ["by 2026-02-02", 12, 19],
    ["in a fortnight", 10, 14],
    // 7.5 and 10.5
    ["in 1.5 weeks", 8, 11],
    ["in a week and a half", 8, 11],
    // 12.5 and 17.5
    ["in two and a half weeks", 13, 18],
    ["in half a month", 11, 15],
    ["in a day or two", 2, 2],
    ["by 20 January", 3, 6],
    ["by the 20th of January", 3, 6],
    ["between now and Friday", 2, 2],
    ["Friday", 2, 2],
    ["~ over the last 3 months, # in 10 days", 10, 10],
    ["~ today, # tomorrow", 2, 2],
    ["before earnings", null, null],
    ["", null, null],
  ])("%s", (text, ofStock, ofCoin) => {
    expect([horizonIn(text, stock).bars, horizonIn(text, coin).bars]).toEqual([ofStock, ofCoin]);
    expect(horizonIn(text, stock).exceedsMax).toBe(false);
  });

  it("is at most 60 bars", () => {
    const tooFar = ["next quarter", "61 bars", "in a year", "by December", "by 2030", "in 3 months"];
    for (const text of [...tooFar, "in half a year"])
      expect(horizonIn(text, stock), text).toMatchObject({
        bars: 60,
        timeframe: null,
        exceedsMax: true,
        isNotUnderstood: false,
      });
    expect(horizonIn("in 60 days", stock).exceedsMax).toBe(false);
  });

  it("counts bars of the named length", () => {
    const bars = (text: string, timeframe: "1d" | "4h" | "1h", subject: typeof stock | typeof coin = stock) =>
      horizonIn(text, { ...subject, timeframe }).bars;
    expect([bars("in a week", "4h"), bars("in a week", "4h", coin)]).toEqual([10, 42]);
    expect([bars("in 2 days", "1h"), bars("in 2 days", "1h", coin), bars("in 8 hours", "4h")]).toEqual([
      14, 48, 2,
    ]);
    expect([bars("on the 4h chart", "4h"), bars("1d", "1d")]).toEqual([null, null]);
  });

  it("shorter than a day has bars of an hour or five minutes", () => {
    expect(horizonIn("within 12 hours", coin)).toMatchObject({ bars: 12, timeframe: "1h" });
    expect(horizonIn("in 30 minutes", coin)).toMatchObject({ bars: 6, timeframe: "5m" });
    expect(horizonIn("within 36 hours", coin)).toMatchObject({ bars: 2, timeframe: null });
  });

  it("is not understood for a time that is over or unknown", () => {
    const unknown = [
      "before earnings",
      "by midnight",
      "this weekend",
      "in early February",
      "before its split",
    ];
    const unclear = ["by 12/18", "by the 18th", "by 18.12.2026", "in three fortnights", "in a hundred days"];
    for (const text of ["by 2020", "in 2020", "after the midterms", ...unknown, ...unclear])
      expect(horizonIn(text, stock), text).toMatchObject({ bars: null, isNotUnderstood: true });
    expect(horizonIn("on 2026-01-05", { ...stock, isPast: true })).toMatchObject({
      bars: null,
      isNotUnderstood: false,
    });
    expect(horizonIn("the 200-day average 3 days ago", stock)).toMatchObject({
      bars: null,
      isNotUnderstood: false,
    });
  });

  it("ends with the day that it names", () => {
    expect(horizonIn("by Friday", stock)).toMatchObject({ until: Date.UTC(2026, 0, 17), isOver: false });
    expect(horizonIn("within a week", stock)).toMatchObject({ until: null, isOver: false });
    const evening = { ...stock, now: new Date("2026-01-15T21:30:00Z") };
    expect(horizonIn("today", evening)).toMatchObject({ bars: 1, isOver: true });
    expect(horizonIn("by Friday", evening)).toMatchObject({ bars: 1, isOver: false });
  });

  it("is no level", () => {
    expect(spansBlanked("300 within 20 bars by June 30 or 2026-07-01, 5% in H4").replace(/ +/g, " ")).toBe(
      "300 within by or , 5% in ",
    );
  });
});

describe("a time of get_odds in words", () => {
  const within = (text: string, more: Partial<Parameters<typeof barsWithin>[1]> = {}) =>
    barsWithin(text, { assetClass: "equity", timeframe: "1d", now: NOW, ...more });

  it.each([
    ["2 weeks", 10, "10 bars"],
    ["by Friday", 2, "2 bars, to the end of 2026-01-16"],
    ["next month", 21, "21 bars"],
    ["2026-02-02", 12, "12 bars, to the end of 2026-02-02"],
    ["a month", 21, "21 bars"],
    ["10 bars", 10, "10 bars"],
    ["a week and a half", 8, "8 bars"],
    ["up to 1 day from now", 1, "1 bar"],
  ])("%s: %i bars", (text, bars, read) => {
    expect(within(text)).toEqual({ bars, notes: [`within "${text}" was read as ${read}`] });
  });

  it("has notes where its bars differ", () => {
    expect(within("a year")).toEqual({
      bars: 60,
      notes: [
        'within "a year" was read as 60 bars',
        "within is longer than 60 bars; the odds are for 60 bars",
      ],
    });
    expect(within("today", { now: new Date("2026-01-15T21:30:00Z") }).notes).toEqual([
      'within "today" was read as 1 bar',
      "No bar closes before the end of within; the odds are for the next bar",
    ]);
    expect(within("6 hours", { timeframe: "1h" }).bars).toBe(6);
  });

  it("is refused if it is not understood or shorter than a bar", () => {
    for (const text of ["soon", "yesterday", "2024-01-01", "0 days"])
      expect(() => within(text), text).toThrow("within: the time is past or not understood");
    expect(() => within("6 hours")).toThrow("within is shorter than one bar");
  });

  it.each([
    "2 weeks and 3 days",
    "2 weeks, 3 days",
    "2 weeks or 3 months",
    "Monday to Friday",
    "by Friday or Christmas",
    "after Christmas",
    "at least 2 weeks",
  ])("is refused if a part of it would be lost: %s", (text) => {
    expect(() => within(text)).toThrow("within: the time is past or not understood");
  });
});
