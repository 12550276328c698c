import { describe, expect, it } from "vitest";
import { parsePastTime } from "../../../src/features/signal/past-time.ts";
import { NOW } from "../../support/context.ts";

describe("parsePastTime", () => {
  it.each([
    ["2026-01-14", "2026-01-15T00:00:00.000Z"],
    ["2026-01-15", "2026-01-15T15:00:00.000Z"],
    ["2026-01-15T15:00:00Z", "2026-01-15T15:00:00.000Z"],
    ["2026-01-15T16:00:00+01:00", "2026-01-15T15:00:00.000Z"],
    ["2024-02-29T12:30Z", "2024-02-29T12:30:00.000Z"],
  ])("%s means %s", (text, moment) => {
    expect(new Date(parsePastTime(text, NOW)).toISOString()).toBe(moment);
  });

  it.each(["2026-01-15T15:00:00.001Z", "2026-01-16", "2026-01-15T14:59:00-01:00"])(
    "rejects %s as in the future, with the current time in the hint",
    (text) => {
      expect(() => parsePastTime(text, NOW)).toThrow(
        expect.objectContaining({
          code: "INVALID_INPUT",
          message: `as_of ${text} is in the future`,
          hint: "It is 2026-01-15T15:00:00.000Z; omit as_of for the newest data.",
        }),
      );
    },
  );
});
