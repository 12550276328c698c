import { describe, expect, it } from "vitest";
import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import type { BarHistory } from "../../../src/domain/ports.ts";
import type { RunPorts } from "../../../src/features/nightly/run-ports.ts";
import { hashOf } from "../../../src/features/nightly/universe.ts";
import { pictureOf } from "../../../src/features/signal/picture.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { engineRuns } from "../../../src/store/nightly/engine-runs.ts";
import { unavailable } from "../../support/context.ts";
import { runHead, testEngine } from "../../support/engine.ts";
import { climbingBars, YESTERDAY } from "../../support/market.ts";

const signal = new AbortController().signal;
const all = { name: "all" } as const;
const DAY = 86_400_000;
const stock = climbingBars();

describe("a run", () => {
  it("computes the signal of each member as of the same close", async () => {
    const { engine, ports } = await testEngine();
    const { rows, failures, head } = await engine.run({ universe: all });
    expect(failures).toEqual([]);
    expect(head).toMatchObject({
      universe: "all",
      members: ["AAPL", "BTC-USD", "MSFT", "SPY"],
      as_of: "2026-01-15T00:00:00.000Z",
      model_version: MODEL_VERSION,
    });
    for (const row of rows) {
      const request = { symbol: row.symbol, timeframe: "1d", as_of: head.as_of, signal } as const;
      const { consensus, decidedAt, inputsHash } = await pictureOf(request, ports);
      expect(row).toMatchObject({
        as_of: decidedAt,
        inputs_hash: inputsHash,
        score: consensus.score,
        direction: consensus.direction,
        rr: consensus.levels.reward_to_risk,
        stop: consensus.levels.stop,
      });
    }
    // by hand: closes rise by an eighth to 137.375, zone and stop in units of an average true range of 1
    expect(rows[0]).toMatchObject({ symbol: "AAPL", close: 137.375, stage: 2, entry: 137.63 });
  });

  it("reads nothing that closed after its moment", async () => {
    const { engine, requests } = await testEngine({
      bars: { AAPL: climbingBars({ end: YESTERDAY + 5 * DAY }), SPY: stock },
    });
    const { rows, head } = await engine.run({ universe: { name: "sp500" } });
    expect(rows.map(({ symbol, as_of }) => [symbol, as_of])).toEqual([
      ["AAPL", "2026-01-14T21:00:00.000Z"],
      ["SPY", "2026-01-14T21:00:00.000Z"],
    ]);
    expect(new Set(requests.map(({ asOf }) => asOf))).toEqual(new Set([Date.parse(head.as_of)]));
  });

  it("stores its rank universe with a hash, once per kind", async () => {
    const { engine, repository } = await testEngine({
      bars: {
        AAPL: stock,
        SPY: stock,
        // traded last a day before the others: not ranked with them
        MSFT: sliceBars(stock, 0, 299),
        "BTC-USD": climbingBars({ zone: "UTC", count: 400 }),
      },
    });
    const { head, rows } = await engine.run({ universe: all });
    const ranks = await repository.ranks(head.run_id);
    expect(ranks.map(({ kind, time, returns }) => [kind, time, Object.keys(returns).sort()])).toEqual(
      [
        ["stocks", YESTERDAY, ["AAPL", "SPY"]],
        ["crypto", YESTERDAY, ["BTC-USD"]],
      ].sort(),
    );
    expect(ranks.every(({ hash }) => /^[0-9a-f]{16}$/.test(hash))).toBe(true);
    expect(rows.map(({ symbol }) => symbol)).toContain("MSFT");
  });

  it("ranks a series that ends earlier on its own last day", async () => {
    // ranks require twenty members
    const names = "SPY AAPL NVDA AMZN META GOOGL TSLA JPM XOM UNH JNJ PG HD KO PEP COST MRK CVX LLY".split(
      " ",
    );
    const others = names.map((name, i) => [name, climbingBars({ step: i / 64, first: 80 + i })]);
    const { engine, ports } = await testEngine({
      bars: { ...Object.fromEntries(others), MSFT: sliceBars(climbingBars({ step: 0.25 }), 0, 290) },
    });
    const { rows } = await engine.run({ universe: all });
    const late = rows.find(({ symbol }) => symbol === "MSFT");
    const request = { symbol: "MSFT", timeframe: "1d", signal } as const;
    const { consensus, inputsHash, decidedAt } = await pictureOf(request, ports);
    expect(consensus.drivers.find(({ id }) => id === "r_rank")?.value).not.toBeNull();
    expect(late).toMatchObject({ as_of: decidedAt, score: consensus.score, inputs_hash: inputsHash });
  });

  it("does not fail for failed symbols, and lists each", async () => {
    const { engine, ports } = await testEngine({
      bars: { AAPL: stock, MSFT: climbingBars({ count: 9 }), SPY: stock },
    });
    const { rows, failures } = await engine.run({
      universe: { name: "file:mine", symbols: ["aapl", "MSFT", "NOSUCH1", "TSLA"] },
    });
    expect(rows.map(({ symbol }) => symbol)).toEqual(["AAPL"]);
    expect(failures).toMatchObject([
      { symbol: "MSFT", code: "NOT_ENOUGH_DATA", message: expect.stringContaining("has 9 closed 1d bars") },
      { symbol: "NOSUCH1", code: "UNKNOWN_SYMBOL" },
      { symbol: "TSLA", code: "NOT_ENOUGH_DATA" },
    ]);
    expect(ports.symbols.find("NOSUCH1")).toBeNull();
  });

  it("retries once after a transient failure", async () => {
    let calls = 0;
    const { ports } = await testEngine();
    const bars: BarHistory = {
      async history(instrument, request) {
        if (instrument.symbol === "AAPL" && ++calls === 1) throw new ToolError("UPSTREAM_UNAVAILABLE", "No");
        return ports.bars.history(instrument, request);
      },
    };
    const { engine } = await testEngine({}, { bars });
    expect((await engine.run({ universe: all })).failures).toEqual([]);
    expect(calls).toBe(2);
  });

  it("does not replace an older run without results", async () => {
    const { engine, ports } = await testEngine();
    await engine.run({ universe: all });
    const before = await engine.status(9);
    const bars = { history: unavailable("Nobody answers") };
    const { engine: offline, repository } = await testEngine({}, { bars });
    await expect(offline.run({ universe: all })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: expect.stringContaining("4 of the 4 symbols of all could not be read"),
    });
    expect(await repository.status(9)).toMatchObject([{ runAt: null, rows: 0 }]);
    expect(before).toMatchObject([{ rows: 4 }]);
    expect(ports.market.mode).toBe("sample");
  });

  it("reads benchmarks first, then members, each once", async () => {
    const { engine, requests } = await testEngine();
    await engine.run({ universe: { name: "file:mine", symbols: ["AAPL", "MSFT"] } });
    expect(requests.map(({ symbol }) => symbol)).toEqual(["SPY", "AAPL", "MSFT"]);
  });

  describe("with failing providers", () => {
    /** An engine for which these series cannot be read; reads are counted. */
    async function failing(lost: readonly string[], code: "UPSTREAM_UNAVAILABLE" | "NOT_ENOUGH_DATA") {
      const { ports } = await testEngine();
      const reads = new Map<string, number>();
      const out = new Set(lost);
      const bars: BarHistory = {
        async history(instrument, request) {
          const { symbol } = instrument;
          reads.set(symbol, (reads.get(symbol) ?? 0) + 1);
          if (out.has(symbol)) throw new ToolError(code, "No");
          return ports.bars.history(instrument, request);
        },
      };
      return { ...(await testEngine({}, { bars })), reads, out };
    }

    it("is not finished when more than half of its members fail, and can be resumed", async () => {
      const most = ["AAPL", "MSFT", "BTC-USD"];
      const { engine, repository, out, reads } = await failing(most, "UPSTREAM_UNAVAILABLE");
      await expect(engine.run({ universe: all })).rejects.toMatchObject({
        code: "UPSTREAM_UNAVAILABLE",
        message: "3 of the 4 symbols of all could not be read: the run is not finished",
      });
      const [left] = await repository.status(9);
      expect(left).toMatchObject({ runAt: null, rows: 0 });
      expect(reads.get("AAPL"), "requests once more, and then no more").toBe(2);
      expect(await repository.ranks(left!.run_id), "none over the remnant").toEqual([]);
      out.clear();
      const { rows, resumed } = await engine.run({ universe: all, resume: true });
      expect([resumed, rows.length]).toEqual([true, 4]);
      const ranks = await repository.ranks(left!.run_id);
      const ranked = ranks.flatMap(({ returns }) => Object.keys(returns));
      expect(ranked.sort()).toEqual(["AAPL", "BTC-USD", "MSFT", "SPY"]);
    });

    it("is finished when half of them fail, or more lack bars", async () => {
      const half = await failing(["AAPL", "MSFT"], "UPSTREAM_UNAVAILABLE");
      expect((await half.engine.run({ universe: all })).failures).toHaveLength(2);
      const short = await failing(["AAPL", "MSFT", "BTC-USD"], "NOT_ENOUGH_DATA");
      expect((await short.engine.run({ universe: all })).failures).toHaveLength(3);
    });

    it("counts all members whose benchmark cannot be read", async () => {
      const { engine } = await failing(["SPY"], "UPSTREAM_UNAVAILABLE");
      await expect(engine.run({ universe: { name: "sp500" } })).rejects.toMatchObject({
        message: "3 of the 3 symbols of sp500 could not be read: the run is not finished",
      });
    });
  });

  it("is refused over a universe without members", async () => {
    const { engine } = await testEngine({ bars: { AAPL: stock } });
    await expect(engine.run({ universe: { name: "crypto" } })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    expect(await engine.status(9)).toEqual([]);
  });

  it("has the index of its moment, and none without stocks", async () => {
    const reading = { value: 61, band: "greed", parts: [], as_of: "2026-01-14T21:00:00.000Z" } as const;
    const seen: (number | undefined)[] = [];
    const index: RunPorts["index"] = async ({ bars, symbols, head }) => {
      const spy = await bars.history(symbols.resolve("SPY").instrument, { timeframe: "1d", limit: 1 });
      seen.push(Date.parse(spy.as_of!), Date.parse(head.as_of));
      return { ...reading, parts: [] };
    };
    const { engine, db, ports } = await testEngine({}, { index });
    const runs = engineRuns({ db, market: ports.market.id, clock: ports.clock });
    await engine.run({ universe: all });
    expect((await runs.newest("1d", "stocks"))?.index).toEqual(reading);
    expect(seen[0]).toBeLessThanOrEqual(seen[1]!);
    await engine.run({ universe: { name: "crypto" } });
    expect((await runs.newest("1d", "crypto"))?.index).toBeNull();
  });
});

describe("an interrupted run", () => {
  const stopped = async () => {
    const interrupt = new AbortController();
    const world = await testEngine();
    const { repository } = world;
    const write: typeof repository.write = async (id, rows) => {
      const isWritten = await repository.write(id, rows.slice(0, 2));
      interrupt.abort();
      return isWritten;
    };
    const ids = { uuid: () => "stopped" };
    const { engine } = await testEngine({}, { repository: { ...repository, write }, ids });
    await engine.run({ universe: all, signal: interrupt.signal }).catch(() => undefined);
    return world;
  };

  it("resumes as of its original moment with the same result", async () => {
    const { engine, repository, requests } = await stopped();
    const [before] = await repository.status(1);
    expect(before).toMatchObject({ rows: 2, runAt: null });
    requests.length = 0;
    const { rows, resumed, head } = await engine.run({ universe: all, resume: true });
    expect([resumed, head.run_id]).toEqual([true, before!.run_id]);
    expect(rows.map(({ symbol }) => symbol)).toEqual(["AAPL", "BTC-USD", "MSFT", "SPY"]);
    const { rows: whole } = await (await testEngine()).engine.run({ universe: all });
    expect(rows).toEqual(whole);
    expect(requests.every(({ asOf }) => asOf === Date.parse(before!.as_of))).toBe(true);
  });

  it("is not resumed as of an older close", async () => {
    const { engine, repository } = await testEngine();
    const like = {
      model_version: MODEL_VERSION,
      universe_hash: hashOf(["AAPL", "BTC-USD", "MSFT", "SPY"]),
    };
    await repository.begin(runHead({ ...like, run_id: "old", as_of: "2025-10-02T00:00:00.000Z" }));
    expect(await repository.unfinished(runHead(like))).toMatchObject({ run_id: "old" });
    const { resumed, head } = await engine.run({ universe: all, resume: true });
    expect({ resumed, id: head.run_id === "old" }).toEqual({ resumed: false, id: false });
    expect(Date.parse(head.as_of)).toBeGreaterThan(Date.parse("2025-10-02"));
  });

  it("is listed with its universe, unless it is of an older close or another model", async () => {
    const { engine, repository } = await testEngine();
    expect(await engine.stopped()).toBeNull();
    const begin = (run_id: string, over: Partial<Parameters<typeof runHead>[0]> = {}) =>
      repository.begin(runHead({ run_id, model_version: MODEL_VERSION, ...over }));
    await begin("older", { as_of: "2026-01-14T00:00:00.000Z" });
    await begin("other", { universe: "crypto", members: ["BTC-USD"], model_version: "older" });
    expect(await engine.stopped()).toBeNull();
    const list = { universe: "file:mine.txt", members: ["AAPL"] };
    await begin("list", { ...list, started_at: "2026-01-15T14:00:00.000Z" });
    expect(await engine.stopped()).toEqual({ name: "file:mine.txt", symbols: ["AAPL"] });
    await begin("named", { universe: "sp500", members: ["AAPL"], started_at: "2026-01-15T14:30:00.000Z" });
    expect(await engine.stopped()).toEqual({ name: "sp500" });
    for (const run of ["named", "list"])
      await repository.finish(run, { runAt: "2026-01-15T14:31:00.000Z", failures: [], index: null });
    expect(await engine.stopped()).toBeNull();
  });

  it("is not resumed by a new run, nor for another model or universe", async () => {
    const { engine, repository } = await stopped();
    expect((await engine.run({ universe: all })).resumed).toBe(false);
    expect((await engine.run({ universe: { name: "sp500" }, resume: true })).resumed).toBe(false);
    const like = { universe: "crypto", universe_hash: hashOf(["BTC-USD"]) };
    await repository.begin(runHead({ ...like, run_id: "old", model_version: "older" }));
    expect((await engine.run({ universe: { name: "crypto" }, resume: true })).resumed).toBe(false);
  });

  it("is not resumed over other data of the same market", async () => {
    const files = { mode: "files", id: "folder", content: "after" } as const;
    const { engine, repository } = await testEngine({}, { market: files });
    const { head } = await engine.run({ universe: all });
    expect(head.content).toBe("after");
    const { as_of, model_version, universe_hash } = head;
    const same = { as_of, model_version, universe_hash } as const;
    await repository.begin(runHead({ ...same, run_id: "other", content: "before" }));
    expect((await engine.run({ universe: all, resume: true })).resumed).toBe(false);
    await repository.begin(
      runHead({ ...same, run_id: "ours", content: "after", started_at: "2026-01-15T15:00:01.000Z" }),
    );
    expect(await engine.run({ universe: all, resume: true })).toMatchObject({
      resumed: true,
      head: { run_id: "ours" },
    });
  });

  it("is not resumed over another list of the same name", async () => {
    const { engine, repository } = await testEngine();
    const list = (...symbols: string[]) => ({ name: "file:mine.txt", symbols }) as const;
    const interrupt = new AbortController();
    const progress = () => interrupt.abort();
    const begun = { universe: list("AAPL", "MSFT"), signal: interrupt.signal, progress };
    await expect(engine.run(begun)).rejects.toMatchObject({ code: "CANCELLED" });
    const other = await engine.run({ universe: list("AAPL", "SPY"), resume: true });
    expect([other.resumed, other.head.members]).toEqual([false, ["AAPL", "SPY"]]);
    const same = await engine.run({ universe: list("MSFT", "AAPL"), resume: true });
    expect([same.resumed, same.head.members]).toEqual([true, ["AAPL", "MSFT"]]);
    expect((await repository.status(9)).filter(({ runAt }) => runAt === null)).toEqual([]);
  });

  it("rejects with a hint how to resume", async () => {
    const interrupt = new AbortController();
    const { engine } = await testEngine();
    const progress = () => interrupt.abort();
    const running = engine.run({ universe: all, signal: interrupt.signal, progress });
    await expect(running).rejects.toMatchObject({
      code: "CANCELLED",
      hint: "The owner of the server can resume the run.",
      command: "market-signal engine run --universe all --resume",
    });
  });
});

it("progress counts up to the end", async () => {
  const { engine } = await testEngine();
  const seen: number[] = [];
  await engine.run({
    universe: all,
    progress: ({ done, total }) => {
      expect(total).toBe(8);
      seen.push(done);
    },
  });
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(8);
});
