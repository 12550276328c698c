import { INDICATORS, type Indicator } from "../../indicators/table.ts";

const PRICES: Indicator = {
  names: ["open", "high", "low", "close", "volume"],
  params: [],
  warmUp: () => 0,
  columns: ({ open, high, low, close, volume }) => ({ open, high, low, close, volume }),
};

/** The prices and every indicator: the terms of rules that are computed from bars alone. */
export const BAR_TERMS: readonly Indicator[] = [PRICES, ...INDICATORS];

/** The computation behind each term; a term that is not here is read from the signal. */
export const INDICATOR_OF: ReadonlyMap<string, Indicator> = new Map(
  BAR_TERMS.flatMap((indicator) => indicator.names.map((name) => [name, indicator] as const)),
);
