import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTime, timeProblem } from "../../../src/domain/recognisers/time-text.ts";

/** A Wednesday. */
const NOW = new Date("2026-07-01T14:00:30.500Z");

describe("a time", () => {
  it.each([
    ["now", "2026-07-01T14:00:30Z"],
    ["today", "2026-07-01"],
    ["Yesterday", "2026-06-30"],
    ["day before yesterday", "2026-06-29"],
    ["2w", "2026-06-17"],
    ["-2w", "2026-06-17"],
    ["3d", "2026-06-28"],
    ["1mo", "2026-06-01"],
    ["1 year", "2025-07-01"],
    ["two weeks ago", "2026-06-17"],
    ["a day ago", "2026-06-30"],
    ["last week", "2026-06-24"],
    ["last 3 days", "2026-06-28"],
    ["the past month", "2026-06-01"],
    ["2 hours ago", "2026-07-01T12:00:30Z"],
    ["90min", "2026-07-01T12:30:30Z"],
    ["now-24h", "2026-06-30T14:00:30Z"],
    ["in 2 days", "2026-07-03"],
    ["since monday", "2026-06-29"],
    ["wednesday", "2026-07-01"],
    ["last wednesday", "2026-06-24"],
    ["last friday", "2026-06-26"],
    ["2025-01-02", "2025-01-02"],
    ["2025/1/2", "2025-01-02"],
    ["20250102", "2025-01-02"],
    ["Jan 2, 2025", "2025-01-02"],
    ["2nd of January 2025", "2025-01-02"],
    ["2-Jan-2025", "2025-01-02"],
    ["13.01.2026", "2026-01-13"],
    ["01/13/2026", "2026-01-13"],
    ["2025-01-02 15:30", "2025-01-02T15:30:00Z"],
    ["2025-01-02T15:30:00.123456+00:00", "2025-01-02T15:30:00.123Z"],
    ["2025-01-02T15:30:00+0200", "2025-01-02T13:30:00Z"],
    ["2025-01-02 15:30 UTC", "2025-01-02T15:30:00Z"],
    ["Tue, 30 Jun 2026 15:00:00 GMT", "2026-06-30T15:00:00Z"],
    ["1751328000", "2025-07-01T00:00:00Z"],
    ["1751328000000", "2025-07-01T00:00:00Z"],
  ])("%s is read as %s", (text, time) => {
    expect(readTime(text, NOW)).toBe(time);
  });

  it.each([
    "1m",
    "3M",
    "01/02/2025",
    "1.2.25",
    "2025",
    "2025-01",
    "Q1 2025",
    "soon",
    "this week",
    "2025-02-30",
    "2025-13-01",
    "2025-06-30T25:00Z",
    "2025-06-30T21",
    "2025-01-02 15:30 EST",
    "Tuesday March 7 2025",
    "in 2 days ago",
    "5 trading days ago",
    "0",
    "",
  ])("%s is not guessed", (text) => {
    expect(readTime(text, NOW)).toBeNull();
  });

  it("that ends a shorter month is its last day", () => {
    expect(readTime("1mo", new Date("2026-03-31T00:00:00Z"))).toBe("2026-02-28");
  });

  it("is the date of a field that takes days", () => {
    expect(readTime("2025-01-02T23:30:00-02:00", NOW, "day")).toBe("2025-01-03");
    expect(readTime("now", NOW, "day")).toBe("2026-07-01");
  });

  it("is ahead in a field for coming days, unless the text says otherwise", () => {
    const read = (text: string) => readTime(text, NOW, "coming_day");
    expect(["2w", "tomorrow", "friday", "next monday", "2 days ago", "last friday"].map(read)).toEqual([
      "2026-07-15",
      "2026-07-02",
      "2026-07-03",
      "2026-07-06",
      "2026-06-29",
      "2026-06-26",
    ]);
  });

  it("has a form that Date reads, for any text", () => {
    const parts = fc.constantFrom(
      "1",
      "2w",
      " ago",
      "last ",
      "2025",
      "-",
      "/",
      "jan",
      ":",
      "30",
      "t",
      "z",
      "mon",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (words) => {
        const read = readTime(words.join(""), NOW);
        if (read !== null) expect(Number.isNaN(Date.parse(read))).toBe(false);
      }),
    );
  });
});

describe("the problem with a time", () => {
  it.each([
    ["1m", '"1m" may mean minutes or months, written 1min and 1mo:'],
    ["30m ago", '"30m ago" may mean minutes or months, written 1min and 1mo:'],
    ["01/02/2025", "the order of day and month is ambiguous:"],
    ["soon", null],
  ])("of %s is named", (text, problem) => {
    expect(timeProblem(text)).toBe(problem);
  });
});
