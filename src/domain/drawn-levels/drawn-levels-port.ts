import type { DrawnLevel } from "./drawn-levels.ts";

/** Levels and note of a symbol as they were saved. */
export interface SavedLevels {
  /** Prices in the share count of the day of `levels_saved_at`. */
  readonly levels: readonly DrawnLevel[];
  /** ISO 8601 UTC; null: no levels were saved. */
  readonly levels_saved_at: string | null;
  readonly note: string | null;
  readonly note_saved_at: string | null;
}

/** Levels and notes that accounts of one market saved on symbols. */
export interface DrawnLevels {
  find(account: string, symbol: string): Promise<SavedLevels | null>;
  /**
   * Replaces the levels, the note, or both; an omitted part stays. Returns what is saved then. Rejects with REFUSED at the
   * maximum number of symbols.
   */
  save(
    account: string,
    symbol: string,
    change: {
      readonly levels?: readonly DrawnLevel[];
      /** null deletes it. */
      readonly note?: string | null;
      /** ISO 8601 UTC. */
      readonly at: string;
    },
  ): Promise<SavedLevels>;
}
