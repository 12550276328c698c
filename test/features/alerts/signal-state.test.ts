import { describe, expect, it } from "vitest";
import type { SignalState } from "../../../src/domain/alerts/changes.ts";
import {
  type ChangeContext,
  detectChange,
  driverMoves,
  parseSignalState,
  stateTransition,
} from "../../../src/features/alerts/signal-state.ts";

const state = (over: Partial<SignalState> = {}): SignalState => ({
  direction: "WAIT",
  grade: "C+",
  score: 55,
  decided_at: "2026-01-14T21:00:00.000Z",
  drivers: { a: 0.1, b: -0.5, c: null, d: 0.3 },
  model_version: "m1",
  ...over,
});
const later = (over: Partial<SignalState> = {}) => state({ decided_at: "2026-01-15T21:00:00.000Z", ...over });
const NOW = "2026-01-16T00:00:00.000Z";
const sighting: ChangeContext = {
  symbol: "AAPL",
  timeframe: "1d",
  market: "test",
  at: NOW,
  price: 10,
  source: "fixture",
};

describe("the state of a signal", () => {
  it("advances only on a later bar, and is reset for another model or after a clock that was ahead", () => {
    expect(stateTransition(null, later(), NOW)).toBe("sets");
    expect(stateTransition(state(), later(), NOW)).toBe("follows");
    expect(stateTransition(later(), later({ grade: "F" }), NOW)).toBe("same");
    expect(stateTransition(later(), state(), NOW)).toBe("same");
    expect(stateTransition(state(), later({ model_version: "m2" }), NOW)).toBe("sets");
    expect(stateTransition(state({ decided_at: "2026-02-01T21:00:00.000Z" }), later(), NOW)).toBe("sets");
  });

  it("has changed when direction or grade differs, regardless of the score", () => {
    expect(detectChange(state(), later({ score: 90 }), sighting)).toBeNull();
    expect(detectChange(state(), later({ grade: "B-" }), sighting)?.changed).toEqual(["grade"]);
    const change = detectChange(state(), later({ direction: "LONG", grade: "A", score: 80 }), sighting);
    expect(change).toEqual({
      change_id: expect.stringMatching(/^sc_[0-9a-f]{20}$/),
      symbol: "AAPL",
      timeframe: "1d",
      noticed_at: NOW,
      decided_at: "2026-01-15T21:00:00.000Z",
      changed: ["direction", "grade"],
      before: { direction: "WAIT", grade: "C+", score: 55 },
      after: { direction: "LONG", grade: "A", score: 80 },
      drivers: [],
      price: 10,
      source: "fixture",
      model_version: "m1",
    });
    const again = detectChange(state({ score: 1 }), later({ grade: "F" }), {
      ...sighting,
      at: "2026-01-17T00:00:00.000Z",
    });
    expect(again?.change_id).toBe(change?.change_id);
    expect(
      detectChange(state(), later({ grade: "F" }), { ...sighting, market: "other" })?.change_id,
    ).not.toBe(change?.change_id);
  });

  it("lists the changed drivers, largest first, including those that appeared or disappeared", () => {
    expect(driverMoves(state(), later({ drivers: { a: 0.2, b: -0.5, c: 0.6, e: -0.05 } }))).toEqual([
      { id: "c", from: null, to: 0.6 },
      { id: "d", from: 0.3, to: null },
      { id: "a", from: 0.1, to: 0.2 },
      { id: "e", from: null, to: -0.05 },
    ]);
  });

  it("is parsed as it was stored; anything else is null", () => {
    expect(parseSignalState(JSON.stringify(state()))).toEqual(state());
    for (const text of [null, "", "{", "{}", "null", JSON.stringify({ ...state(), grade: "Z" })])
      expect(parseSignalState(text)).toBeNull();
  });
});
