import { describe, expect, it } from "vitest";
import { staleAnswerReason, staleBarsReason } from "../../../src/features/agents/pass-stale.ts";

const as_of = "2026-01-09T21:00:00.000Z";

describe("stale data", () => {
  it("treats bars as stale once a fourth session has closed without them, or when no provider responds", () => {
    const kind = { timeframe: "1d", asset_class: "equity" } as const;
    const at = (now: string, stale = false) => staleBarsReason({ as_of, stale, now, ...kind });
    expect(at("2026-01-15T20:59:59.999Z")).toBeNull();
    expect(at("2026-01-15T21:00:00.000Z")).toBe(
      "its newest bar closed long ago, at 2026-01-09T21:00:00.000Z",
    );
    expect(at("2026-01-09T21:00:00.000Z", true)).toBe(
      "no provider of its bars responds, and the known bars end at 2026-01-09T21:00:00.000Z",
    );
  });

  it("describes a cached response as stale", () => {
    expect(staleAnswerReason("prediction markets", false)).toBeNull();
    expect(staleAnswerReason("prediction markets", true)).toBe(
      "prediction markets do not respond, and this is the last known response",
    );
  });
});
