import { readFileSync, writeFileSync } from "node:fs";
import type { CallCost } from "./calls.ts";
import type { RecordSize } from "./fill-record.ts";
import type { NightCost } from "./night.ts";
import type { ReadTimes } from "./reads.ts";
import type { TableSize } from "./table-sizes.ts";
import type { WriteCosts } from "./writes.ts";

/** What `npm run bench -- capacity` has measured; each part by a run of its own. */
export interface CapacityCosts {
  readonly calls: { readonly [name: string]: CallCost };
  readonly night: NightCost;
  readonly writes: WriteCosts;
  /** Bytes of each row with its indexes, by table. */
  readonly bytesPerRow: { readonly [table: string]: number };
  readonly reads: readonly ReadTimes[];
  /** Size of the record with which the reads were measured. */
  readonly filled: RecordSize & { readonly rows: { readonly [table: string]: number } };
  /** Day of each part, `YYYY-MM-DD`. */
  readonly days: { readonly costs: string; readonly record: string };
}

const FILE = new URL("costs.json", import.meta.url);

export const readCosts = (): CapacityCosts => JSON.parse(readFileSync(FILE, "utf8"));

/** Replaces parts of the measured costs; numbers are stored with four digits. */
export function writeCosts(parts: Partial<CapacityCosts>): void {
  const rounded = (_: string, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(4)) : value;
  writeFileSync(FILE, `${JSON.stringify({ ...readCosts(), ...parts }, rounded, 2)}\n`);
}

/** Returns the bytes of a row of each table. */
export const bytesPerRow = (sizes: ReadonlyMap<string, TableSize>): Readonly<Record<string, number>> =>
  Object.fromEntries([...sizes].map(([name, { rows, bytes }]) => [name, bytes / rows]));
