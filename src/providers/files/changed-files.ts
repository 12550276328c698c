import { statSync } from "node:fs";
import type { Clock } from "../../domain/ports.ts";
import type { BarFile } from "./bar-file.ts";
import type { BarStore } from "./bar-store.ts";
import type { RunFileTask } from "./file-tasks.ts";
import type { Facts } from "./inspect-change.ts";
import { MAX_FILE_BYTES } from "./scan.ts";

/** Minimum time between two checks of the files of a symbol, so that a new row is read within a minute, ms. */
const LOOK_MS = 50_000;
/** Time after which a file that was being rewritten is checked again, ms. */
const RETRY_MS = 5_000;

/**
 * Creates a function that inspects all rows of the files of a symbol before its first request, and reloads those whose
 * size or time of change differs, at most once in 50 seconds. Rows that were appended are read at once, up to the last
 * complete line; a line without its end is read once the file is unchanged at the next check. A file rewritten in
 * another way is read once it is quiet. If a file is removed or unreadable, the bars read before remain.
 */
export function watchFiles(
  store: Pick<BarStore, "filesOf" | "replace" | "remove">,
  { clock, run }: { readonly clock: Clock; readonly run: RunFileTask },
): (symbol: string) => Promise<void> {
  const start = clock.now().getTime();
  const looks = new Map<string, number>();
  const running = new Map<string, Promise<void>>();
  async function look(symbol: string, now: number): Promise<void> {
    for (const file of store.filesOf(symbol)) {
      const facts = factsOf(file);
      if (facts === null) continue;
      const isSame = facts.bytes === file.bytes && facts.modified === file.modified;
      if (isSame && file.partial !== true && file.sampled !== true) continue;
      const isComplete = isSame && file.sampled !== true;
      const found = isComplete
        ? { ...file, partial: false }
        : await run("change", { file, facts, now }, facts.bytes);
      if (found === "busy") looks.set(symbol, now - LOOK_MS + RETRY_MS);
      else if (typeof found !== "string") store.replace(found);
      else if (file.sampled === true && isSame) store.remove(file, found);
    }
  }
  const isSampled = (symbol: string) => store.filesOf(symbol).some(({ sampled }) => sampled === true);
  return async (symbol) => {
    const now = clock.now().getTime();
    const isDue = Math.abs(now - (looks.get(symbol) ?? start)) >= LOOK_MS;
    if (!isDue && (looks.has(symbol) || !isSampled(symbol))) return running.get(symbol);
    looks.set(symbol, now);
    const pending = look(symbol, now).finally(() => running.delete(symbol));
    running.set(symbol, pending);
    return pending;
  };
}

function factsOf({ real }: BarFile): Facts | null {
  try {
    const { size, mtimeMs } = statSync(real);
    return size === 0 || size > MAX_FILE_BYTES ? null : { bytes: size, modified: mtimeMs };
  } catch {
    return null;
  }
}
