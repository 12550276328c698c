import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { compile } from "../support/compiled.ts";
import { suiteDir } from "../support/temp-dir.ts";

const ROUNDS = 11;
const TARGET = { ms: 150, megabytes: 40 };
const CSV =
  "date,open,high,low,close,volume\n2026-11-19,100,101,99,100.5,1000\n2026-11-20,100.5,102,100,101,1000\n";

interface Opened {
  readonly ms: number;
  readonly bytes: number;
}

/** Measures the startup cost of live mode: time and memory compared with a start from a single file, in turn. */
export async function run(): Promise<void> {
  const built = await compile({ scripts: ["test/bench/live/opening.ts"] });
  const { dir, remove } = suiteDir();
  try {
    const files = join(dir, "files");
    mkdirSync(files);
    writeFileSync(join(files, "AAPL_1d.csv"), CSV);
    const modes = { files: `files:${files}`, live: "live" };
    const opened = (mode: keyof typeof modes): Opened => {
      const [node, script] = built.script("test/bench/live/opening.ts");
      const env = {
        PATH: process.env.PATH,
        DATA_DIR: join(dir, mode),
        MARKET_DATA: modes[mode],
        LOG_LEVEL: "error",
      };
      const { status, stdout, stderr } = spawnSync(node!, ["--expose-gc", script!], {
        env,
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as Opened;
    };
    console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}`);
    for (const mode of ["files", "live"] as const) opened(mode);
    const rounds = Array.from({ length: ROUNDS }, () => ({ files: opened("files"), live: opened("live") }));
    for (const mode of ["files", "live"] as const) {
      const ms = median(rounds.map((round) => round[mode].ms));
      const bytes = median(rounds.map((round) => round[mode].bytes));
      console.log(`${mode.padEnd(6)} open after ${ms.toFixed(0)} ms with ${megabytes(bytes).toFixed(1)} MB`);
    }
    const ms = median(rounds.map(({ files, live }) => live.ms - files.ms));
    const more = megabytes(median(rounds.map(({ files, live }) => live.bytes - files.bytes)));
    console.log(
      `live mode adds ${ms.toFixed(0)} ms (target: under ${TARGET.ms}) and ${more.toFixed(1)} MB (${TARGET.megabytes}), median of ${ROUNDS} rounds`,
    );
    if (ms >= TARGET.ms || more >= TARGET.megabytes) process.exitCode = 1;
  } finally {
    remove();
    built.remove();
  }
}

const megabytes = (bytes: number): number => bytes / 1024 / 1024;
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
