import type { TraceContext } from "./trace.ts";

type Attributes = Readonly<Record<string, string | number>>;

export interface SpanFacts {
  /** Default: internal. */
  readonly kind?: "server" | "client" | "internal";
  /** Names of our own and figures: nothing of a caller or a provider. */
  readonly attributes?: Attributes;
  /** Place that the span continues. Default: the span in which it begins. */
  readonly parent?: TraceContext | undefined;
}

/** A part of the work of the server, with its duration. */
export interface Span {
  readonly context: TraceContext;
  update(changes: { readonly name?: string; readonly attributes?: Attributes }): void;
  /** Ends it, once. `error`: the code of its failure. */
  end(error?: string): void;
}

/** Records what the server does. */
export interface Tracer {
  /** Begins a span, which its caller ends. */
  start(name: string, facts: SpanFacts): Span;
  /** Runs work in a span, which ends with it. */
  span<T>(name: string, facts: SpanFacts, work: (span: Span) => Promise<T>): Promise<T>;
}

/** Runs work in a span; without a tracer, it is only run. */
export const traced = <T>(
  tracer: Tracer | undefined,
  name: string,
  facts: SpanFacts,
  work: (span?: Span) => Promise<T>,
): Promise<T> => (tracer === undefined ? work() : tracer.span(name, facts, work));
