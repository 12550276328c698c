import { describe, expect, it } from "vitest";
import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { HOLDING } from "../../../src/providers/sample/apply-plan.ts";
import { GROWTH } from "../../../src/providers/sample/daily.ts";
import { keyOf } from "../../../src/providers/sample/draws.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { sampleMarketId } from "../../../src/providers/sample/market.ts";
import { recordingsOf } from "../../../src/providers/sample/recordings.ts";
import { replayedRecord } from "../../../src/providers/sample/replayed-record.ts";
import { AUTOCORRELATION, GAP_SHARE, shocks, VOL_OF_VOL } from "../../../src/providers/sample/shocks.ts";
import { documentText } from "../../docs/documents.ts";
import { between, correlation, mean } from "./fixture.ts";
import { type ListingFigures, measureMarket, OTHER_SEEDS } from "./measures.ts";
import { COMPUTED_AT, readFactsOverBase } from "./replayed-signals.ts";
import {
  CLASSES,
  classMean,
  KIND_SHARES,
  LAWS,
  MAX_OVER_BASE,
  MAX_SKILL,
  sampleMarketPage,
  skillOf,
  totalsOf,
  varianceOf,
} from "./sample-market-page.ts";

const own = measureMarket();
const others = OTHER_SEEDS.map((seed) => measureMarket(seed));
const markets = [own, ...others];
const record = replayedRecord({ market: sampleMarketId(), model: MODEL_VERSION, now: COMPUTED_AT })!;
const facts = readFactsOverBase();

/** Expects the mean of one figure of each market within three standard errors of a published size. */
function expectMean(values: readonly number[], published: number): void {
  const centre = mean(values);
  const error = Math.sqrt(mean(values.map((value) => (value - centre) ** 2)) / (values.length - 1));
  expect(error).toBeGreaterThan(0);
  expect(Math.abs(centre - published) / error).toBeLessThan(3);
}
const ofClass = (figures: readonly ListingFigures[], asset_class: (typeof CLASSES)[number]) =>
  figures.filter(({ listing }) => listing.instrument.asset_class === asset_class);

describe("docs/sample-market.md", () => {
  it("is written from the constants, the prices and the record", async () => {
    await expect(sampleMarketPage(own, others, { record, facts })).toMatchFileSnapshot(
      "../../../docs/sample-market.md",
    );
  });

  it("is linked from the README, the first steps and the guide to the record", () => {
    expect(documentText("README.md")).toContain("](docs/sample-market.md)");
    for (const page of ["docs/getting-started.md", "docs/track-record.md"])
      expect(documentText(page)).toMatch(/\]\(sample-market\.md[#)]/);
  });
});

describe("the law of the simulated market", () => {
  it.each(LAWS)("keeps $name in the published range, in every market", ({ figure, low, high }) => {
    for (const figures of markets)
      for (const asset_class of CLASSES) between(classMean(figures, asset_class, figure), low, high);
  });

  it.each(CLASSES)("makes %s grow with the trend", (asset_class) => {
    expectMean(
      markets.map((figures) => classMean(figures, asset_class, "growth")),
      GROWTH,
    );
  });

  it.each(CLASSES)("gives %s the variance of its parts outside structures", (asset_class) => {
    const ratio = ({ listing, unplanted }: ListingFigures) => unplanted.variance / varianceOf(listing);
    expectMean(
      markets.map((figures) => mean(ofClass(figures, asset_class).map(ratio))),
      1,
    );
  });

  it("makes the overnight gap its share of the variance, and none for coins", () => {
    const gapShares = (asset_class: (typeof CLASSES)[number]) =>
      markets.map((figures) =>
        mean(ofClass(figures, asset_class).map(({ unplanted }) => unplanted.gapShare)),
      );
    expectMean(gapShares("equity"), GAP_SHARE);
    expect(Math.max(...gapShares("crypto"))).toBe(0);
  });

  it("moves the logarithm of volatility with the published memory and spread", () => {
    const paths = Array.from({ length: 40 }, (_, i) => {
      const source = shocks(keyOf("law", i), 0.2, 252);
      source.reach(4_000);
      const logs = source.spread.map(Math.log);
      const centre = mean(logs);
      return {
        deviation: Math.sqrt(mean(logs.map((log) => (log - centre) ** 2))),
        memory: correlation(logs.slice(1).map((log, at) => [logs[at]!, log])),
        variance: mean(source.spread.map((spread) => spread * spread)) / (0.2 ** 2 / 252),
      };
    });
    // a path of 4,000 days has the spread around its own mean, which is a little smaller: 65 days count as one
    expect(mean(paths.map(({ deviation }) => deviation))).toBeCloseTo(VOL_OF_VOL, 1);
    expect(mean(paths.map(({ memory }) => memory))).toBeCloseTo(AUTOCORRELATION, 2);
    expectMean(
      paths.map(({ variance }) => variance),
      1,
    );
  });

  it("plants structures with the published shares", () => {
    const kinds = new Map<string, number>();
    let [slots, planted, held] = [0, 0, 0];
    for (const seed of [undefined, ...OTHER_SEEDS]) {
      const recordings = recordingsOf(sampleMarketId(seed));
      for (const { instrument } of LISTINGS) {
        if (instrument.asset_class === "etf") continue;
        // the first period of a path may be shorter and has none
        for (const { kind, outcome } of recordings(instrument.symbol)!.path.truths(3_286).slice(2)) {
          const name = kind === "none" ? "null" : kind === "distribution" ? "accumulation" : kind;
          kinds.set(name, (kinds.get(name) ?? 0) + 1);
          slots++;
          if (outcome === null) continue;
          planted++;
          if (outcome === "hold") held++;
        }
      }
    }
    const binomial = (found: number, of: number, share: number) =>
      expect(Math.abs(found - of * share) / Math.sqrt(of * share * (1 - share))).toBeLessThan(3);
    for (const { kind, share } of KIND_SHARES) binomial(kinds.get(String(kind))!, slots, share);
    binomial(held, planted, HOLDING);
  });
});

describe("grades in the simulated market", () => {
  it("have none either with news, options and odds, measured on the same closes", () => {
    expect(facts.with.map(({ direction }) => direction)).toEqual(["LONG", "SHORT"]);
    for (const { over_base, interval, n } of [...facts.with, ...facts.without]) {
      expect(n).toBeGreaterThan(1_000);
      expect(over_base).toBeLessThan(MAX_OVER_BASE);
      expect(interval!.low).toBeLessThan(0);
    }
  });

  it("have no skill beyond the published bound", () => {
    const totals = totalsOf(record);
    expect(totals).toHaveLength(8);
    for (const { over_base, interval } of totals) {
      expect(over_base).toBeLessThan(MAX_OVER_BASE);
      expect(interval!.low).toBeLessThan(0);
    }
    for (const direction of ["LONG", "SHORT"] as const)
      for (const asset_class of [...CLASSES, null])
        expect(skillOf(record, direction, asset_class)).toBeLessThan(MAX_SKILL);
  });
});
