import type { ProviderAttempt } from "../market/provenance.ts";
import type { PriceProvider } from "./price-provider.ts";

/** Anything called over a network within a budget. */
export type Guardable = Pick<PriceProvider, "name" | "budget">;

/** Provider that can report why it cannot answer, naming the setting to change; `problem` returns null while it can. */
export interface DiagnosableProvider extends Guardable {
  readonly problem?: () => string | null;
}

/** Supplies one kind of data other than quotes and bars. */
export interface Provider<Q, A> extends DiagnosableProvider {
  /** Rejects only with ProviderFailure: `unknown_symbol` if it does not cover the subject, `unsupported` if it does not serve the request. */
  call(question: Q, options: { readonly signal: AbortSignal }): Promise<A>;
}

export interface ProviderAnswer<A> {
  readonly answer: A;
  readonly source: string;
  /** Epoch ms. */
  readonly fetchedAt: number;
  /** True for a cached answer returned because no provider gives a newer one. */
  readonly stale: boolean;
  readonly tried: readonly ProviderAttempt[];
}
