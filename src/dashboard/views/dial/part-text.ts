import { fixed, momentText, signedPercent } from "../format.ts";

interface Part {
  readonly part: string;
  readonly reading?: number | null;
  readonly as_of?: string | null;
}

/** What the reading of each part is. */
const READINGS: Readonly<Record<string, (reading: number) => string>> = {
  momentum: (reading) => `SPY ${signedPercent(100 * reading)} from its 125-day mean`,
  new_highs_lows: (reading) => `new highs less new lows: ${signedPercent(100 * reading)} of stocks`,
  volume_breadth: (reading) => `volume of rising less falling stocks: ${fixed(reading, 2)}`,
  put_call: (reading) => `puts per call: ${fixed(reading, 2)}`,
  volatility: (reading) => `20-day volatility ${signedPercent(100 * reading)} from its 50-day mean`,
  safe_haven: (reading) => `SPY less TLT over 20 days: ${fixed(reading, 1)} points`,
  risk_appetite: (reading) => `${fixed(100 * reading, 0)} % of coins above their 50-day mean`,
};

/** Returns what a part was read from; for a part of current prices, when. */
export function partText({ part, reading, as_of }: Part): string {
  if (reading !== undefined && reading !== null) return READINGS[part]?.(reading) ?? fixed(reading, 2);
  return as_of ? `as of ${momentText(as_of)}` : "";
}
