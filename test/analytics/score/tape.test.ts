import { describe, expect, it } from "vitest";
import { DRIVERS } from "../../../src/analytics/drivers/table.ts";
import { type ConsensusInput, consensus } from "../../../src/analytics/score/consensus.ts";
import { ranksThrough } from "../../../src/analytics/score/ranks-through.ts";
import { signalTape, TAPE_BARS, type TapeInput, tapeWriter } from "../../../src/analytics/score/tape.ts";
import { gradeRank, type SignalTape } from "../../../src/analytics/score/tape-columns.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { CONSENSUS_BARS } from "../../../src/features/signal/gather.ts";
import { readDailyFolder } from "../../support/daily-bars.ts";
import { atScale } from "../../support/draws.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

const IDS = DRIVERS.map(({ id }) => id);
const PEER_BARS = 80;

/** The last bars up to a time, as the live signal receives them. */
function known(bars: Bars, time: number, count: number): Bars {
  const end = bars.time.findLastIndex((start) => start <= time) + 1;
  return sliceBars(bars, Math.max(0, end - count), end);
}

/** Inputs of the live signal at one bar. */
function inputAt({ universeAt, factsAt, ...input }: TapeInput, at: number): ConsensusInput {
  const time = input.bars.time[at]!;
  return {
    ...input,
    bars: known(input.bars, time, CONSENSUS_BARS),
    benchmark: input.benchmark && known(input.benchmark, time, CONSENSUS_BARS),
    peers: input.peers.map((peer) => known(peer, time, PEER_BARS)),
    universe: universeAt(time),
    ...(factsAt !== undefined && { facts: factsAt(time) }),
  };
}

/** One bar of a tape, as text; NaN for unknown, and -0 differs from 0. */
const readAt = ({ score, grade, direction, drivers }: SignalTape, at: number) => ({
  score: score[at],
  grade: grade[at],
  direction: direction[at],
  drivers: IDS.map((id) => drivers?.[id]?.[at]),
});

function expectedAt(input: TapeInput, at: number) {
  const { score, grade, direction, drivers } = consensus(inputAt(input, at));
  return {
    score: score ?? Number.NaN,
    grade: gradeRank(grade),
    direction: { LONG: 1, WAIT: 0, SHORT: -1 }[direction],
    drivers: drivers.map(({ value }) => value ?? Number.NaN),
  };
}

/** Every bar; at quick scale, bars near the lengths at which something changes and every seventh of the others. */
const sampledBars = ({ time }: Bars): readonly number[] =>
  [...time.keys()].filter(
    (bar) => bar % atScale(7, 1) === 0 || [251, CONSENSUS_BARS].some((edge) => Math.abs(bar - edge) < 4),
  );

const madeUp = (seed: number, count: number, more: Partial<TapeInput> = {}): TapeInput => ({
  bars: syntheticBars(seed, count),
  assetClass: "equity",
  benchmark: syntheticBars(101, count),
  isBenchmark: false,
  peers: [102, 103, 104].map((peer) => syntheticBars(peer, count)),
  universeAt: (time) => ({ returns: Array.from({ length: 25 }, (_, i) => i), own: time % 25, hash: "" }),
  ...more,
});

describe("signalTape", () => {
  it("uses as many bars as the live signal", () => {
    expect(TAPE_BARS).toBe(CONSENSUS_BARS);
  });

  it.each([
    ["a stock", madeUp(1, 640)],
    ...atScale<readonly [string, TapeInput][]>([], [["another stock", madeUp(2, 640)]]),
    ["a fund without company", madeUp(3, 560, { assetClass: "etf", benchmark: null, peers: [] })],
    ["a benchmark", madeUp(4, 560, { benchmark: null, isBenchmark: true, universeAt: () => null })],
    [
      "a coin",
      madeUp(5, 800, {
        assetClass: "crypto",
        bars: syntheticBars(5, 800, "UTC"),
        benchmark: syntheticBars(6, 800, "UTC"),
      }),
    ],
    [
      "a stock with news",
      madeUp(7, 320, { factsAt: (time) => ({ n_sent: { value: Math.sin(time), time, inputs: {} } }) }),
    ],
    ["a market that never moves", madeUp(8, 540, { bars: barsAround(new Array(540).fill(12.34)) })],
  ])("says at every bar what the consensus said there: %s", (_, input) => {
    const tape = signalTape(input, { drivers: IDS });
    for (const at of sampledBars(input.bars))
      expect(readAt(tape, at), `bar ${at}`).toEqual(expectedAt(input, at));
  });

  it("handles a benchmark and peers with gaps", () => {
    const holed = (bars: Bars): Bars => {
      const keep = (_: number, i: number) => i % 40 !== 39;
      const { time, open, high, low, close, volume } = bars;
      const [t, o, h, l, c, v] = [time, open, high, low, close, volume].map((x) => x.filter(keep));
      return { ...bars, time: t!, open: o!, high: h!, low: l!, close: c!, volume: v! };
    };
    const whole = madeUp(9, 640);
    const input = { ...whole, benchmark: holed(whole.benchmark!), peers: whole.peers.map(holed) };
    const tape = signalTape(input, { drivers: IDS });
    for (let at = 400; at < 640; at += atScale(5, 1))
      expect(readAt(tape, at), `bar ${at}`).toEqual(expectedAt(input, at));
  });

  it("has no score before the 252nd bar, and reports its first bar", () => {
    const { first, score, grade, direction, drivers } = signalTape(madeUp(1, 300));
    expect(first).toBe(251);
    expect([score[250], grade[250], direction[250]]).toEqual([Number.NaN, 0, 0]);
    expect([score[251]! > 0, grade[251]! > 0, drivers]).toEqual([true, true, undefined]);
    expect(signalTape(madeUp(1, 100)).first).toBe(100);
    expect(signalTape(madeUp(1, 0)).score).toHaveLength(0);
  });

  it("leaves bars before the first requested one blank and the others unchanged", () => {
    const input = madeUp(1, 640);
    const whole = signalTape(input, { drivers: ["m_rsi"] });
    const late = signalTape(input, { drivers: ["m_rsi"], from: 600 });
    expect([late.first, late.score[599], late.drivers!.m_rsi![599]]).toEqual([600, Number.NaN, Number.NaN]);
    expect(late.score.slice(600)).toEqual(whole.score.slice(600));
    expect(late.drivers!.m_rsi!.slice(600)).toEqual(whole.drivers!.m_rsi!.slice(600));
    expect(Object.keys(whole.drivers!)).toEqual(["m_rsi"]);
  });

  it("is the same if written in steps", () => {
    const input = madeUp(2, 300);
    const writer = tapeWriter(input);
    let calls = 1;
    while (!writer.step(10)) calls++;
    expect(calls).toBe(5); // 49 bars with a score
    expect(writer.step(10)).toBe(true);
    expect(writer.tape).toEqual(signalTape(input));
  });

  it("does not change earlier bars when more bars arrive", () => {
    const input = madeUp(3, 640);
    const whole = signalTape(input, { drivers: IDS });
    const before = signalTape({ ...input, bars: sliceBars(input.bars, 0, 560) }, { drivers: IDS });
    for (let at = 0; at < 560; at += atScale(3, 1)) expect(readAt(before, at)).toEqual(readAt(whole, at));
  });
});

describeWithData("signalTape on real daily bars", ["ohlcv", "us_daily"], (folder) => {
  const markets = readDailyFolder(folder);
  const ranks = ranksThrough([...markets], 252);

  it("matches the consensus in every market", () => {
    const benchmark = markets.get("SPY")!;
    for (const [place, [symbol, bars]] of [...markets].entries()) {
      const input: TapeInput = {
        bars,
        assetClass: "equity",
        benchmark: symbol === "SPY" ? null : benchmark,
        isBenchmark: symbol === "SPY",
        peers: [...markets]
          .filter(([other]) => other !== symbol)
          .slice(place % 50, (place % 50) + 4)
          .map(([, peer]) => peer),
        universeAt: ranks(symbol),
      };
      const from = 240 + 15 * place;
      const end = from + 24;
      const tape = signalTape({ ...input, bars: sliceBars(bars, 0, end) }, { drivers: IDS, from });
      for (let at = from; at < end; at += atScale(7, 1))
        expect(readAt(tape, at), `${symbol} ${at}`).toEqual(expectedAt(input, at));
    }
  });
});
