import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import type { Listings } from "../../market/symbols/listings.ts";
import { type BarFile, inspectBarFile } from "./bar-file.ts";

/** A rewritten file is read once it has not changed for this time, ms. */
const QUIET_MS = 2_000;

/** Size of a file, and the time of its last change. */
export type Facts = Required<Pick<BarFile, "bytes" | "modified">>;

/** A file as it was inspected and the facts of its content now (epoch ms). */
interface Change {
  readonly file: BarFile;
  readonly facts: Facts;
  readonly now: number;
}

/**
 * Inspects a file over all its rows; "busy" while it is being rewritten, otherwise the reason if it is not usable now.
 * A line at its end may be half written only if the file has changed.
 */
export function inspectChange({ file, facts, now }: Change, listings: Listings): BarFile | string {
  const isQuiet = Math.abs(now - facts.modified) >= QUIET_MS;
  const isSame = facts.bytes === file.bytes && facts.modified === file.modified;
  if (!isSame && !isQuiet && !startsAlike(file)) return "busy";
  const inspected = inspectBarFile({ ...file, ...facts }, listings, file.instrument.symbol);
  if (typeof inspected === "string") return inspected;
  if (file.sampled !== true && !isSeries(inspected, file)) return "its bars are of another series";
  return { ...inspected, partial: !isSame && !endsWithLine(file) };
}

const isSeries = (a: BarFile, b: BarFile): boolean =>
  a.instrument.symbol === b.instrument.symbol && a.timeframe === b.timeframe;

/** Returns true if a file still begins with the bytes that were inspected, as after an append. */
function startsAlike({ real, bytes, digest }: BarFile): boolean {
  const content = readFileSync(real);
  const before = content.subarray(0, bytes);
  return content.length > bytes && createHash("sha256").update(before).digest("hex") === digest;
}

/** Returns true if the last byte of a file ends a line. */
function endsWithLine({ real }: BarFile): boolean {
  const file = openSync(real, "r");
  try {
    const last = Buffer.alloc(1);
    readSync(file, last, 0, 1, fstatSync(file).size - 1);
    return last.toString() === "\n";
  } finally {
    closeSync(file);
  }
}
