import { describe, expect, it } from "vitest";
import { readerOf } from "../../../../src/features/questions/told/reader.ts";
import { toldSignal } from "../../../../src/features/questions/told/signal.ts";

const answer = (signal: object, closed = "2026-01-14T21:00:00.000Z") =>
  readerOf({
    server_time: "2026-01-15T15:00:00.000Z",
    data_as_of: closed,
    data: {
      signal: { direction: "WAIT", ...signal },
      price: 5,
      source: "fixture",
      bars: { as_of: closed },
    },
  });

describe("a verdict in a sentence", () => {
  it("says why there is no score", () => {
    const reason = "A score needs 252 bars, there are 100";
    const told = toldSignal(answer({ score: null, grade: null, reason }), "XYZ", true);
    expect(told.sentence).toBe(
      "XYZ is WAIT: grade unknown, score unknown: A score needs 252 bars, there are 100, price $5 (fixture, 2026-01-14T21:00Z).",
    );
    expect(told.figures).toMatchObject({ score: null, reason });
  });

  it("keeps the reason of a verdict that has a score to those who ask for it", () => {
    const told = toldSignal(answer({ score: 50, grade: "C", reason: "Within 0.25 of 0" }), "XYZ", true);
    expect(told.figures).not.toHaveProperty("reason");
    expect(told.sentence).not.toContain("0.25");
  });

  it("calls bars old by the end of the past day that is asked about", () => {
    const asked = (asOf: string | null, closed: string) =>
      toldSignal(answer({ score: 50, grade: "C" }, closed), "XYZ", true, { level: null, query: "", asOf })
        .sentence;
    expect(asked("2025-11-10", "2025-11-10T21:00:00.000Z")).toMatch(/^XYZ is WAIT: /);
    expect(asked(null, "2025-11-10T21:00:00.000Z")).toMatch(/^XYZ is WAIT, as of old bars, /);
    expect(asked("2025-11-10", "2025-10-31T20:00:00.000Z")).toMatch(
      /, as of old bars, the newest of which closed 2025-10-31T20:00Z:/,
    );
  });
});
