import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  noCompany,
  noCongress,
  noContracts,
  noEarnings,
  noMarketEvents,
  noNews,
  noOffExchange,
  noOptions,
  noPrints,
  noShortInterest,
} from "../../../src/app/providers/not-connected.ts";
import type { Timeframe } from "../../../src/domain/market/bars.ts";
import type { Clock } from "../../../src/domain/ports.ts";
import { type Picture, pictureOf } from "../../../src/features/signal/picture.ts";
import { pricedPictureOf } from "../../../src/features/signal/price.ts";
import { createCache } from "../../../src/market/cache.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { sampleMarket } from "../../../src/providers/sample/market.ts";
import { inlineCompute, stoppedClock } from "../../support/context.ts";
import { noContractBook } from "../../support/contracts.ts";
import { noRuns } from "../../support/engine-runs.ts";
import { climbingBars, type FakeMarket, marketOf } from "../../support/market.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { describeWithData } from "../../support/test-data.ts";

const signal = new AbortController().signal;

/** Everything in a signal except the price. */
const saidBy = ({ consensus, decidedAt, inputsHash, input, series }: Picture) => ({
  consensus,
  decidedAt,
  inputsHash,
  ranked: input.universe,
  peers: input.peers.length,
  bars: series.bars.time.length,
});

describe("the inputs hash of a picture", () => {
  const hashOf = async (bars: FakeMarket["bars"], symbol = "AAPL") =>
    (await pictureOf({ symbol, timeframe: "1d", signal }, marketOf({ bars }).ports)).inputsHash;
  const bars = climbingBars();

  it("is the same for the same numbers, regardless of other series in the market", async () => {
    const hash = await hashOf({ AAPL: bars, SPY: bars });
    expect(await hashOf({ AAPL: climbingBars(), SPY: bars })).toBe(hash);
    expect(await hashOf({ AAPL: climbingBars(), SPY: bars, "BTC-USD": bars })).toBe(hash);
  });

  it("changes with every number read and with its role", async () => {
    const moved = { ...bars, volume: bars.volume.map((volume, i) => (i === 7 ? volume + 1 : volume)) };
    const hashes = [
      await hashOf({ AAPL: bars, SPY: bars }),
      await hashOf({ AAPL: moved, SPY: bars }),
      await hashOf({ AAPL: bars, SPY: moved }),
      await hashOf({ AAPL: bars }),
      await hashOf({ AAPL: bars, MSFT: climbingBars({ count: 80 }) }),
      await hashOf({ "BTC-USD": bars }, "BTC-USD"),
      await hashOf({ "ETH-USD": bars }, "ETH-USD"),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

/** A repository without days of options. */
const noFlowDays = { days: async () => [], save: async () => {} };

/** Ports for a picture of a market, at the time of `clock`. */
const standingOn = (market: Omit<ReturnType<typeof sampleMarket>, "market">, id: string, clock: Clock) => ({
  ...market,
  market: { mode: "sample", id } as const,
  symbols: createDirectory({ members: market.members }),
  cache: createCache(clock),
  prints: noPrints,
  engineRuns: noRuns,
  contractHistory: noContractBook,
  compute: inlineCompute(),
  clock,
});

describe("the sample market at a past moment", () => {
  const LATER = new Date("2026-01-15T15:00:00.000Z");
  const at = (clock: Clock) => {
    const { market, ...rest } = sampleMarket({ clock });
    return standingOn(rest, market.id, clock);
  };
  const cases: readonly [symbol: string, timeframe: Timeframe, moment: string][] = [
    ["NVDA", "1d", "2025-11-03T14:31:00.000Z"],
    ["SPY", "1d", "2024-02-29T00:00:00.000Z"],
    ["BTC-USD", "4h", "2025-12-31T23:59:59.999Z"],
    ["ETH-USD", "1h", "2025-07-04T12:00:00.000Z"],
  ];

  it.each(cases)("returns for %s (%s) at %s the signal of that moment", async (symbol, timeframe, moment) => {
    const then = await pricedPictureOf({ symbol, timeframe, signal }, at(stoppedClock(new Date(moment))));
    const back = await pricedPictureOf({ symbol, timeframe, signal, as_of: moment }, at(stoppedClock(LATER)));
    expect(saidBy(back)).toEqual(saidBy(then));
    expect(Date.parse(back.decidedAt)).toBeLessThanOrEqual(Date.parse(moment));
    expect(back.input.universe?.returns.length).toBeGreaterThanOrEqual(10);
    expect(then.price.source).toBe("live_quote");
    expect(back.price).toMatchObject({ source: "historical_close", as_of: back.decidedAt });
  });
});

describeWithData("real bars looked back on", ["ohlcv", "us_daily"], (folder) => {
  const SYMBOLS =
    "AAPL MSFT NVDA ORCL CRM AVGO AMD SPY QQQ JPM BAC XOM CVX JNJ KO PEP WMT HD MCD DIS NKE BA".split(" ");
  const LATER = stoppedClock(new Date("2026-01-15T15:00:00.000Z"));

  /** Returns a copy of the folder with rows up to and including a day. Default: all rows. */
  function copied(until?: string): string {
    const dir = join(tempDir(), "bars");
    mkdirSync(dir);
    for (const symbol of SYMBOLS) {
      const [from, to] = [join(folder, `${symbol}.csv`), join(dir, `${symbol}.csv`)];
      if (until === undefined) copyFileSync(from, to);
      else {
        const [header, ...rows] = readFileSync(from, "utf8").trim().split("\n");
        writeFileSync(to, [header, ...rows.filter((row) => row.slice(0, 10) <= until), ""].join("\n"));
      }
    }
    return dir;
  }
  const opened = async (dir: string) => {
    const { marketId, contentId: _, ...market } = await openFiles({ dir, clock: LATER });
    const nothing = {
      prints: noPrints,
      offExchange: noOffExchange,
      shortInterest: noShortInterest,
      marketEvents: noMarketEvents,
      news: noNews,
      contracts: noContracts,
    };
    const others = {
      company: noCompany,
      congress: noCongress,
      earnings: noEarnings,
      ...noOptions,
      flowDays: noFlowDays,
    };
    return standingOn({ ...market, ...nothing, ...others }, marketId, LATER);
  };

  it.each(["2022-03-15", "2023-10-27", "2024-08-05"])(
    "give the same signal on %s as files that end there, with benchmark, peers and ranks",
    async (day) => {
      const whole = await opened(copied());
      const truncated = await opened(copied(day));
      for (const symbol of ["AAPL", "NVDA", "SPY", "JPM", "XOM", "KO"]) {
        const asked = { symbol, timeframe: "1d", signal } as const;
        const back = await pictureOf({ ...asked, as_of: day }, whole);
        const then = await pictureOf(asked, truncated);
        expect(saidBy(back), symbol).toEqual(saidBy(then));
        expect(back.decidedAt.slice(0, 10)).toBe(day);
        expect(back.input.universe?.returns.length, "ranked among all").toBe(SYMBOLS.length);
        expect(back.input.benchmark === null).toBe(symbol === "SPY");
        expect(back.consensus.score).not.toBeNull();
        const today = await pictureOf(asked, whole);
        expect(today.inputsHash, "the test would notice").not.toBe(back.inputsHash);
      }
    },
  );
});
