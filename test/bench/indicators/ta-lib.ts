import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lineOf, median, spawnChild, stop } from "../servers/child.ts";

export interface Prices {
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
}

const ROUNDS = 31;
const ROUND_SECONDS = 0.05;
const SOURCE = fileURLToPath(new URL("ta-lib.c", import.meta.url));

/**
 * Measures a pass of the own indicators and one of TA-Lib in turns. Returns the median of the ratios of their speeds and
 * the last values of TA-Lib; null where TA-Lib or a C compiler is not installed.
 */
export async function besideTaLib({ high, low, close }: Prices, pass: () => void) {
  const dir = mkdtempSync(join(tmpdir(), "market-signal-bench-"));
  try {
    const program = join(dir, "ta-lib");
    const { status } = spawnSync("cc", ["-O2", SOURCE, "-o", program, "-lta_lib", "-lm"]);
    if (status !== 0) return null;
    const file = join(dir, "prices");
    const columns = [Float64Array.of(close.length), high, low, close];
    writeFileSync(file, Buffer.concat(columns.map((column) => Buffer.from(column.buffer))));
    const child = await spawnChild([program, file]);
    const last = (await lineOf(child)).split(" ").map(Number);
    const peer = async (passes: number) => {
      child.process.stdin!.write(`${passes}\n`);
      return Number(await lineOf(child));
    };
    const own = (passes: number) => {
      const started = performance.now();
      for (let i = 0; i < passes; i++) pass();
      return (performance.now() - started) / 1_000 / passes;
    };
    const passes = Math.ceil(ROUND_SECONDS / own(3));
    const ratios: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const ownSeconds = own(passes);
      ratios.push((await peer(passes)) / ownSeconds);
    }
    await stop(child.process);
    return { ratio: median(ratios), last };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
