import type { DriverValue } from "../drivers/driver-value.ts";
import type { DriverId } from "../drivers/table.ts";

export type ConvictionWord = "STRONG" | "HIGH" | "NEUTRAL" | "LOW" | "WEAK" | "INSUFFICIENT";

/** Institutional conviction, 0-100 with 50 neutral, and where it comes from. */
export interface Conviction {
  readonly score: number | null;
  readonly conviction: ConvictionWord;
  /** Provider of the prints; `volume_proxy` if the score uses none. */
  readonly source: string;
  /** How often print levels were tested as support. */
  readonly tests: number;
}

const PROXIES: readonly DriverId[] = ["v_obv", "v_cmf", "v_updn", "d_offex"];

/**
 * Proxy of institutional conviction while fewer than three off-exchange print levels were tested: 50 + 50 x the mean of
 * the volume drivers present, null without any. It measures volume, not institutions.
 */
export function volumeProxy(drivers: readonly DriverValue[]): Conviction {
  const values = drivers.flatMap(({ id, value }) => (value !== null && PROXIES.includes(id) ? [value] : []));
  const total = values.reduce((sum, value) => sum + value, 0);
  return {
    score: values.length === 0 ? null : 50 + (50 * total) / values.length,
    conviction: "INSUFFICIENT",
    source: "volume_proxy",
    tests: 0,
  };
}
