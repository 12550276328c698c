/** Trace context of a caller: the span that its request continues. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Id of the span, 16 hexadecimal digits. */
  readonly spanId: string;
  /** true if the caller records the trace. */
  readonly isSampled: boolean;
}

/** A version above 00 may have further fields. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_ID = /^0+$/;

/**
 * Parses a `traceparent`; returns undefined if it is invalid.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function parseTraceparent(value: unknown): TraceContext | undefined {
  if (typeof value !== "string") return undefined;
  const [, version, traceId, spanId, flags, further] = TRACEPARENT.exec(value) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === "00" && further !== undefined) return undefined;
  if (NO_ID.test(traceId) || NO_ID.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
