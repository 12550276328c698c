import { convictionOf, type PrintConviction } from "../../analytics/conviction/conviction.ts";
import { averageDayNotional } from "../../analytics/conviction/session-close.ts";
import { driverContext } from "../../analytics/drivers/context.ts";
import { blockFact, offExchangeFact } from "../../analytics/drivers/off-exchange-facts.ts";
import { readDrivers } from "../../analytics/drivers/read.ts";
import type { BarSeries, Instrument } from "../../domain/market/market.ts";
import type { ConvictionRow, Coverage, LevelRow, PrintRow } from "../../domain/off-exchange/darkpool.ts";
import type { OffExchangeAnswer, OffExchangeDay } from "../../domain/off-exchange/off-exchange.ts";
import type { NamedPrint, PrintTape } from "../../domain/off-exchange/prints.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import { rounded } from "../../lib/rounded.ts";
import { type OptionalAnswer, optionalAnswer } from "../signal/optional-answer.ts";
import { printRows } from "./prints.ts";

/** Number of daily bars over which levels are tested. */
const DAILY_BARS = 500;
const MIN_BARS = 15;
const DAY_MS = 86_400_000;
/** Period that contains 60 sessions, ms. */
const DAYS_BACK_MS = 100 * DAY_MS;
/** Coverage of crypto, which has no off-exchange reporting. */
export const COINS: Coverage = {
  source: null,
  fetched_at: null,
  as_of: null,
  stale: false,
  reason: "Off-exchange trades are reported only for US stocks and funds",
};
const NO_COMPARISON = { benchmark: null, isBenchmark: false, peers: null, universe: null } as const;

interface DarkPool {
  readonly rows: readonly PrintRow[];
  readonly coverage: Coverage;
  /** Reason why prints are unavailable; null if the provider responded, even without prints. */
  readonly unavailableReason: string | null;
  readonly series: BarSeries | null;
  readonly days: OptionalAnswer<OffExchangeAnswer<OffExchangeDay>>;
  readonly levels: readonly LevelRow[];
  readonly conviction: ConvictionRow | null;
}

/**
 * Reads prints, daily bars and off-exchange days of one instrument. If one request fails, everything derived from it is
 * omitted with a reason. If all fail, rejects with the error of the prints. `asOf`: epoch ms after which nothing is read;
 * default: now.
 */
export async function readDarkPool(
  instrument: Instrument,
  { since, asOf, signal }: CallOptions & { readonly since: number; readonly asOf?: number | undefined },
  { bars, prints, offExchange, clock }: Pick<Ports, "bars" | "prints" | "offExchange" | "clock">,
): Promise<DarkPool> {
  const now = asOf ?? clock.now().getTime();
  const coin = instrument.asset_class === "crypto";
  const pendingDays = optionalAnswer(async () =>
    coin ? null : offExchange.days(instrument, { from: now - DAYS_BACK_MS, until: now, signal }),
  );
  pendingDays.catch(() => undefined);
  const { answer: found } = await optionalAnswer(() =>
    bars.history(instrument, {
      timeframe: "1d",
      limit: DAILY_BARS,
      signal,
      ...(asOf !== undefined && { asOf }),
    }),
  );
  const series = found !== null && found.bars.time.length >= MIN_BARS ? found : null;
  const from = Math.min(since, series?.bars.time[0] ?? since);
  const {
    answer: tape,
    unavailableReason,
    failure,
  } = await optionalAnswer(async () => (coin ? null : prints.tape(instrument, { from, until: now, signal })));
  const named = (tape?.prints ?? []).map((print) => ({ ...print, symbol: instrument.symbol }));
  const days = await pendingDays;
  if (failure !== null && days.answer === null && series === null) throw failure;
  const reason = coin ? COINS.reason : unavailableReason;
  const read = series === null ? null : convictionAt(series, tape, days.answer?.rows ?? null);
  const average = series === null ? Number.NaN : averageDayNotional(series.bars)(series.bars.time.length - 1);
  const shown = named.filter(({ reportedAt }) => reportedAt >= since);
  return {
    rows: printRows(shown, average),
    coverage: coin ? COINS : coverageOf(tape, prints.missing.tape, unavailableReason),
    unavailableReason,
    series,
    days,
    levels: read === null ? [] : levelRows(read),
    conviction: read === null ? null : { ...convictionRow(read), ...(reason !== null && { reason }) },
  };
}

/** Returns the origin of a tape; without one, the reason or the setting that connects a provider. */
export function coverageOf(
  tape: Pick<PrintTape<NamedPrint>, "source" | "fetchedAt" | "asOf" | "stale" | "gap"> | null,
  missing: string | null,
  unavailableReason: string | null = null,
): Coverage {
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  if (tape !== null)
    return {
      source: tape.source,
      fetched_at: iso(tape.fetchedAt),
      as_of: iso(tape.asOf),
      stale: tape.stale,
      reason: tape.gap,
    };
  const setting = missing === null ? "" : `. Connect one by: ${missing}`;
  return { ...COINS, reason: unavailableReason ?? `No provider is connected${setting}` };
}

function convictionAt(
  { bars, as_of }: BarSeries,
  tape: PrintTape | null,
  days: readonly OffExchangeDay[] | null,
): PrintConviction {
  const context = driverContext(bars, bars.zone === "UTC" ? "crypto" : "equity");
  const prints = tape?.prints ?? null;
  const offex = days && offExchangeFact(days, Date.parse(as_of!));
  const block = prints && blockFact(prints, bars);
  const facts = { ...(offex && { d_offex: offex }), ...(block && { d_block: block }) };
  const drivers = readDrivers(context, NO_COMPARISON, facts);
  return convictionOf({ bars, atr: context.atr, prints, drivers, source: tape?.source ?? "" });
}

const levelRows = ({ levels }: PrintConviction): readonly LevelRow[] =>
  levels
    .toSorted((a, b) => b.notional - a.notional)
    .map(({ first_seen, price, notional, ...level }) => ({
      ...level,
      // computed from several prints, so rounded here
      price: rounded(price, price >= 1 ? 2 : 6),
      notional: rounded(notional, 2),
      first_seen: new Date(first_seen).toISOString(),
    }));

function convictionRow({ levels: _, ...read }: PrintConviction): ConvictionRow {
  const { score, volume_proxy, hold_rate, control_rate } = read;
  const to = (value: number | null, digits: number) => (value === null ? null : rounded(value, digits));
  return {
    ...read,
    score: to(score, 2),
    volume_proxy: to(volume_proxy, 2),
    hold_rate: to(hold_rate, 6),
    control_rate: to(control_rate, 6),
  };
}
