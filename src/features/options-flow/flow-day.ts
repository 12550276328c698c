import { sessionDateOf } from "../../analytics/flow/contract.ts";
import { ivAt30Days, smilesOf } from "../../analytics/flow/smile.ts";
import { sumsOf } from "../../analytics/flow/sums.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { FlowDay, OptionChain } from "../../domain/options-flow/options.ts";
import type { CallOptions, OptionChainAnswer, Ports } from "../../domain/ports.ts";

/** Summarizes a chain as the snapshot of its day, known at `at` (epoch ms). */
export function flowDayOf(chain: OptionChain, at: number): FlowDay {
  const { volume, premium } = sumsOf(chain.contracts);
  const smiles = smilesOf(chain);
  return {
    day: sessionDateOf(chain),
    at,
    callVolume: volume.call,
    putVolume: volume.put,
    callPremium: premium.call,
    putPremium: premium.put,
    atmIv: ivAt30Days(smiles, "atm"),
    putIv: ivAt30Days(smiles, "put"),
  };
}

/** Returns true if a chain can be stored for its day: it is fresh, has contracts and includes all expiries. */
export const isComplete = ({ chain, stale }: OptionChainAnswer): boolean =>
  !stale && chain.until === undefined && chain.contracts.length > 0;

/**
 * Fetches the chain of one instrument and stores its daily figures. Returns false if there is nothing to store. Rejects
 * if the chain request fails.
 */
export async function saveFlowDay(
  instrument: Instrument,
  { chains, flowDays, clock }: Pick<Ports, "chains" | "flowDays" | "clock">,
  options: CallOptions = {},
): Promise<boolean> {
  const answer = await chains.chain(instrument, options);
  if ("unavailable" in answer || !isComplete(answer)) return false;
  await flowDays.save(instrument.symbol, flowDayOf(answer.chain, clock.now().getTime()));
  return true;
}
