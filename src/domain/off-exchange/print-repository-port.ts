import type { ProviderAnswer } from "../providers/provider.ts";
import type { PrintDay } from "./provider.ts";

/** Stored prints of completed sessions of one market. */
export interface PrintRepository {
  /** Returns the stored sessions of a symbol between two dates, both included, ascending. */
  days(
    symbol: string,
    range: { readonly from: string; readonly to: string },
  ): Promise<readonly (ProviderAnswer<PrintDay> & { readonly date: string })[]>;
  /** Stores a session, once. Deletes sessions of the symbol that are more than two years older. */
  save(symbol: string, date: string, day: ProviderAnswer<PrintDay>): Promise<void>;
}
