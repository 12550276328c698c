import { expect } from "vitest";
import {
  type Bar,
  type Bars,
  PROVIDER_TIMEFRAMES,
  type ProviderTimeframe,
} from "../../src/domain/market/bars.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import {
  type PriceProvider,
  type ProviderBars,
  ProviderFailure,
  type ProviderQuote,
} from "../../src/domain/providers/price-provider.ts";
import { barCloseMs } from "../../src/market/calendar/calendar.ts";
import { sanitizeBars, zoneFor } from "../../src/market/prices/sanitize-bars.ts";
import { fetchFrom } from "../replay/vendor.ts";
import type { World } from "../replay/world.ts";
import { MARKER } from "./faulty-json.ts";
import { BEGINNING, fixedWorld } from "./fixed-world.ts";
import type { PriceProviderContract } from "./price-provider-contract.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A period, epoch ms. Default of `until`: now. */
export interface Window {
  readonly from: number;
  readonly until?: number;
}

interface Whose {
  readonly of?: Instrument;
  readonly signal?: AbortSignal;
}

/** One kind of request, sent to every faulty provider. */
export interface BarsCase {
  readonly what: "latest" | "history";
  readonly ask: (source: PriceProvider, whose?: Whose) => Promise<ProviderQuote | ProviderBars>;
}

/** One provider over its replayed responses: valid requests and expected results. */
export interface PriceProviderFixture {
  readonly contract: PriceProviderContract;
  readonly world: World;
  /** The vendor's correct responses. */
  readonly honest: typeof fetch;
  /** The provider under test. */
  readonly shape: PriceProvider;
  readonly lengths: readonly ProviderTimeframe[];
  /** Instruments of the world that the provider serves. */
  readonly served: readonly Instrument[];
  /** The timeframe used in requests for history. */
  readonly probe: ProviderTimeframe | undefined;
  readonly questions: readonly BarsCase[];
  latest(source: PriceProvider, whose?: Whose): Promise<ProviderQuote>;
  history(source: PriceProvider, timeframe: ProviderTimeframe, window: Window & Whose): Promise<ProviderBars>;
  /** Correct bars of a window that the provider must return: those closed before its delay. */
  truth(timeframe: ProviderTimeframe, window: Window, of: Instrument): readonly Bar[];
  /** The window of the newest `count` closed bars, limited to the provider's range. */
  newest(timeframe: ProviderTimeframe, count: number, of: Instrument): Window;
  /** Fails unless the bars, as the market will see them, are correct in the window. */
  expectTruth(given: ProviderBars, timeframe: ProviderTimeframe, window: Window, of: Instrument): void;
}

/** Sets up a provider over its vendor and a world with known prices. */
export function priceProviderFixture(contract: PriceProviderContract): PriceProviderFixture {
  const { make, vendor, tolerance = 1e-9 } = contract;
  const { good } = contract.instruments;
  const world = contract.world ?? fixedWorld();
  const now = world.now();
  const honest = fetchFrom(vendor, world);
  const shape = make(honest);
  const lengths = PROVIDER_TIMEFRAMES.filter((timeframe) => shape.reaches[timeframe] !== undefined);
  const patient = (): AbortSignal => new AbortController().signal;
  // like the market, ignores what the provider cannot have received yet
  const known = now - (shape.barDelayMinutes ?? shape.delayMinutes) * MINUTE;

  const latest: PriceProviderFixture["latest"] = (source, { of = good, signal = patient() } = {}) =>
    source.latest!(of, { signal });
  const history: PriceProviderFixture["history"] = (
    source,
    timeframe,
    { from, until = now, of = good, signal = patient() },
  ) => source.history!(of, { timeframe, from, until, signal });

  function truth(
    timeframe: ProviderTimeframe,
    { from, until = now }: Window,
    of: Instrument,
  ): readonly Bar[] {
    return world
      .bars(of.symbol, timeframe, { from, until })
      .filter(({ time }) => barCloseMs(time, timeframe, zoneFor(of.asset_class)) <= known);
  }
  function newest(timeframe: ProviderTimeframe, count: number, of: Instrument): Window {
    const reach = Math.max(
      BEGINNING,
      now - shape.reaches[timeframe]! * DAY + Math.min(DAY, (shape.reaches[timeframe]! * DAY) / 4),
    );
    // a short window first, because the bars of all years take long to make
    for (let days = 1; ; days *= 4) {
      const from = Math.max(reach, now - days * DAY);
      const found = truth(timeframe, { from }, of).at(-count)?.time;
      if (found !== undefined || from === reach) return { from: found ?? reach };
    }
  }
  function expectTruth(
    given: ProviderBars,
    timeframe: ProviderTimeframe,
    window: Window,
    of: Instrument,
  ): void {
    const { bars, forming } = sanitizeBars(given, { assetClass: of.asset_class, timeframe, at: known });
    const expected = truth(timeframe, window, of);
    const last = expected.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
    const rows = rowsOf(bars).filter(({ time }) => time >= window.from && time <= last);
    expect(given.bars.filter(({ time }) => time > (window.until ?? now))).toEqual([]);
    expect(rows.map(({ time }) => iso(time))).toEqual(expected.map(({ time }) => iso(time)));
    const fields = [
      "open",
      "high",
      "low",
      "close",
      ...(contract.volumes === false ? [] : ["volume"]),
    ] as const;
    const wrong = rows.flatMap((row, index) =>
      (fields as readonly (keyof Bar)[])
        .filter((field) => !near(row[field], expected[index]![field], tolerance))
        .map((field) => `${iso(row.time)} ${field}: ${row[field]}, in truth ${expected[index]![field]}`),
    );
    expect(wrong).toEqual([]);
    if (forming === null || known < now) return;
    const growing = world.bars(of.symbol, timeframe, { from: forming.time, until: forming.time })[0];
    expect(forming.close, "the bar in the making").toBeCloseTo(growing?.close ?? Number.NaN, 2);
  }

  const probe = lengths[0];
  const questions: BarsCase[] = [];
  if (shape.latest !== undefined) questions.push({ what: "latest", ask: latest });
  if (shape.history !== undefined && probe !== undefined)
    questions.push({
      what: "history",
      ask: (source, whose = {}) =>
        history(source, probe, { ...newest(probe, 12, whose.of ?? good), ...whose }),
    });
  const served = world.instruments().filter(({ asset_class }) => shape.serves.has(asset_class));
  return {
    contract,
    world,
    honest,
    shape,
    lengths,
    served,
    probe,
    questions,
    latest,
    history,
    truth,
    newest,
    expectTruth,
  };
}

/** The failure of a request that must fail; its message must not contain the vendor's text. */
export async function failureOf(request: Promise<unknown>): Promise<ProviderFailure> {
  const outcome = await request.then(
    (answer) => ({ answer }),
    (failure: unknown) => ({ failure }),
  );
  expect(outcome, "it answered where it had to fail").toHaveProperty("failure");
  const { failure } = outcome as { failure: unknown };
  expect(messageOf(failure)).not.toContain(MARKER);
  return failure as ProviderFailure;
}

/** Message of a `ProviderFailure`; rethrows any other error. */
export function messageOf(failure: unknown): string {
  if (!(failure instanceof ProviderFailure)) throw failure;
  return failure.message;
}

/** True if two figures are equal up to a relative rounding. */
export const near = (actual: number, expected: number, tolerance: number): boolean =>
  Math.abs(actual - expected) <= tolerance * Math.abs(expected);

/** An instant in ISO 8601 format. */
export const iso = (epochMs: number): string => new Date(epochMs).toISOString();

/** Columns as rows. */
export const rowsOf = ({ time, open, high, low, close, volume }: Bars): Bar[] =>
  Array.from(time, (at, index) => ({
    time: at,
    open: open[index]!,
    high: high[index]!,
    low: low[index]!,
    close: close[index]!,
    volume: volume[index]!,
  }));
