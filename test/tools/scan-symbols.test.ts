import { describe, expect, it } from "vitest";
import type { Ports } from "../../src/domain/ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { scanSymbols } from "../../tools/scan-symbols.ts";
import { pro, unavailable } from "../support/context.ts";
import { climbingBars, smallMarket, watchlistsOf, withOmittedRow } from "../support/market.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = smallMarket();
const ask = callerOf(scanSymbols, ports);

describe("scan_symbols", () => {
  it("ranks by score, strongest first, each row with the signal of get_signal", async () => {
    const { results, count, scanned, errors, notes } = await ask({ symbols: ["MSFT", "AAPL", "BTC-USD"] });
    expect([count, scanned, errors, notes]).toEqual([3, 3, [], []]);
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(results.at(-1)!.symbol).toBe("MSFT");
    for (const row of results) {
      const { data } = await invoke(
        getSignal,
        { symbol: row.symbol },
        { ports, principal: pro, transport: "test" },
      );
      const { signal } = data;
      expect(row).toMatchObject({
        bias: signal.direction,
        ...(signal.direction !== "WAIT" && { side: signal.direction }),
        tier: signal.tier,
        score: signal.score,
        grade: signal.grade,
        stop: signal.stop_loss,
        target: signal.targets[0],
        rr: signal.reward_to_risk,
        phase: data.wyckoff.phase,
        as_of: data.bars.as_of,
      });
    }
  });

  it("notes the rows left out of the bars of each result", async () => {
    const { notes } = await callerOf(scanSymbols, withOmittedRow(ports))({ symbols: ["AAPL"] });
    expect(notes).toEqual(["AAPL: 1 row of bars was left out: 1 without a valid price (2026-01-12)."]);
  });

  it("filters by tier and score, and counts the scanned symbols", async () => {
    const all = await ask({ symbols: ["MSFT", "AAPL"] });
    const [best] = all.results;
    expect(await ask({ symbols: ["MSFT", "AAPL"], min_score: best!.score })).toMatchObject({
      results: [{ symbol: "AAPL" }],
      count: 1,
      scanned: 2,
    });
    const graded = (grade: string) => ask({ symbols: ["MSFT", "AAPL"], grade });
    expect((await graded(best!.grade!)).results).toEqual([best]);
    expect((await graded(`>=${best!.grade}`)).results).toEqual([best]);
    expect((await graded(">=f")).results).toEqual(all.results);
    expect((await graded("c")).count).toBe(0);
    const hot = await ask({ symbols: ["MSFT", "AAPL"], tier: "HOT" });
    expect(hot.results).toEqual(all.results.filter(({ tier }) => tier === "HOT"));
  });

  it("lists failed symbols with the others", async () => {
    const short = smallMarket();
    const few = { ...short.ports.bars };
    few.history = async (instrument, request) =>
      instrument.symbol === "MSFT"
        ? { ...(await short.ports.bars.history(instrument, { ...request, limit: 100 })) }
        : short.ports.bars.history(instrument, request);
    const { results, errors, scanned } = await ask({ symbols: ["AAPL", "ZZZZQ", "MSFT"] }, { bars: few });
    expect(results.map(({ symbol }) => symbol)).toEqual(["AAPL"]);
    expect(scanned).toBe(3);
    expect(errors).toMatchObject([
      { symbol: "ZZZZQ", code: "UNKNOWN_SYMBOL", available: null, required: null },
      { symbol: "MSFT", code: "NOT_ENOUGH_DATA", available: 100, required: 252 },
    ]);
    expect(errors[1]!.message).toContain("252");
  });

  it("returns only errors when no symbol has a score", async () => {
    expect(await ask({ symbols: ["ZZZZQ", "QZZZZ"] })).toMatchObject({
      results: [],
      count: 0,
      errors: [{ symbol: "ZZZZQ" }, { symbol: "QZZZZ" }],
    });
  });

  it("scans each instrument once, however often it is named", async () => {
    expect(await ask({ symbols: ["AAPL", "aapl", "BTC-USD", "btc/usd", "ZZZZQ", "zzzzq"] })).toMatchObject({
      count: 2,
      scanned: 3,
      notes: [
        "aapl is a duplicate of an earlier symbol",
        "btc/usd is a duplicate of an earlier symbol",
        "zzzzq is a duplicate of an earlier symbol",
      ],
    });
  });

  it("fails when no provider responds, instead of returning an empty list", async () => {
    const silent = unavailable("No source answers");
    const asked = ask({ symbols: ["AAPL", "MSFT"] }, { bars: { history: silent } });
    await expect(asked).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("has no score when prices do not move", async () => {
    const flat = { ...ports.bars };
    const series = climbingBars({ step: 0 });
    flat.history = async (instrument, request) => ({
      ...(await ports.bars.history(instrument, request)),
      bars: { ...series, high: series.close, low: series.close, open: series.close },
    });
    const { results, errors } = await ask({ symbols: ["AAPL"] }, { bars: flat });
    expect([results, errors]).toMatchObject([[], [{ code: "NOT_ENOUGH_DATA" }]]);
  });

  it("ranks a watchlist, alone and together with symbols, each symbol once", async () => {
    const watchlists = watchlistsOf({ tech: ["MSFT", "AAPL"] });
    const symbolsOf = async (input: object) =>
      (await ask(input, { watchlists })).results.map(({ symbol }) => symbol).sort();
    expect(await symbolsOf({ watchlist: "tech" })).toEqual(["AAPL", "MSFT"]);
    expect(await symbolsOf({ symbols: ["AAPL", "SPY"], watchlist: "tech" })).toEqual(["AAPL", "MSFT", "SPY"]);
    expect(await symbolsOf({ symbols: ["AAPL"] })).toEqual(["AAPL"]);
  });

  it("reads the first 20 symbols of a long watchlist, and names the others", async () => {
    const long = Array.from({ length: 22 }, (_, i) => `A${i}`);
    const { scanned, notes } = await ask({ watchlist: "long" }, { watchlists: watchlistsOf({ long }) });
    expect(scanned).toBe(20);
    expect(notes[0]).toBe("Only the first 20 symbols were read. Not read: A20, A21. Pass them as symbols.");
  });

  it("names the watchlists that exist if a watchlist does not", async () => {
    const watchlists = watchlistsOf({ tech: ["MSFT"] });
    await expect(ask({ watchlist: "mine" }, { watchlists })).rejects.toMatchObject({
      code: "NOT_FOUND",
      hint: "Watchlists of this account: tech; save_watchlist creates one.",
    });
    await expect(ask({ watchlist: "mine" })).rejects.toMatchObject({
      hint: "This account has none; save_watchlist creates one.",
    });
  });

  it("never answers the watchlist of one account with that of another", async () => {
    const stored = new Map<string, Promise<object>>();
    const answers: Ports["answers"] = {
      async remember<T extends object>(key: string, compute: () => Promise<T>) {
        const answer = (stored.get(key) as Promise<T> | undefined) ?? compute();
        stored.set(key, answer);
        return answer;
      },
    };
    const first = await ask({ watchlist: "mine" }, { answers, watchlists: watchlistsOf({ mine: ["AAPL"] }) });
    const second = await ask(
      { watchlist: "mine" },
      { answers, watchlists: watchlistsOf({ mine: ["MSFT"] }) },
    );
    expect([first, second].map(({ results }) => results[0]!.symbol)).toEqual(["AAPL", "MSFT"]);
  });

  it.each([
    [{ symbols: [] }, "/symbols"],
    [{ symbols: Array.from({ length: 21 }, (_, i) => `A${i}`) }, "/symbols"],
    [{ symbols: {} }, "/symbols/0"],
    [{}, "/symbols"],
    [{ symbols: ["AAPL"], tier: "WARM" }, "/tier/0"],
    [{ symbols: ["AAPL"], min_score: 101 }, "/min_score"],
    [{ symbols: ["AAPL"], timeframe: "2h" }, "/timeframe"],
  ])("rejects %j", async (input, pointer) => {
    await expect(ask(input)).rejects.toMatchObject(invalidField(pointer));
  });

  it("prints a table, and what could not be scanned", async () => {
    const answer = await ask({ symbols: ["AAPL", "ZZZZQ"] });
    const lines = scanSymbols.terminal!(answer, (_, text) => text).split("\n");
    expect(lines[0]).toMatch(
      /^symbol +tier +bias +score +grade +change +entry +stop +target +rr +odds +exp\. R +structure$/,
    );
    expect(lines[1]).toMatch(
      /^AAPL +HOT +LONG +\d+\.\d +A\+ +[+-]\d\.\d\d% +137\.63 +135\.87 +141\.63 +2\.27 +<1\/<1\/>99 +[+-]\d\.\d\d\/[+-]\d\.\d\d +Undetermined$/,
    );
    expect(lines[2]).toBe("odds in 100 cases: stop first / target 1 first / neither within 20 bars");
    expect(lines[4]).toMatch(/^ZZZZQ {2}UNKNOWN_SYMBOL {2}/);
    expect(lines.at(-1)).toBe("1 of 2 scanned; levels are from closed bars to 2026-01-14T21:00:00.000Z");
  });

  it("notes symbols ranked on old bars, and prints the range of the closes", async () => {
    const bars: Ports["bars"] = {
      history: (instrument, request) =>
        ports.bars.history(
          instrument,
          instrument.symbol === "MSFT" ? { ...request, asOf: Date.parse("2026-01-07") } : request,
        ),
    };
    const answer = await ask({ symbols: ["AAPL", "MSFT"] }, { bars });
    expect(answer.notes).toEqual(["Stale: more than 3 later 1d bars are missing: MSFT (closed 2026-01-06)"]);
    const lines = scanSymbols.terminal!(answer, (_, text) => text).split("\n");
    expect(lines.at(-1)).toBe(
      "2 of 2 scanned; levels are from closed bars that end from 2026-01-06T21:00:00.000Z to 2026-01-14T21:00:00.000Z",
    );
  });

  it("strips control characters of requested names on a terminal", async () => {
    const answer = await ask({ symbols: ["AAPL", "\u001b[31mZZ\u202eZZQ"] });
    const shown = scanSymbols.terminal!(answer, (_, text) => text);
    expect(shown).not.toMatch(/\p{Cf}/u);
    expect(shown).not.toContain("\u001b");
    expect(shown).toContain("ZZ ZZQ");
  });
});

toolContract(scanSymbols, { ports });
