import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";
import type { ScoredSignal } from "../../../src/domain/track-record/track.ts";
import type { ReplayReport } from "../../../src/domain/track-record/track-port.ts";
import { trackRepository } from "../../../src/store/track-record/track-repository.ts";
import { suiteDir } from "../../support/temp-dir.ts";

/** A folder of daily CSV files, and the kind under which it is read. */
export interface BarFolder {
  readonly kind: "us_daily" | "crypto_daily";
  readonly path: string;
  /** Names of the files to use. Default: all CSV files. */
  readonly files?: readonly string[];
}

/** Replay report of the daily files of a folder, and every outcome of its record, in the order of decisions. */
export interface ReplayedFiles {
  readonly report: ReplayReport;
  readonly scored: readonly ScoredSignal[];
  readonly stocks: number;
  readonly coins: number;
}

/**
 * Replays every close of the daily files of the folders in a temporary installation, as `market-signal track replay`
 * does. Rejects if a file is not used unchanged.
 */
export async function replayedFiles(folders: readonly BarFolder[]): Promise<ReplayedFiles> {
  const { dir, remove } = suiteDir();
  try {
    const bars = join(dir, "bars");
    // Copied, because symbolic links are not read and the folders contain other files too.
    for (const { kind, path, files = readdirSync(path) } of folders) {
      mkdirSync(join(bars, kind), { recursive: true });
      for (const file of files)
        if (file.endsWith(".csv")) copyFileSync(join(path, file), join(bars, kind, file));
    }
    const settings = { DATA_DIR: join(dir, "data"), MARKET_DATA: `files:${bars}`, LOG_LEVEL: "silent" };
    const app = await createApp(readConfig(settings));
    try {
      const report = await app.track.replay({ universe: "all" });
      if (report.failures.length > 0) throw new Error(`Not replayed: ${JSON.stringify(report.failures)}`);
      const { db } = app.store;
      const book = trackRepository({ db, market: app.ports.market.id, clock: app.clock });
      const scored: ScoredSignal[] = [];
      for await (const page of book.scored({ timeframe: "1d", model_version: report.model_version }))
        scored.push(...page);
      const coins = app.ports.symbols.members().filter((one) => one.asset_class === "crypto").length;
      return { report, scored, stocks: report.symbols - coins, coins };
    } finally {
      await app.close();
    }
  } finally {
    remove();
  }
}
