import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ANY_TIME,
  pageWithin,
  refuseBoth,
  resolveRange,
  rowsToRead,
} from "../../../src/features/signal/time-range.ts";
import { NOW } from "../../support/context.ts";
import { invalidField } from "../../support/tool-call.ts";

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());
const boundsOf = (
  request: Parameters<typeof resolveRange>[0],
  options: Partial<Parameters<typeof resolveRange>[1]> = {},
) => {
  const { from, until, notes } = resolveRange(request, { now: NOW, ...options });
  return { from: iso(from), until: iso(until), ...notes };
};

describe("resolveRange", () => {
  it("has no start and ends now without times", () => {
    expect(boundsOf({})).toEqual({ from: null, until: "2026-01-15T15:00:00.000Z" });
  });

  it.each([
    ["UTC", "2025-06-02T00:00:00.000Z", "2025-06-30T23:59:59.999Z"],
    ["America/New_York", "2025-06-02T04:00:00.000Z", "2025-07-01T03:59:59.999Z"],
  ] as const)("reads dates as whole days in %s", (zone, from, until) => {
    expect(boundsOf({ from: "2025-06-02", to: "2025-06-30" }, { zone })).toEqual({ from, until });
  });

  it("ends and begins a New York day by the clock of that night", () => {
    // clocks change on 2025-03-09 at 07:00 UTC and on 2025-11-02 at 06:00 UTC
    const zone = "America/New_York";
    expect(boundsOf({ from: "2025-03-09", to: "2025-03-09" }, { zone })).toEqual({
      from: "2025-03-09T05:00:00.000Z",
      until: "2025-03-10T03:59:59.999Z",
    });
    expect(boundsOf({ from: "2025-11-02", to: "2025-11-02" }, { zone })).toEqual({
      from: "2025-11-02T04:00:00.000Z",
      until: "2025-11-03T04:59:59.999Z",
    });
  });

  it("takes times to the millisecond", () => {
    expect(boundsOf({ from: "2025-06-02T14:30:00Z", to: "2025-06-02T12:00:00-04:00" })).toEqual({
      from: "2025-06-02T14:30:00.000Z",
      until: "2025-06-02T16:00:00.000Z",
    });
  });

  it.each([
    [{ to: "2026-01-15" }, "2026-01-15T15:00:00.000Z", undefined],
    [
      { to: "2026-02-01" },
      "2026-01-15T15:00:00.000Z",
      ["to: 2026-02-01 is in the future; the list ends at 2026-01-15T15:00:00.000Z."],
    ],
    [
      { to: "2026-01-15T15:00:01Z" },
      "2026-01-15T15:00:00.000Z",
      ["to: 2026-01-15T15:00:01Z is in the future; the list ends at 2026-01-15T15:00:00.000Z."],
    ],
    [
      { to: "2025-07-02", as_of: "2025-06-30" },
      "2025-07-01T00:00:00.000Z",
      ["to: 2025-07-02 is after as_of 2025-06-30; the list ends at as_of."],
    ],
    [{ to: "2025-06-30", as_of: "2025-06-30T16:00:00Z" }, "2025-06-30T16:00:00.000Z", undefined],
    [{ to: "2025-06-01", as_of: "2025-06-30" }, "2025-06-01T23:59:59.999Z", undefined],
  ])("cuts %j", (request, until, understood) => {
    expect(boundsOf(request)).toEqual({ from: null, until, ...(understood && { understood }) });
  });

  it.each([
    [{ from: "2026-01-16" }, "is in the future"],
    [{ from: "2026-01-15T15:00:01Z" }, "is in the future"],
    [{ from: "2027-01-01", to: "2027-02-01" }, "is in the future"],
    [{ from: "2025-06-02", to: "2025-06-01" }, "is after `to`"],
    [{ from: "2025-06-02T00:00:01Z", to: "2025-06-02T00:00:00Z" }, "is after `to`"],
    [{ from: "2025-07-02", as_of: "2025-06-30" }, "is after `as_of`"],
  ])("refuses %j", (request, detail) => {
    expect(() => boundsOf(request)).toThrow(expect.objectContaining(invalidField("/from", detail)));
  });

  it("accepts today before New York's day has begun", () => {
    const now = new Date("2026-01-15T02:00:00Z");
    expect(boundsOf({ from: "2026-01-15" }, { now, zone: "America/New_York" })).toEqual({
      from: "2026-01-15T05:00:00.000Z",
      until: "2026-01-15T02:00:00.000Z",
    });
  });

  it("has no row later than as_of or now, whatever is asked", () => {
    const time = fc
      .date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
      .chain((date) =>
        fc.constantFrom(
          date.toISOString(),
          date.toISOString().slice(0, 10),
          `${date.toISOString().slice(0, 19)}Z`,
        ),
      );
    const optional = fc.option(time, { nil: undefined });
    const zone = fc.constantFrom("UTC", "America/New_York");
    fc.assert(
      fc.property(optional, optional, optional, zone, (from, to, as_of, zone) => {
        try {
          const range = resolveRange({ from, to, as_of }, { now: NOW, zone });
          expect(range.until).toBeLessThanOrEqual(range.asOf);
          expect(range.asOf).toBeLessThanOrEqual(NOW.getTime());
        } catch (error) {
          expect(error).toMatchObject({ code: "INVALID_INPUT" });
        }
      }),
    );
  });
});

describe("pages of a range", () => {
  interface Row {
    readonly at: number;
    readonly id: number;
  }
  const START = Date.parse("2025-06-01T00:00:00Z");
  const HOUR = 3_600_000;
  const timeOf = ({ at }: Row) => at;
  const rowsAt = (hours: readonly number[]): Row[] =>
    hours.map((hour, id) => ({ at: START + hour * HOUR, id })).sort((a, b) => b.at - a.at || b.id - a.id);
  /** Returns the newest rows as a repository does. */
  const read = (rows: readonly Row[], until: number, limit: number) =>
    rows.filter(({ at }) => at <= until).slice(0, limit);

  it("return every row of the range exactly once, also while rows are added", () => {
    const hours = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 40 });
    const day = fc.constantFrom(undefined, "2025-06-02", "2025-06-03T06:00:00Z");
    fc.assert(
      fc.property(hours, fc.integer({ min: 1, max: 7 }), day, day, (hours, limit, from, to) => {
        fc.pre(from === undefined || to === undefined || from <= to);
        const options = { now: NOW, filters: ["x"], latest: ANY_TIME };
        const rows = rowsAt(hours);
        const { from: first, until } = resolveRange({ from, to }, options);
        const wanted = rows.filter(({ at }) => at <= until && at >= (first ?? 0));
        const seen: Row[] = [];
        let cursor: string | undefined;
        for (let turn = 0; turn <= rows.length; turn++) {
          const range = resolveRange({ from, to, cursor }, options);
          const added = { at: NOW.getTime() + turn, id: 1_000 + turn };
          const stored = turn === 0 ? rows : [added, ...rows];
          const page = pageWithin(read(stored, range.pageEnd, rowsToRead(range, limit)), range, {
            limit,
            timeOf,
          });
          seen.push(...page.rows);
          if (page.next === null) break;
          expect(page.rows).toHaveLength(limit);
          cursor = page.next;
        }
        expect(seen).toEqual(wanted);
      }),
    );
  });

  it("refuse a cursor of another range", () => {
    const options = { now: NOW };
    const range = resolveRange({ from: "2025-06-01" }, options);
    const { next } = pageWithin(rowsAt([1, 2, 3]), range, { limit: 1, timeOf });
    const again = (request: object) => () => resolveRange({ ...request, cursor: next! }, options);
    expect(again({ from: "2025-06-01T00:00:00Z" })().position).toMatchObject({ returned: 1 });
    expect(again({ from: "2025-06-02" })).toThrow(expect.objectContaining(invalidField("/cursor")));
    expect(again({})).toThrow(expect.objectContaining(invalidField("/cursor")));
  });
});

it("refuses two fields for one bound", () => {
  expect(() => refuseBoth({ since: "2025-06-01", from: "2025-06-02" }, "since", "from")).toThrow(
    expect.objectContaining({ code: "INVALID_INPUT", message: "Pass since or from, not both" }),
  );
  expect(() => refuseBoth({ since: undefined, from: "2025-06-02" }, "since", "from")).not.toThrow();
});
