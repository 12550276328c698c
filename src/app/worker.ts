import { existsSync } from "node:fs";
import { SetupError } from "../lib/setup-error.ts";
import { mainFile } from "../store/files.ts";
import type { Screen } from "../transports/cli/host.ts";
import { withProgramName } from "../transports/cli/screen.ts";
import { createApp } from "./app.ts";
import { type Config, environmentFault } from "./config.ts";
import { noteDatabaseOf } from "./open-database.ts";
import { openLog } from "./open-log.ts";

/** Time after an interrupt at which a worker exits in any case. */
const FORCED_EXIT_MS = 9_500;

interface WorkerOptions {
  readonly config: Config;
  readonly out: Screen;
  readonly signal: AbortSignal;
}

/**
 * Runs a worker until the signal is aborted: a process without a port that does jobs of the servers on the same database, and
 * runs due agents and deliveries. Notifications of A2A tasks stay with the servers, which load what reads those tasks. Jobs
 * that have not ended by then are given back.
 */
export async function runWorker({ config, out, signal }: WorkerOptions): Promise<void> {
  const fault = environmentFault();
  if (fault !== null) throw new SetupError(fault);
  if (config.DATABASE_URL === undefined && !existsSync(mainFile(config.DATA_DIR)))
    throw new SetupError(
      `There is no database in ${config.DATA_DIR}: a worker does jobs of the servers on this folder. Start the server first, or set DATABASE_URL or DATA_DIR to those of the servers`,
    );
  const log = openLog(config);
  // sent by log rotation, which a worker without a terminal survives: its log file is opened for each write
  if (config.LOG_FILE !== undefined && !process.stdin.isTTY) process.on("SIGHUP", () => {});
  if (signal.aborted) return;
  signal.addEventListener("abort", () => void setTimeout(() => process.exit(0), FORCED_EXIT_MS).unref(), {
    once: true,
  });
  const interrupted = new Promise<void>((done) => {
    signal.addEventListener("abort", () => done(), { once: true });
  });
  const app = await createApp(config, { log });
  try {
    await Promise.race([app.store.waitForWriteLock(), interrupted]);
    if (signal.aborted) return;
    // seals the first secret, so that a worker with another master key is refused
    if (app.store.replicas !== null) await app.keyedHash("").catch(() => app.verifySecrets());
    await noteDatabaseOf(config);
    await app.store.replicas?.join();
    app.startWorker();
    const place = config.DATABASE_URL === undefined ? config.DATA_DIR : new URL(config.DATABASE_URL).host;
    log.info("worker", { pid: process.pid, market: app.ports.market.mode });
    log.flush();
    out.write(withProgramName(out, `market-signal worker: does jobs of the servers on ${place}\n`));
    await interrupted;
  } finally {
    await app.close();
  }
}
