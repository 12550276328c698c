import type { TraceContext } from "./trace.ts";

type Attributes = Readonly<Record<string, string | number>>;

export interface SpanFacts {
  /** Default: internal. */
  readonly kind?: "server" | "client" | "internal";
  /** Only names of the program and numbers, no data of a caller or a provider. */
  readonly attributes?: Attributes;
  /** Trace context that the span continues. Default: the current span. */
  readonly parent?: TraceContext | undefined;
}

/** A timed operation of the server. */
export interface Span {
  readonly context: TraceContext;
  update(changes: { readonly name?: string; readonly attributes?: Attributes }): void;
  /** Ends the span; later calls do nothing. `error`: code of the failure. Default: success. */
  end(error?: string): void;
}

/** Records what the server does. */
export interface Tracer {
  /** Begins a span, which the caller has to end. */
  start(name: string, facts: SpanFacts): Span;
  /** Runs work in a span, which ends when the work does. */
  span<T>(name: string, facts: SpanFacts, work: (span: Span) => Promise<T>): Promise<T>;
}

/** Runs work in a span; without a tracer, only runs it. */
export const traced = <T>(
  tracer: Tracer | undefined,
  name: string,
  facts: SpanFacts,
  work: (span?: Span) => Promise<T>,
): Promise<T> => (tracer === undefined ? work() : tracer.span(name, facts, work));
