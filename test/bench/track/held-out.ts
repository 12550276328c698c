import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ScoredSignal } from "../../../src/domain/track-record/track.ts";
import { replayedFiles } from "./replayed.ts";

/** Variable with the folder of held-out stocks: daily CSV files of bars, named by symbol. */
const FOLDER = "MARKET_SIGNAL_HELD_OUT";
const BENCHMARK = "SPY.csv";

/** Signals of stocks that were not used to choose anything, with the symbols they are of. */
export interface HeldOut {
  readonly scored: readonly ScoredSignal[];
  readonly symbols: readonly string[];
}

/**
 * Replays the files of the folder that the operator names in MARKET_SIGNAL_HELD_OUT; null without one. Strength is
 * measured against SPY: without a file of it there, the one in `own` is used, and its signals are left out.
 */
export async function heldOutFiles(own: string): Promise<HeldOut | null> {
  const path = process.env[FOLDER];
  if (path === undefined || path === "") return null;
  const files = readdirSync(path).filter((file) => file.endsWith(".csv"));
  const borrows = !files.includes(BENCHMARK) && existsSync(join(own, BENCHMARK));
  const { scored } = await replayedFiles([
    { kind: "us_daily", path, files },
    ...(borrows ? [{ kind: "us_daily", path: own, files: [BENCHMARK] } as const] : []),
  ]);
  const used = scored.filter(({ symbol }) => !borrows || symbol !== "SPY");
  return { scored: used, symbols: [...new Set(used.flatMap(({ symbol }) => symbol ?? []))].sort() };
}
