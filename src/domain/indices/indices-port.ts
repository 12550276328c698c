import type { BarHistory } from "../market/bar-history-port.ts";
import type { Quotes } from "../market/quotes-port.ts";

/**
 * Levels of indices, in points; each is passed as `asInstrument`. Volumes are null or 0, because an index has none.
 * Failure rejects.
 */
export interface Indices {
  /** Why no level is available; null if a provider is connected. */
  readonly missing: string | null;
  readonly quotes: Pick<Quotes, "latest">;
  /** Daily and weekly levels. */
  readonly bars: BarHistory;
}
