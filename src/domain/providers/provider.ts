import type { Attempt } from "../market/provenance.ts";
import type { Source } from "./price-provider.ts";

/** Whatever is asked over a network. */
export type Guardable = Pick<Source, "name" | "budget">;

/** A source that can say what keeps it from answering, in words that name its setting; null while nothing does. */
export interface Telling extends Guardable {
  readonly trouble?: () => string | null;
}

/** One vendor's way to answer one kind of question that is neither a quote nor bars. */
export interface Provider<Q, A> extends Telling {
  /** Rejects with SourceFailure alone: `unknown_symbol` where it covers no such thing, `unsupported` where it answers no such question. */
  ask(question: Q, options: { readonly signal: AbortSignal }): Promise<A>;
}

/** An answer with who gave it and when. */
export interface Told<A> {
  readonly answer: A;
  readonly source: string;
  /** Epoch ms. */
  readonly fetchedAt: number;
  /** An older answer, told because nobody gives a newer one just now. */
  readonly stale: boolean;
  readonly tried: readonly Attempt[];
}
