import type { ProviderAttempt } from "../market/provenance.ts";
import type { PriceProvider } from "./price-provider.ts";

/** Whatever is asked over a network. */
export type Guardable = Pick<PriceProvider, "name" | "budget">;

/** A source that can say what keeps it from answering, in words that name its setting; null while nothing does. */
export interface DiagnosableProvider extends Guardable {
  readonly problem?: () => string | null;
}

/** One vendor's way to answer one kind of question that is neither a quote nor bars. */
export interface Provider<Q, A> extends DiagnosableProvider {
  /** Rejects with ProviderFailure alone: `unknown_symbol` where it covers no such thing, `unsupported` where it answers no such question. */
  call(question: Q, options: { readonly signal: AbortSignal }): Promise<A>;
}

/** An answer with who gave it and when. */
export interface ProviderAnswer<A> {
  readonly answer: A;
  readonly source: string;
  /** Epoch ms. */
  readonly fetchedAt: number;
  /** An older answer, told because nobody gives a newer one just now. */
  readonly stale: boolean;
  readonly tried: readonly ProviderAttempt[];
}
