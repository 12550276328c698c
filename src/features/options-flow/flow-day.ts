import { sessionDateOf } from "../../analytics/flow/contract.ts";
import { ivAt30Days, smilesOf } from "../../analytics/flow/smile.ts";
import { sumsOf } from "../../analytics/flow/sums.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { FlowDay, OptionChain } from "../../domain/options-flow/options.ts";
import type { CallOptions, Chains, Clock, FlowDays, OptionChainAnswer } from "../../domain/ports.ts";

/** What a chain comes to, as a day's snapshot known at `at` (epoch ms). */
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

/** Whether days may be measured by a chain: one of all expiries that was told just now. */
export const isComplete = ({ chain, stale }: OptionChainAnswer): boolean =>
  !stale && chain.until === undefined && chain.contracts.length > 0;

/**
 * Asks for the chain of one instrument and keeps what it comes to; false where there is none to keep. Rejects as the chains
 * do.
 */
export async function saveFlowDay(
  instrument: Instrument,
  {
    chains,
    flowDays,
    clock,
  }: { readonly chains: Chains; readonly flowDays: FlowDays; readonly clock: Clock },
  options: CallOptions = {},
): Promise<boolean> {
  const told = await chains.chain(instrument, options);
  if ("untold" in told || !isComplete(told)) return false;
  await flowDays.keep(instrument.symbol, flowDayOf(told.chain, clock.now().getTime()));
  return true;
}
