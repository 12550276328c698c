import { describe, expect, it } from "vitest";
import { freshResult } from "../../../src/features/nightly/run-notes.ts";

const result = {
  run_id: "r",
  runAt: "2026-01-14T15:00:00.000Z",
  score: null,
  grade: null,
  direction: "WAIT",
} as const;
const at = (time: string) => freshResult(result, new Date(time));

describe("a nightly result", () => {
  it("is fresh from its run until 1440 minutes later, to the millisecond", () => {
    expect(at("2026-01-14T15:00:00.000Z")).toBe(result);
    expect(at("2026-01-15T15:00:00.000Z")).toBe(result);
    expect(at("2026-01-15T15:00:00.001Z")).toBeNull();
    expect(at("2026-01-14T14:59:59.999Z"), "it has not run yet").toBeNull();
    expect(freshResult(null, new Date())).toBeNull();
    expect(freshResult({ ...result, runAt: "yesterday" }, new Date("2026-01-15T00:00:00Z"))).toBeNull();
  });
});
