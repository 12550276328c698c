import { describe, expect, it } from "vitest";
import type { SignalState } from "../../../src/domain/alerts/changes.ts";
import {
  changeBetween,
  driverMoves,
  type Sighting,
  stateIn,
  stepOf,
} from "../../../src/features/alerts/state.ts";

const state = (over: Partial<SignalState> = {}): SignalState => ({
  ...{ direction: "WAIT", grade: "C+", score: 55, decided_at: "2026-01-14T21:00:00.000Z" },
  ...{ drivers: { a: 0.1, b: -0.5, c: null, d: 0.3 }, model_version: "m1" },
  ...over,
});
const later = (over: Partial<SignalState> = {}) => state({ decided_at: "2026-01-15T21:00:00.000Z", ...over });
const NOW = "2026-01-16T00:00:00.000Z";
const sighting: Sighting = {
  ...{ symbol: "AAPL", timeframe: "1d", market: "test", at: NOW, price: 10, source: "fixture" },
};

describe("the state of a signal", () => {
  it("follows on a later bar alone, and is set anew by another model or after a clock that was ahead", () => {
    expect(stepOf(null, later(), NOW)).toBe("sets");
    expect(stepOf(state(), later(), NOW)).toBe("follows");
    expect(stepOf(later(), later({ grade: "F" }), NOW)).toBe("same");
    expect(stepOf(later(), state(), NOW)).toBe("same");
    expect(stepOf(state(), later({ model_version: "m2" }), NOW)).toBe("sets");
    expect(stepOf(state({ decided_at: "2026-02-01T21:00:00.000Z" }), later(), NOW)).toBe("sets");
  });

  it("changed where direction or grade differs, by whatever score", () => {
    expect(changeBetween(state(), later({ score: 90 }), sighting)).toBeNull();
    expect(changeBetween(state(), later({ grade: "B-" }), sighting)?.changed).toEqual(["grade"]);
    const change = changeBetween(state(), later({ direction: "LONG", grade: "A", score: 80 }), sighting);
    expect(change).toEqual({
      change_id: expect.stringMatching(/^sc_[0-9a-f]{20}$/),
      ...{ symbol: "AAPL", timeframe: "1d", noticed_at: NOW, decided_at: "2026-01-15T21:00:00.000Z" },
      changed: ["direction", "grade"],
      before: { direction: "WAIT", grade: "C+", score: 55 },
      after: { direction: "LONG", grade: "A", score: 80 },
      ...{ drivers: [], price: 10, source: "fixture", model_version: "m1" },
    });
    const again = changeBetween(state({ score: 1 }), later({ grade: "F" }), {
      ...sighting,
      at: "2026-01-17T00:00:00.000Z",
    });
    expect(again?.change_id).toBe(change?.change_id);
    expect(
      changeBetween(state(), later({ grade: "F" }), { ...sighting, market: "other" })?.change_id,
    ).not.toBe(change?.change_id);
  });

  it("tells which drivers moved, the largest moves first, what came or went too", () => {
    expect(driverMoves(state(), later({ drivers: { a: 0.2, b: -0.5, c: 0.6, e: -0.05 } }))).toEqual([
      { id: "c", from: null, to: 0.6 },
      { id: "d", from: 0.3, to: null },
      { id: "a", from: 0.1, to: 0.2 },
      { id: "e", from: null, to: -0.05 },
    ]);
  });

  it("is read back as it was kept, and nothing else is", () => {
    expect(stateIn(JSON.stringify(state()))).toEqual(state());
    for (const text of [null, "", "{", "{}", "null", JSON.stringify({ ...state(), grade: "Z" })])
      expect(stateIn(text)).toBeNull();
  });
});
