import type { OptionsFlow } from "../../domain/options-flow/flow.ts";
import type { OptionChain } from "../../domain/options-flow/options.ts";
import { daysUntil, midPrice, quoteTime } from "./contract.ts";

const MIN_DAYS = 5;

/**
 * Returns the expected move until the nearest expiry at least five days away: the sum of the mid prices of the call and
 * the put at the strike nearest to the price, which is the mean size of the move. Null if no such expiry quotes both.
 */
export function expectedMove(chain: OptionChain): OptionsFlow["expected_move"] {
  const { contracts, underlying } = chain;
  const spot = underlying.price;
  if (spot === null) return null;
  const now = quoteTime(chain);
  const expiries = [...new Set(contracts.map(({ expiry }) => expiry))].sort();
  for (const expiry of expiries) {
    const days = daysUntil(expiry, now);
    if (days < MIN_DAYS) continue;
    const puts = new Map(
      contracts.flatMap((one) => (one.type === "put" && one.expiry === expiry ? [[one.strike, one]] : [])),
    );
    const straddles = contracts.flatMap((call) => {
      const put = puts.get(call.strike);
      if (call.type !== "call" || call.expiry !== expiry || put === undefined) return [];
      const [up, down] = [midPrice(call), midPrice(put)];
      return up === null || down === null ? [] : [{ strike: call.strike, dollars: up + down }];
    });
    const [nearest] = straddles.sort((a, b) => Math.abs(a.strike - spot) - Math.abs(b.strike - spot));
    // only an at-the-money straddle gives the expected move: a far strike's straddle gives its distance
    if (nearest === undefined || Math.abs(nearest.strike / spot - 1) > 0.05) continue;
    const { strike, dollars } = nearest;
    return {
      expiry,
      days,
      strike,
      dollars,
      percent: (100 * dollars) / spot,
      low: Math.max(0, spot - dollars),
      high: spot + dollars,
    };
  }
  return null;
}
