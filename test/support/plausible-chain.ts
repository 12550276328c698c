import { expect } from "vitest";
import type { OptionChain } from "../../src/domain/options-flow/options.ts";

/** Throws unless every figure of a chain is possible. */
export function plausibleChain({ contracts }: OptionChain): void {
  for (const { type, strike, bid, ask, last, volume, openInterest, iv, delta, gamma, vega } of contracts) {
    expect(strike).toBeGreaterThan(0);
    for (const price of [bid, ask, last, iv]) expect(price === null || price > 0).toBe(true);
    for (const count of [volume, openInterest, gamma, vega]) expect(count === null || count >= 0).toBe(true);
    expect(delta === null || (type === "call" ? delta >= 0 : delta <= 0)).toBe(true);
  }
}
