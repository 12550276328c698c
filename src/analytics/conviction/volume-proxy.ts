import type { ConvictionRow } from "../../domain/off-exchange/darkpool.ts";
import type { DriverValue } from "../drivers/driver-value.ts";
import type { DriverId } from "../drivers/table.ts";
import { sum } from "../statistics.ts";

const PROXIES: readonly DriverId[] = ["v_obv", "v_cmf", "v_updn", "d_offex"];

/**
 * Proxy of institutional conviction while fewer than three off-exchange print levels were tested: 50 + 50 x the mean of
 * the volume drivers present, null without any. It measures volume, not institutions.
 */
export function volumeProxy(
  drivers: readonly DriverValue[],
): Pick<ConvictionRow, "score" | "conviction" | "source" | "tests"> {
  const values = drivers.flatMap(({ id, value }) => (value !== null && PROXIES.includes(id) ? [value] : []));
  return {
    score: values.length === 0 ? null : 50 + (50 * sum(values)) / values.length,
    conviction: "INSUFFICIENT",
    source: "volume_proxy",
    tests: 0,
  };
}
