import { quoteTime } from "../../analytics/flow/contract.ts";
import type { FlowProvenance } from "../../domain/options-flow/flow.ts";
import type { AnswerOrigin, OptionChainAnswer } from "../../domain/ports.ts";

export const provenanceOf = ({ chain, ...by }: OptionChainAnswer): FlowProvenance => ({
  ...sourceRow(by),
  as_of: new Date(quoteTime(chain)).toISOString(),
  delay_minutes: chain.delayMinutes,
});

/** Returns the provider, the fetch time and the providers that failed before it. */
export const sourceRow = ({ source, fetchedAt, stale, tried }: AnswerOrigin) => {
  const failed = tried.filter(({ outcome, provider }) => outcome !== "answered" && provider !== source);
  return {
    provider: source,
    fetched_at: fetchedAt,
    stale,
    fallback_from: [...new Set(failed.map(({ provider }) => provider))],
  };
};
