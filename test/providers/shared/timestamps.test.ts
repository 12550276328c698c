import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newYorkOffsetMs } from "../../../src/lib/newyork.ts";
import {
  parseCompactTime,
  parseIsoDate,
  parseNewYorkTime,
  parseTimeInUtc,
  parseUsDate,
  parseUtcTime,
  parseZonedTime,
} from "../../../src/providers/shared/timestamps.ts";

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

describe("a time in New York", () => {
  it.each([
    ["2026-07-10T15:59:59", "2026-07-10T19:59:59.000Z"],
    ["2026-11-20T15:59:59", "2026-11-20T20:59:59.000Z"],
    // Clocks go forward at 02:00 and back at 02:00.
    ["2026-03-08T01:59:59", "2026-03-08T06:59:59.000Z"],
    ["2026-03-08T03:00:00", "2026-03-08T07:00:00.000Z"],
    ["2026-11-01T00:59:59", "2026-11-01T04:59:59.000Z"],
    ["2026-11-01T02:00:00", "2026-11-01T07:00:00.000Z"],
    ["2026-12-31T23:30:00", "2027-01-01T04:30:00.000Z"],
  ])("%s is %s", (text, at) => {
    expect(iso(parseNewYorkTime(text))).toBe(at);
  });

  it("reads an ambiguous hour as the second of the two", () => {
    expect(iso(parseNewYorkTime("2026-11-01T01:30:00"))).toBe("2026-11-01T06:30:00.000Z");
  });

  it.each([
    "",
    "2026-07-10",
    "2026-07-10T15:59:59Z",
    "2026-07-10  15:59:59",
    "2026-02-31T15:59:59",
    "2026-07-10T25:00:00",
    "2026-07-10T24:00:00",
    "2026-13-01T00:00:00",
  ])("is null for %j", (text) => {
    expect(parseNewYorkTime(text)).toBe(null);
  });

  it("is inverse to the clock's display, on every day except that of a clock change", () => {
    const hour = fc.integer({
      min: Date.UTC(2007, 0, 1, 8) / 3_600_000,
      max: Date.UTC(2040, 0, 1) / 3_600_000,
    });
    fc.assert(
      fc.property(hour, (hours) => {
        const at = hours * 3_600_000;
        const shown = new Date(at + newYorkOffsetMs(at));
        fc.pre(shown.getUTCDay() !== 0);
        expect(parseNewYorkTime(shown.toISOString().slice(0, 19))).toBe(at);
      }),
    );
  });
});

describe("a day", () => {
  it("begins at 00:00 UTC and is null if it does not exist", () => {
    expect(parseIsoDate("2024-02-29")).toBe(Date.UTC(2024, 1, 29));
    for (const text of ["2026-02-29", "2026-04-31", "2026-00-10", "26-01-01", "2026-1-1", "11/20/2026"])
      expect([text, parseIsoDate(text)]).toEqual([text, null]);
  });

  it.each([
    ["1/5/2026", "2026-01-05"],
    ["12/31/2025", "2025-12-31"],
    ["2/29/2026", null],
    ["2026-01-05", null],
    ["", null],
  ])("is read from %j", (text, iso) => {
    expect(parseUsDate(text)).toBe(iso);
  });
});

describe("a time with a space", () => {
  it("is read like the same time with a T", () => {
    expect(iso(parseNewYorkTime("2026-07-10 15:59:59"))).toBe("2026-07-10T19:59:59.000Z");
    expect(iso(parseUtcTime("2026-07-10 15:59:59"))).toBe("2026-07-10T15:59:59.000Z");
  });
});

describe("a time with its zone", () => {
  it.each([
    ["Fri, 02 Oct 2026 18:06 GMT", "2026-10-02T18:06:00.000Z"],
    ["Fri, 2 Oct 2026 18:33:00 +0000", "2026-10-02T18:33:00.000Z"],
    ["Fri, 02 Oct 2026 14:06:00 EDT", "2026-10-02T18:06:00.000Z"],
    ["2026-07-27T19:00:00-04:00", "2026-07-27T23:00:00.000Z"],
    ["2026-07-27T19:00:00.123Z", "2026-07-27T19:00:00.123Z"],
  ])("%s is %s", (text, at) => {
    expect(iso(parseZonedTime(text))).toBe(at);
  });

  it.each(["", "Fri, 02 Oct 2026 18:06:00", "2026-10-02T18:06:00", "2026-10-02", "02-Oct-2026", "soon GMT"])(
    "is not in %j, which would depend on the zone of the machine",
    (text) => {
      expect(parseZonedTime(text)).toBeNaN();
    },
  );
});

describe("a time that is UTC without a zone", () => {
  it.each([
    ["2026-10-31", "2026-10-31T00:00:00.000Z"],
    ["2026-10-31T12:30", "2026-10-31T12:30:00.000Z"],
    ["2026-10-31 12:30:15.5", "2026-10-31T12:30:15.500Z"],
    ["2026-10-31T12:30:00+02:00", "2026-10-31T10:30:00.000Z"],
    ["2026-11-04 00:00:00+00", "2026-11-04T00:00:00.000Z"],
  ])("%s is %s", (text, at) => {
    expect(iso(parseTimeInUtc(text))).toBe(at);
  });

  it("is read from compact text, and from nothing else", () => {
    expect(iso(parseCompactTime("20260805T121500"))).toBe("2026-08-05T12:15:00.000Z");
    expect(iso(parseCompactTime("20260805T121500Z"))).toBe("2026-08-05T12:15:00.000Z");
    for (const text of ["2026-08-05T12:15:00", "20261305T121500", "today"])
      expect(parseCompactTime(text)).toBeNaN();
  });
});
