import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunReport, RunRequest } from "../../../src/domain/nightly/engine-port.ts";
import type { RunStatus } from "../../../src/domain/nightly/run-repository-port.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { engineRow, runHead } from "../../support/engine.ts";
import { movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { testCli } from "./test-host.ts";

const report = (over: Partial<RunReport> = {}): RunReport => ({
  head: runHead({ run_id: "00000000-0000-4000-8000-000000000001" }),
  runAt: "2026-01-15T15:00:07.000Z",
  resumed: false,
  rows: [
    engineRow({ symbol: "AAPL", tier: "HOT", direction: "LONG", score: 81.25, grade: "A" }),
    engineRow({ symbol: "BTC-USD", tier: "WATCH", direction: "WAIT", score: 70 }),
  ],
  failures: [{ symbol: "NVDA", code: "NOT_ENOUGH_DATA", message: "NVDA has 3 closed 1d bars" }],
  ...over,
});
const engineOf = (result: RunReport = report()) => {
  const requests: RunRequest[] = [];
  const run = async (request: RunRequest) => {
    requests.push(request);
    return result;
  };
  return { requests, engine: { run } };
};

describe("engine run", () => {
  it("runs all symbols and prints a summary, labelled for simulated prices", async () => {
    const { requests, engine } = engineOf();
    const { code, out, err } = await testCli({ engine }).run("engine", "run");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(requests).toMatchObject([{ universe: { name: "all" }, resume: false }]);
    expect(out.split("\n")).toEqual([
      "SAMPLE (simulated)",
      "all as of 2026-01-15T00:00:00.000Z: 2 of 3 symbols computed, 1 failed",
      "run 00000000-0000-4000-8000-000000000001, consensus-9, finished 2026-01-15T15:00:07.000Z",
      "HOT 1  WATCH 1  NEUTRAL 0",
      "LONG 1  SHORT 0  WAIT 1",
      "symbol   tier   bias  score  grade  stage   close   entry   stop  target    rr  phase",
      "AAPL     HOT    LONG   81.3  A          2  100.00  100.00  95.00  110.00  2.00  Undetermined",
      "BTC-USD  WATCH  WAIT   70.0  C          2  100.00  100.00  95.00  110.00  2.00  Undetermined",
      "WAIT: levels to watch, not a plan",
      "NOT_ENOUGH_DATA 1: NVDA",
      "",
    ]);
  });

  it("says first that bars are stale", async () => {
    const { engine } = engineOf(report({ stale_notes: ["Stale: old bars"] }));
    const { out } = await testCli({ engine }).run("engine", "run");
    expect(out.split("\n").slice(1, 3)).toEqual([
      "Stale: old bars",
      "all as of 2026-01-15T00:00:00.000Z: 2 of 3 symbols computed, 1 failed",
    ]);
  });

  it("continues an interrupted run", async () => {
    const { requests, engine } = engineOf(report({ resumed: true }));
    const { out } = await testCli({ engine }).run("engine", "run", "--universe", "crypto", "--resume");
    expect(requests).toMatchObject([{ universe: { name: "crypto" }, resume: true }]);
    expect(out).toContain("1 failed; continued an interrupted run\n");
  });

  it("shows all results of a small universe, best score first and missing scores last", async () => {
    const rows = [
      engineRow({ symbol: "AAPL", score: null }),
      engineRow({ symbol: "MSFT", score: 20 }),
      engineRow({ symbol: "NVDA", score: 60 }),
    ];
    const lines = async (members: number) => {
      const head = { ...report().head, members: Array.from({ length: members }, (_, i) => `S${i}`) };
      const { out } = await testCli({ engine: engineOf(report({ head, rows })).engine }).run("engine", "run");
      return out.split("\n").flatMap((line) => /^[A-Z]{4}(?= +NEUTRAL)/.exec(line)?.[0] ?? []);
    };
    expect(await lines(30)).toEqual(["NVDA", "MSFT", "AAPL"]);
    expect(await lines(31), "only strong signals of a large universe").toEqual([]);
  });

  it("continues the newest interrupted run without --universe, and starts none", async () => {
    const { requests, engine } = engineOf(report({ resumed: true }));
    const universe = { name: "file:mine.txt", symbols: ["AAPL"] } as const;
    const stopped = async () => universe;
    expect((await testCli({ engine: { ...engine, stopped } }).run("engine", "run", "--resume")).code).toBe(0);
    expect(requests).toMatchObject([{ universe, resume: true }]);
    const none = testCli({ engine: { ...engine, stopped: async () => null } });
    const { code, out } = await none.run("engine", "run", "--resume");
    expect([code, out]).toEqual([0, "SAMPLE (simulated)\nThere is no interrupted run.\n"]);
    expect(JSON.parse((await none.run("engine", "run", "--resume", "--json")).out)).toEqual({
      ok: true,
      resumed: false,
    });
    expect(requests).toHaveLength(1);
  });

  it("reads the symbols in a file with any separators", async () => {
    const folder = tempDir();
    writeFileSync(join(folder, "mine.txt"), "AAPL, btc # coins\n\n# no name\nNVDA;TSLA\n");
    const { requests, engine } = engineOf();
    const answer = await testCli({ engine, host: { folder } }).runLine(
      "engine run --universe file:mine.txt --json",
    );
    expect(requests[0]?.universe).toEqual({
      name: "file:mine.txt",
      symbols: ["AAPL", "btc", "NVDA", "TSLA"],
    });
    expect(JSON.parse(answer.out)).toMatchObject({
      ok: true,
      universe: "all",
      rows: [{ symbol: "AAPL" }, {}],
    });
  });

  it.each([
    ["/dev/zero", "not a regular file"],
    ["long.txt", "more than 20000"],
    ["odd.txt", "Line 2 of the file is not a symbol"],
    ["nothing.txt", "nothing.txt cannot be read: it does not exist"],
  ])("rejects the universe file %s", async (path, words) => {
    const folder = tempDir();
    writeFileSync(join(folder, "long.txt"), "A\n".repeat(20_001));
    writeFileSync(join(folder, "odd.txt"), "AAPL\n<script>\n");
    const { requests, engine } = engineOf();
    const { code, err } = await testCli({ engine, host: { folder } }).runLine(
      `engine run --universe file:${path}`,
    );
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain(words);
  });

  it("draws a progress bar on a terminal only", async () => {
    const run = async ({ progress }: RunRequest) => {
      progress?.({ done: 3, total: 6, message: "bars read" });
      return report();
    };
    const moving = movingClock();
    const clock = {
      now: () => {
        moving.pass(1_000);
        return moving.now();
      },
    };
    const onTerminal = await testCli({ engine: { run }, ports: { clock }, tty: true }).run("engine", "run");
    expect(onTerminal.err).toContain("[============            ] 3/6 bars read");
    expect((await testCli({ engine: { run }, ports: { clock } }).run("engine", "run")).err).toBe("");
  });

  it.each([
    ["sp5000", 2, 'There is no universe "sp5000"'],
    ["file:nowhere.txt", 2, "nowhere.txt cannot be read: it does not exist"],
  ])("reports what is wrong with the universe %s", async (universe, code, message) => {
    const { requests, engine } = engineOf();
    const answer = await testCli({ engine, host: { folder: tempDir() } }).runLine(
      `engine run --universe ${universe}`,
    );
    expect(answer).toMatchObject({ code, out: "" });
    expect(answer.err).toContain(message);
    expect(requests).toEqual([]);
  });

  it("exits with 130 when interrupted, and closes the installation", async () => {
    const run = async () => {
      throw new ToolError("CANCELLED", "The run was interrupted");
    };
    const { run: type, counts } = testCli({ engine: { run } });
    expect((await type("engine", "run")).code).toBe(130);
    expect(counts).toEqual({ opened: 1, closed: 1 });
  });
});

describe("engine status", () => {
  const one: RunStatus = {
    run_id: "12345678-0000-4000-8000-000000000001",
    universe: "sp500",
    timeframe: "1d",
    as_of: "2026-01-14T21:00:00.000Z",
    started_at: "2026-01-14T21:20:00.000Z",
    content: null,
    runAt: null,
    members: 789,
    rows: 64,
    failures: 0,
  };

  it("lists all runs, including unfinished ones", async () => {
    const { out } = await testCli({ engine: { status: async () => [one] } }).run("engine", "status");
    expect(out.split("\n").slice(1, 3)).toEqual([
      "run       universe  as_of                     finished      symbols  results  failures",
      "12345678  sp500     2026-01-14T21:00:00.000Z  not finished      789       64         0",
    ]);
  });

  it("prints that there are no runs", async () => {
    const { out } = await testCli({ engine: { status: async () => [] } }).run("engine", "status");
    expect(out).toBe("SAMPLE (simulated)\nNo runs yet.\n");
  });
});
