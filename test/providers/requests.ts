import type { Instrument } from "../../src/domain/market/market.ts";
import { ProviderFailure } from "../../src/domain/providers/price-provider.ts";
import { fixed } from "../support/fixed-world.ts";

/** A signal that never aborts. */
export const { signal } = new AbortController();

/** Kind of the failure of a request; "answered" without one. Other errors are returned as they are. */
export const kindOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => "answered",
    (failure: unknown) => (failure instanceof ProviderFailure ? failure.kind : failure),
  );

/** A stock of any symbol. */
export const stock = (symbol: string): Instrument => ({ ...fixed("AAPL"), symbol });

/** A token in dollars by its ticker. */
export const token = (base: string): Instrument => ({
  symbol: `${base}-USD`,
  name: base,
  asset_class: "crypto",
  sector: null,
  currency: "USD",
});
