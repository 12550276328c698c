import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PrintRow } from "../../../src/domain/off-exchange/darkpool.ts";
import { printRows } from "../../../src/features/off-exchange/prints.ts";
import {
  checkPosition,
  decodeCursor,
  filterKeyOf,
  type Page,
  pageOf,
} from "../../../src/features/signal/time-page.ts";
import { printAt } from "../../support/prints.ts";

const NOW = Date.UTC(2026, 0, 15, 15);
const SINCE = NOW - 10_000;
const LEAST = NOW - 100_000;
const MARK = filterKeyOf("AAPL", null, 0);

/** Rows reported these numbers of seconds before now, newest first; a repeated number is a second row. */
const rowsOf = (seconds: readonly number[]) =>
  printRows(
    seconds
      .toSorted((a, b) => b - a)
      .map((before, i) => ({ ...printAt(NOW - 1_000 * before, { id: String(i) }), symbol: "AAPL" })),
    Number.NaN,
  );
const open = (cursor: string | undefined, filterKey = MARK, now = NOW) =>
  decodeCursor(cursor, filterKey, { earliest: LEAST, now });
const timeOf = ({ reported_at }: PrintRow) => Date.parse(reported_at);
const page = (rows: ReturnType<typeof rowsOf>, cursor: string | undefined, limit: number): Page<PrintRow> => {
  const position = open(cursor);
  checkPosition(rows, position, timeOf);
  return pageOf(rows, { position, filterKey: MARK, from: SINCE, limit, timeOf });
};
const forged = (...parts: readonly (string | number)[]) => Buffer.from(parts.join("|")).toString("base64url");
const REFUSED = expect.objectContaining({
  code: "INVALID_INPUT",
  data: { errors: [{ pointer: "/cursor", detail: "must be next_cursor of the previous page" }] },
});

describe("pages of prints", () => {
  it("together contain every row once, however many are reported at one instant", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 8 }),
        (seconds, limit) => {
          const rows = rowsOf(seconds);
          const seen: string[] = [];
          let cursor: string | undefined;
          for (let turn = 0; turn <= rows.length; turn++) {
            const told = page(rows, cursor, limit);
            seen.push(...told.rows.map(({ id }) => id));
            if (told.next === null) break;
            cursor = told.next;
          }
          expect(seen).toEqual(rows.map(({ id }) => id));
        },
      ),
    );
  });

  it("keep the start of the list while time passes", () => {
    const { next } = page(rowsOf([1, 2, 3]), undefined, 2);
    expect(open(next!, MARK, NOW + 60_000)).toEqual({ from: SINCE, at: NOW - 2_000, returned: 1 });
  });

  it("reject every text that is not a cursor", () => {
    const rows = rowsOf([1, 2, 2, 5]);
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.base64String(), fc.stringMatching(/^\d{1,15}-\d{1,5}$/)),
        (cursor) => {
          expect(() => page(rows, cursor, 2)).toThrow(REFUSED);
        },
      ),
    );
  });

  it("accept a position only up to the number of rows at its time", () => {
    const rows = rowsOf([1, 2, 2, 5]);
    fc.assert(
      fc.property(fc.integer({ min: -1, max: 6 }), fc.integer({ min: -1, max: 3 }), (before, told) => {
        const ask = () => page(rows, forged(MARK, SINCE, NOW - 1_000 * before, told), 9);
        const count = rows.filter(
          ({ reported_at }) => Date.parse(reported_at) === NOW - 1_000 * before,
        ).length;
        if (told < 1 || told > count) expect(ask).toThrow(REFUSED);
        else expect(ask().rows).toEqual(rows.slice(rows.indexOf(firstAt(rows, before)) + told));
      }),
    );
  });

  it.each([
    ["other filters", forged(filterKeyOf("MSFT", null, 0), SINCE, NOW - 1_000, 1)],
    ["another least size", forged(filterKeyOf("AAPL", null, 5), SINCE, NOW - 1_000, 1)],
    ["a start that is longer ago than may be asked for", forged(MARK, LEAST - 1, NOW - 1_000, 1)],
    ["a start after the row", forged(MARK, NOW, NOW - 1_000, 1)],
    ["a row of the future", forged(MARK, SINCE, NOW + 1_000, 1)],
    ["a part too many", forged(MARK, SINCE, NOW - 1_000, 1, 1)],
    ["a number written otherwise", forged(MARK, SINCE, NOW - 1_000, "01")],
    ["more than a cursor has", "A".repeat(100_000)],
  ])("reject a cursor of %s", (_, cursor) => {
    expect(() => open(cursor)).toThrow(REFUSED);
  });
});

const firstAt = (rows: ReturnType<typeof rowsOf>, before: number) =>
  rows.find(({ reported_at }) => Date.parse(reported_at) === NOW - 1_000 * before)!;
