import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTimeOfDay, parseWrittenTime, toInstant } from "../../../src/providers/files/written-time.ts";

const HOUR = 3_600_000;
const read = (text: string) => {
  const stamp = parseWrittenTime(text);
  if (stamp === null) return stamp;
  const wall = new Date(stamp.wall).toISOString().slice(0, 19);
  return Number.isNaN(stamp.offset) ? wall : `${wall} ${stamp.offset / HOUR}`;
};

describe("parseWrittenTime", () => {
  it.each([
    ["2024-01-02", "2024-01-02T00:00:00"],
    ["2024-01-02T09:30", "2024-01-02T09:30:00"],
    ["2024-01-02 09:30:15.250", "2024-01-02T09:30:15"],
    ["2024-01-02T09:30:00Z", "2024-01-02T09:30:00 0"],
    ["2024-01-02 00:00:00-05:00", "2024-01-02T00:00:00 -5"],
    ["2024-01-02T09:30:00+0530", "2024-01-02T09:30:00 5.5"],
    ["2024.01.02 09:30", "2024-01-02T09:30:00"],
    ["2024/1/2", "2024-01-02T00:00:00"],
    ["20240102", "2024-01-02T00:00:00"],
    ["20240102 0930", "2024-01-02T09:30:00"],
    ["01/02/2024", "2024-01-02T00:00:00"],
    ["1/2/2024 3:30 PM", "2024-01-02T15:30:00"],
    ["1/2/2024 12:30 AM", "2024-01-02T00:30:00"],
    ["1704205800", "2024-01-02T14:30:00 0"],
    ["1704205800.0", "2024-01-02T14:30:00 0"],
    ["1704205800000", "2024-01-02T14:30:00 0"],
    ["1704205800000000", "2024-01-02T14:30:00 0"],
    ["2024-02-29", "2024-02-29T00:00:00"],
  ])("reads %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    "",
    "2023-02-29",
    "2024-13-01",
    "2024-00-10",
    "2024-01-32",
    "2024-01-02T25:00",
    "2024-01-02T13:00 PM",
    "2024-1/2",
    "02.01.2024",
    "1/2/24",
    "Ticker",
    "41.5",
  ])("does not guess at %s", (text) => {
    expect(parseWrittenTime(text)).toBeNull();
  });

  it("reads dates that end in the year in the given order only", () => {
    const day = { wall: Date.UTC(2024, 0, 13), offset: Number.NaN };
    for (const text of ["13/01/2024", "13.01.2024", "13-01-2024"]) {
      expect(parseWrittenTime(text)).toBeNull();
      expect(parseWrittenTime(text, "month_first")).toBeNull();
      expect(parseWrittenTime(text, "day_first")).toEqual(day);
    }
    expect(parseWrittenTime("01/13/2024")).toEqual(day);
    expect(parseWrittenTime("01.13.2024", "month_first")).toEqual(day);
  });

  it("parses any ISO 8601 date and time", () => {
    const days = fc.date({ min: new Date("1900-01-01"), max: new Date("2199-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(days, (date) => {
        const second = Math.floor(date.getTime() / 1000) * 1000;
        expect(parseWrittenTime(date.toISOString())).toEqual({ wall: second, offset: 0 });
        expect(parseWrittenTime(date.toISOString().slice(0, 10))).toMatchObject({
          wall: Date.parse(date.toISOString().slice(0, 10)),
        });
      }),
    );
  });
});

describe("toInstant", () => {
  const instant = (
    text: string,
    previous = "2000-01-01T00:00Z",
    zone: "America/New_York" | "UTC" = "America/New_York",
  ) => {
    const stamp = parseWrittenTime(text);
    if (stamp === null) throw new Error(text);
    return new Date(toInstant(stamp, zone, Date.parse(previous))).toISOString().slice(0, 16);
  };

  it("reads times without an offset in the local time of the zone", () => {
    expect(instant("2019-01-02T09:00")).toBe("2019-01-02T14:00");
    expect(instant("2019-07-02T09:00")).toBe("2019-07-02T13:00");
    expect(instant("2019-07-02T09:00", undefined, "UTC")).toBe("2019-07-02T09:00");
  });

  it("prefers an explicit offset to any zone", () => {
    expect(instant("2019-07-02T09:00Z")).toBe("2019-07-02T09:00");
    expect(instant("2019-07-02T09:00+02:00", undefined, "UTC")).toBe("2019-07-02T07:00");
  });

  it("handles a clock change within the day", () => {
    expect(["2024-03-10T01:59", "2024-03-10T03:00"].map((text) => instant(text))).toEqual([
      "2024-03-10T06:59",
      "2024-03-10T07:00",
    ]);
    expect(["2024-11-03T00:59", "2024-11-03T02:00"].map((text) => instant(text))).toEqual([
      "2024-11-03T04:59",
      "2024-11-03T07:00",
    ]);
  });

  it("distinguishes the repeated 01:30 by the previous time", () => {
    expect(instant("2024-11-03T01:30", "2024-11-03T05:00Z")).toBe("2024-11-03T05:30");
    expect(instant("2024-11-03T01:30", "2024-11-03T05:30Z")).toBe("2024-11-03T06:30");
  });

  it("reads the skipped 02:30 in spring as if clocks had not changed yet", () => {
    expect(instant("2024-03-10T02:30")).toBe("2024-03-10T07:30");
  });
});

describe("isTimeOfDay", () => {
  it("accepts only a time of day", () => {
    expect(["09:30", "9:30:00", "3:30 PM", "2024", "0930", ""].map(isTimeOfDay)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
