import type { Outcome, PlantedKind } from "./plan.ts";

/** The structure planted in a slot of a listing. For tests and measurement only; nothing serves it. */
export interface Truth {
  readonly slot: number;
  readonly kind: PlantedKind | "none";
  /** Days of the path by name, counted from its first. */
  readonly bars: Readonly<Record<string, number>>;
  /** Prices by name, in dollars. */
  readonly levels: Readonly<Record<string, number>>;
  /** Null if nothing was planted. */
  readonly outcome: Outcome | null;
}
