import { expect } from "vitest";
import { PRINT_CONDITIONS } from "../../src/domain/off-exchange/prints.ts";
import type { PrintDay } from "../../src/domain/off-exchange/provider.ts";

/** Throws unless prints are plausible. */
export function plausiblePrints({ prints, completeFrom, completeUntil }: PrintDay): void {
  for (const { id, price, size, executedAt, reportedAt, conditions, nbbo } of prints) {
    expect(id.length).toBeGreaterThan(0);
    expect(Number.isFinite(price) && price > 0 && Number.isFinite(size) && size > 0).toBe(true);
    expect(Number.isFinite(new Date(reportedAt).getTime()) && executedAt <= reportedAt).toBe(true);
    expect(conditions.every((one) => PRINT_CONDITIONS.includes(one))).toBe(true);
    if (nbbo !== null) expect(nbbo.bid > 0 && nbbo.ask >= nbbo.bid).toBe(true);
  }
  expect(Number.isNaN(completeFrom) || Number.isNaN(completeUntil)).toBe(false);
}

/** Throws if there are no prints. */
export const somePrints = ({ prints }: PrintDay): void => expect(prints.length).toBeGreaterThan(0);
