import type { Print } from "../../domain/off-exchange/prints.ts";

/** One trade of a day, before it is numbered. */
export interface Deal {
  readonly name: string;
  /** In price units. */
  readonly price: number;
  /** In dollars. */
  readonly notional: number;
  readonly executedAt: number;
  readonly reportedAt: number;
  readonly conditions: Print["conditions"];
  /** Which side of the quotes it was made at; null where no quotes are known. */
  readonly side: 1 | 0 | -1 | null;
}
