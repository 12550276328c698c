import type { CloseProvider } from "../../domain/providers/close-provider.ts";
import type { Guarded } from "../failover/guard.ts";
import { type Comparer, createComparer } from "./compare.ts";
import { createDollarConversion } from "./dollars.ts";
import { createOfficialCloses, type OfficialCloses } from "./official-closes.ts";
import type { PriceDeps, ToDollars } from "./provider-order.ts";
import { createWitness, type Witness } from "./witness.ts";

/** Everything with which quotes are converted, compared and checked before they are called live. */
export interface QuoteChecks extends PriceDeps {
  readonly toDollars: ToDollars;
  readonly compare: Comparer;
  readonly checks: { readonly witness: Witness; readonly closes: OfficialCloses };
}

/** Adds conversion, comparison and witnesses to the price providers of a market. */
export function checkedQuotes(
  deps: Omit<PriceDeps, "toDollars">,
  witnesses: readonly Guarded<CloseProvider>[],
): QuoteChecks {
  const toDollars = createDollarConversion(deps);
  const compare = createComparer({ ...deps, toDollars });
  const closes = createOfficialCloses({ ...deps, witnesses });
  return {
    ...deps,
    toDollars,
    compare,
    checks: { closes, witness: createWitness({ ...deps, closes, compare }) },
  };
}
