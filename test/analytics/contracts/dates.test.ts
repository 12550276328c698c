import { describe, expect, it } from "vitest";
import { deadlineOf, withoutDate } from "../../../src/analytics/contracts/dates.ts";

const AT = Date.parse("2026-08-18T12:00:00Z");
const on = (text: string, closeTime: string | null = null) => {
  const at = deadlineOf({ text, closeTime }, AT);
  return at === null ? null : new Date(at).toISOString();
};

describe("the decision date of a question", () => {
  it.each([
    ["Will it be above $5 on August 31?", "2026-09-01T00:00:00.000Z"],
    ["by Aug 31, 2027", "2027-09-01T00:00:00.000Z"],
    ["at the Sept. 16, 2026 FOMC meeting", "2026-09-17T00:00:00.000Z"],
    ["cut at the 2026-11-21 meeting", "2026-11-22T00:00:00.000Z"],
    ["Fed rate cut by October 2026 meeting?", "2026-11-01T00:00:00.000Z"],
    ["hit $700 in August?", "2026-09-01T00:00:00.000Z"],
    ["Week of August 17 2026", "2026-08-22T00:00:00.000Z"],
    ["before 2027?", "2027-01-01T00:00:00.000Z"],
    ["before July 2027", "2027-07-01T00:00:00.000Z"],
    ["a recession in 2026?", "2027-01-01T00:00:00.000Z"],
    ["on January 5?", "2027-01-06T00:00:00.000Z"],
    ["on June 31, 2026", null],
    ["It may rise", null],
  ])("is found in %j", (text, expected) => {
    expect(on(text)).toBe(expected);
  });

  it("is the venue's closing time if that is on the same day", () => {
    expect(on("What will META hit Week of August 17 2026?", "2026-08-21T20:00:00Z")).toBe(
      "2026-08-21T20:00:00.000Z",
    );
    expect(on("in August?", "2026-09-01T03:59:59.999Z")).toBe("2026-09-01T03:59:59.999Z");
  });

  it("is the date in the text if it differs from the closing", () => {
    expect(on("Fed rate cut by October 2026 meeting?", "2026-06-17T00:00:00Z")).toBe(
      "2026-11-01T00:00:00.000Z",
    );
  });

  it("is the closing if the text has no date, and null without either", () => {
    expect(on("Will it?", "2026-09-30T00:00:00Z")).toBe("2026-09-30T00:00:00.000Z");
    expect(on("Will it?")).toBeNull();
  });

  it("uses the year that puts the date nearest to the closing", () => {
    expect(on("by January 31?", "2026-02-03T00:00:00Z")).toBe("2026-02-01T00:00:00.000Z");
  });

  it("can be removed from the text", () => {
    expect(withoutDate("cut by October 28, 2026 or so").replace(/\s+/g, " ")).toBe("cut by or so");
    expect(withoutDate("Will it?")).toBe("Will it?");
  });
});
