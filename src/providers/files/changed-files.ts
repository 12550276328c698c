import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../domain/ports.ts";
import type { Listings } from "../../market/symbols/listings.ts";
import { type BarFile, inspectBarFile } from "./bar-file.ts";
import type { BarStore } from "./bar-store.ts";
import { MAX_FILE_BYTES } from "./scan.ts";

/** Minimum time between two checks of the files of a symbol, so that a new row is read within a minute, ms. */
const LOOK_MS = 50_000;
/** Time after which a file that was being rewritten is checked again, ms. */
const RETRY_MS = 5_000;
/** A rewritten file is read once it has not changed for this time, ms. */
const QUIET_MS = 2_000;

type Facts = Required<Pick<BarFile, "bytes" | "modified">>;

/**
 * Creates a function that reloads the files of a symbol whose size or time of change differs, at most once in 50 seconds
 * and one file per event loop iteration. Rows that were appended are read at once, up to the last
 * complete line; a line without its end is read once the file is unchanged at the next check. A file rewritten in
 * another way is read once it is quiet. If a file is removed or unreadable, the bars read before remain.
 */
export function watchFiles(
  store: Pick<BarStore, "filesOf" | "replace">,
  { clock, listings }: { readonly clock: Clock; readonly listings: Listings },
): (symbol: string) => Promise<void> {
  const start = clock.now().getTime();
  const looks = new Map<string, number>();
  const running = new Map<string, Promise<void>>();
  async function look(symbol: string, now: number): Promise<void> {
    for (const file of store.filesOf(symbol)) {
      const facts = factsOf(file);
      if (facts === null) continue;
      const isSame = facts.bytes === file.bytes && facts.modified === file.modified;
      if (isSame && file.partial !== true) continue;
      await setImmediate();
      const found = isSame ? { ...file, partial: false } : changed(file, facts, now);
      if (found === "busy") looks.set(symbol, now - LOOK_MS + RETRY_MS);
      else if (found !== null) store.replace(found);
    }
  }
  /** Inspects a changed file; "busy" while it is being rewritten, null if it is not usable now. */
  function changed(file: BarFile, facts: Facts, now: number): BarFile | "busy" | null {
    const isQuiet = Math.abs(now - facts.modified) >= QUIET_MS;
    if (!isQuiet && !startsAlike(file)) return "busy";
    const inspected = inspectBarFile({ ...file, ...facts }, listings, file.instrument.symbol);
    if (typeof inspected === "string") return null;
    return isSeries(inspected, file) ? { ...inspected, partial: !endsWithLine(file) } : null;
  }
  return async (symbol) => {
    const now = clock.now().getTime();
    if (Math.abs(now - (looks.get(symbol) ?? start)) < LOOK_MS) return running.get(symbol);
    looks.set(symbol, now);
    const pending = look(symbol, now).finally(() => running.delete(symbol));
    running.set(symbol, pending);
    return pending;
  };
}

const isSeries = (a: BarFile, b: BarFile): boolean =>
  a.instrument.symbol === b.instrument.symbol && a.timeframe === b.timeframe;

function factsOf({ real }: BarFile): Facts | null {
  try {
    const { size, mtimeMs } = statSync(real);
    return size === 0 || size > MAX_FILE_BYTES ? null : { bytes: size, modified: mtimeMs };
  } catch {
    return null;
  }
}

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
