import { expect, it } from "vitest";
import { CHANGE_RETENTION_MS } from "../../../src/domain/alerts/changes.ts";
import { isCovered } from "../../../src/features/alerts/what-changed.ts";

const DAY = 86_400_000;
const now = Date.UTC(2026, 5, 15, 12);
const iso = (at: number) => new Date(at).toISOString();
const known = { since: iso(now - 200 * DAY), until: iso(now - 3_600_000) };
const from = (at: number) => ({ from: at, now, timeframe: "1d", asset_class: "crypto" }) as const;

it.each([
  ["a week of continuous evaluation", known, now - 7 * DAY, true],
  ["the start of the retention period", known, now - CHANGE_RETENTION_MS, true],
  ["a time before the retention period", known, now - CHANGE_RETENTION_MS - 1, false],
  ["a time before the first evaluation", { ...known, since: iso(now - 5 * DAY) }, now - 7 * DAY, false],
  [
    "a time whose last closes were not evaluated",
    { ...known, until: iso(now - 2 * DAY) },
    now - 7 * DAY,
    false,
  ],
  ["a series that was never watched", null, now - 7 * DAY, false],
])("returns whether all changes are known since %s", (_, watched, at, expected) => {
  expect(isCovered(watched, from(at))).toBe(expected);
});
