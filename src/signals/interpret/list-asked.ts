import type { Intent } from "../../domain/interpretation.ts";
import type { Filters } from "./filters.ts";

/** Questions and orders that are about no list. */
const OTHERWISE =
  /^\s*(?:please )?(?:is|are|should|shall|will|would|do|does|did|can|could|why|how|when|(?:buy|sell|short|purchase|order|place|set|alert)(?! signals?| rat))\b/i;
const SUPERLATIVE = /\b(best|worst|strongest|weakest|hottest|highest|lowest|top|bottom)\b/i;
/** One figure of many lines. */
const OVERALL =
  /\b(?:average|mean|median|avg|typical|combined|aggregate|total) (?:\S+ ){0,2}(?:scores?|grades?|ratings?|rr|reward\S*)\b|\b(?:percent|percentage|proportion|share|fraction|%) of (?:\S+ ){0,3}(?:stocks?|coins?|companies|names|tokens?|etfs?|cryptos?|market)\b/i;

/** Whether words without a verb of a list narrow one all the same: `worst 3 banks`, `crypto with grade A+`. */
export function isListAsked(
  text: string,
  { filters, count }: { readonly filters: Filters; readonly count: number | null },
): boolean {
  const { asset_class, bias, grade, stage, phase, min_score, tier, sort } = filters;
  const isOf = asset_class !== undefined;
  const isNarrowed = [bias, grade, stage, phase, min_score, tier, count ?? undefined].some(
    (one) => one !== undefined,
  );
  return isOf && (isNarrowed || sort === "rr" || SUPERLATIVE.test(text)) && !OTHERWISE.test(text);
}

/** Whether one figure over a whole list is asked for, such as an average. */
export const asksOverall = (text: string): boolean => OVERALL.test(text);

/** Intents in which words that narrow a list are taken for one, where nothing is named. */
const OPEN: ReadonlySet<Intent> = new Set(["signal", "unknown"]);

/** What is asked for, where the words of the topic tell more than the form of the question. */
export function meantBy(
  intent: Intent,
  {
    asksTraders,
    isList,
    named,
  }: { readonly asksTraders: boolean; readonly isList: boolean; readonly named: number },
): Intent {
  if (!OPEN.has(intent)) return intent;
  return asksTraders ? "flow" : isList && named === 0 ? "scan" : intent;
}
