import { describe, expect, it } from "vitest";
import { nearestNames } from "../../src/lib/nearest-names.ts";

const NAMES = ["run_scan", "get_news", "get_quota", "get_quote", "get_signal", "get_signal_card"];

describe("nearestNames", () => {
  it("orders names by edit distance, ties in their original order", () => {
    // distances: one swap, a swap and a letter, then news (5), signal (5), scan (8), signal_card (10)
    expect(nearestNames("get_qoute", NAMES)).toEqual([
      "get_quote",
      "get_quota",
      "get_news",
      "get_signal",
      "run_scan",
    ]);
  });

  it("ignores case and returns at most five", () => {
    expect(nearestNames("GET_SIGNAL", NAMES)).toHaveLength(5);
    expect(nearestNames("GET_SIGNAL", NAMES)[0]).toBe("get_signal");
    expect(nearestNames("OATH", ["PORT", "OAUTH"])[0]).toBe("OAUTH");
    expect(nearestNames("x".repeat(10_000), NAMES)).toHaveLength(5);
    expect(nearestNames("get_quote", [])).toEqual([]);
  });
});
