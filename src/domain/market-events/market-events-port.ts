import type { CallOptions } from "../call-options.ts";
import type { Instrument } from "../market/market.ts";
import type { DataUnavailable } from "../options-flow/options-port.ts";
import type { EventKind, MarketEvent } from "./market-events.ts";

export interface EventsRequest extends CallOptions {
  readonly kind: EventKind;
  /** First and last date in New York, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** Only events of these; null: of all. */
  readonly instruments: readonly Instrument[] | null;
}

export interface EventsAnswer {
  /** By date. */
  readonly events: readonly MarketEvent[];
  readonly source: string;
  /** Time of the oldest provider call, ISO 8601 UTC. */
  readonly fetchedAt: string;
  readonly stale: boolean;
  /** True if no requested day, month or symbol is missing. */
  readonly isComplete: boolean;
  /** What is missing, and why. */
  readonly notes: readonly string[];
}

/** Ex-dividend dates, splits, IPOs and trading halts. Rejects if no part of the request can be answered. */
export interface MarketEvents {
  list(request: EventsRequest): Promise<EventsAnswer | DataUnavailable>;
}
