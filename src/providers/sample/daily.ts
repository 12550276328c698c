import type { BoundedCache } from "../../lib/bounded-cache.ts";
import { applyPlan, type PlannedDay, type Planting, plantingOf } from "./apply-plan.ts";
import { draw, exp, keyOf, lnUnit, normal } from "./draws.ts";
import type { Listing } from "./listing.ts";
import type { Outcome, PlantedKind } from "./plan.ts";
import { type Move, movesOf, type ShockSources } from "./shocks.ts";
import { DAY_MS, EPOCH } from "./time.ts";

/** Number of days by which a path is extended; a planted structure fills one such slot. */
export const SLOT_DAYS = 150;

const LEVEL_DAY = (Date.UTC(2026, 0, 1) - EPOCH) / DAY_MS;
/** Logarithmic growth of the slow trend in a year of 365 days. */
export const GROWTH = 0.04;
/** Share of the distance from the slow trend that a price loses in a day. */
export const PULL = 0.002;
/** Coins trade in 64ths: binary fractions, so that volumes add up exactly in any order. */
const COIN_PARTS = 64;
const CANDLE_NUMBERS = 6;

/** A complete day in integer units: price in 1/scale dollars, volume in 1/parts shares or coins. */
export interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Spread of the move from open to close, in price units. */
  readonly spread: number;
}

/** The structure planted in a slot of a listing. For tests and measurement only; never returned to callers. */
export interface PlantedStructure {
  readonly slot: number;
  readonly kind: PlantedKind | "none";
  /** Days of the named points, counted from the first day of the path. */
  readonly bars: Readonly<Record<string, number>>;
  /** Prices by name, in dollars. */
  readonly levels: Readonly<Record<string, number>>;
  /** Outcome of the structure; null if none was planted. */
  readonly outcome: Outcome | null;
}

/** The days of one listing, from day 0 on. A day never changes. */
export interface DailyPath {
  readonly candle: (day: number) => Candle;
  /** Simulates up to 150 more days, if that is needed to reach a day. Returns true if the day is reached. */
  readonly extend: (day: number) => boolean;
  /** Number of volume units per share or coin. */
  readonly parts: number;
  /** The planted slot that contains a day; null if nothing is planted there. For prints, tests and measurement. */
  readonly planted: (day: number) => Planted | null;
  /** Returns the structures planted up to a day, oldest first. */
  readonly truths: (day: number) => readonly PlantedStructure[];
}

interface Planted {
  readonly slot: number;
  readonly first: number;
  readonly planting: Planting;
  /** Returns the price of a level of the plan, in price units. */
  readonly priceOf: (level: number) => number;
}

/** The candles of slots by listing and slot, as numbers one after another. */
export type SlotCandles = BoundedCache<string, Float64Array>;

/**
 * Creates the simulated days of a listing: market, group and own moves around a slow trend with a weak pull, with the
 * extremes that a Brownian path between open and close would reach. The path is only ever appended to; of a slot only
 * its first price and its structure stay in memory, and its candles are simulated again when the cache has lost them.
 * @see Beaglehole, Dybvig and Zhou, "Going to Extremes" (1997), for the extremes of a bridge
 */
export function dailyPath(
  listing: Listing,
  sources: ShockSources,
  key: number,
  slots: SlotCandles,
): DailyPath {
  const { price, scale } = listing;
  const gaps = listing.instrument.asset_class !== "crypto";
  // funds get no structures, because a fund moves with its holdings
  const plantable = listing.instrument.asset_class !== "etf";
  const parts = gaps ? 1 : COIN_PARTS;
  const growth = (listing.growth ?? GROWTH) / 365;
  /** Returns the logarithm of the slow trend relative to the listed price. */
  const trend = (day: number) => growth * (day - LEVEL_DAY);
  const ofHigh = keyOf(key, "high");
  const ofLow = keyOf(key, "low");
  const ofVolume = keyOf(key, "volume");
  const offset = plantable ? (keyOf(key, "offset") >>> 0) % SLOT_DAYS : 0;
  const slotOf = (day: number) => Math.floor((day + SLOT_DAYS - offset) / SLOT_DAYS);
  const firstOf = (slot: number) => Math.max(0, slot * SLOT_DAYS + offset - SLOT_DAYS);
  const plantings: (Planted | null)[] = [];
  /** The logarithm of the price before each slot. */
  const starts: number[] = [];
  /** The slot last used, as most callers read the days in turn. */
  let lastUsed: { readonly slot: number; readonly numbers: Float64Array } | null = null;
  let length = 0;
  let before = trend(-1);

  const units = (log: number) => Math.max(1, Math.round(price * scale * exp(log)));

  function growBySlot(): void {
    const slot = slotOf(length);
    const first = length;
    const end = firstOf(slot + 1);
    for (const source of Object.values(sources)) source?.reach(end);
    const fullSlot = end - first === SLOT_DAYS;
    const planting = plantable && fullSlot ? plantingOf(key, slot, before - trend(first)) : null;
    starts[slot] = before;
    const { days, logStep } = plannedDays(slot, planting);
    plantings[slot] =
      planting === null || logStep === null ? null : plantedOf(planting, { slot, first, logStep });
    before = days.at(-1)!.close;
    length = end;
  }

  /** Returns the days of a slot, and the logarithmic price of one level of its plan above another; null without one. */
  function plannedDays(
    slot: number,
    planting: Planting | null,
  ): { readonly days: readonly PlannedDay[]; readonly logStep: number | null } {
    const first = firstOf(slot);
    const start = starts[slot]!;
    const moves = movesOf(listing, sources, first, firstOf(slot + 1), planting !== null);
    if (planting === null) return { days: unplanted(moves, first, start), logStep: null };
    return applyPlan(planting, moves, start, gaps);
  }

  function plantedOf(
    planting: Planting,
    { slot, first, logStep }: { readonly slot: number; readonly first: number; readonly logStep: number },
  ): Planted {
    const start = before;
    return { slot, first, planting, priceOf: (level) => units(start + logStep * level) };
  }

  function unplanted(moves: readonly Move[], first: number, start: number): readonly PlannedDay[] {
    let last = start;
    return moves.map(({ night, session, spread }, i) => {
      const open = gaps ? last + night : last;
      last = open + session + (gaps ? 0 : night) + growth + PULL * (trend(first + i - 1) - last);
      return { open, close: last, spread, frame: null };
    });
  }

  const extend = (day: number): boolean => {
    if (length <= day) growBySlot();
    return length > day;
  };

  const grown = (day: number) => {
    while (!extend(day));
  };

  const candle = (day: number): Candle => {
    const slot = slotOf(day);
    if (lastUsed?.slot !== slot) lastUsed = { slot, numbers: candlesOf(slot) };
    const { numbers } = lastUsed;
    const from = CANDLE_NUMBERS * (day - firstOf(slot));
    return {
      open: numbers[from]!,
      high: numbers[from + 1]!,
      low: numbers[from + 2]!,
      close: numbers[from + 3]!,
      volume: numbers[from + 4]!,
      spread: numbers[from + 5]!,
    };
  };

  function candlesOf(slot: number): Float64Array {
    const name = `${key} ${slot}`;
    const known = slots.get(name);
    if (known !== undefined) return known;
    const first = firstOf(slot);
    grown(first);
    const { days } = plannedDays(slot, plantings[slot]?.planting ?? null);
    const numbers = new Float64Array(CANDLE_NUMBERS * days.length);
    let at = 0;
    for (const [i, day] of days.entries()) {
      const { open, high, low, close, volume, spread } = candleOf(day, first + i);
      numbers[at] = open;
      numbers[at + 1] = high;
      numbers[at + 2] = low;
      numbers[at + 3] = close;
      numbers[at + 4] = volume;
      numbers[at + 5] = spread;
      at += CANDLE_NUMBERS;
    }
    slots.set(name, numbers);
    return numbers;
  }

  function candleOf({ open: start, close: end, spread, frame }: PlannedDay, day: number): Candle {
    const move = end - start;
    const reach = (bits: number) => Math.sqrt(move * move - 2 * spread * spread * lnUnit(bits));
    const open = units(start);
    const close = units(start + move);
    const top = start + (move + reach(draw(ofHigh, day))) / 2;
    const bottom = start + (move - reach(draw(ofLow, day))) / 2;
    const highest = frame === null ? top : (frame.high ?? Math.min(top, frame.ceiling));
    const lowest = frame === null ? bottom : (frame.low ?? Math.max(bottom, frame.floor));
    const noise = 0.3 * normal(ofVolume, day);
    const bustle = noise + 0.35 * (Math.min(4, Math.abs(move) / spread) - 0.8);
    const share = frame?.volume == null ? exp(bustle) : frame.volume * exp(noise / 6);
    return {
      open,
      high: Math.max(open, close, units(highest)),
      low: Math.min(open, close, units(lowest)),
      close,
      volume: Math.round(listing.volume * parts * share),
      spread: spread * open,
    };
  }

  function planted(day: number): Planted | null {
    grown(day);
    return plantings[slotOf(day)] ?? null;
  }

  function truths(day: number): readonly PlantedStructure[] {
    grown(day);
    return plantings.flatMap((planted, slot): PlantedStructure[] => {
      if (slot * SLOT_DAYS > day + SLOT_DAYS - offset) return [];
      if (planted === null) return [{ slot, kind: "none", bars: {}, levels: {}, outcome: null }];
      const { kind, outcome, plan } = planted.planting;
      const bars = Object.fromEntries(
        Object.entries(plan.bars).map(([name, bar]) => [name, planted.first + bar]),
      );
      const levels = Object.fromEntries(
        Object.entries(plan.levels).map(([name, level]) => [name, planted.priceOf(level) / scale]),
      );
      return [{ slot, kind, bars, levels, outcome }];
    });
  }
  return { candle, extend, parts, planted, truths };
}
