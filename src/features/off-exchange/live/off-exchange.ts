import type { Instrument } from "../../../domain/market/market.ts";
import type { OffExchangeDay } from "../../../domain/off-exchange/off-exchange.ts";
import type {
  PriceVolumeProvider,
  PriceVolumes,
  VolumeFile,
  VolumeProvider,
  Weeks,
  WeeksProvider,
} from "../../../domain/off-exchange/provider.ts";
import type { OffExchange } from "../../../domain/ports.ts";
import type { ProviderAnswer } from "../../../domain/providers/provider.ts";
import { newYorkOffsetMs } from "../../../lib/newyork.ts";
import { timeFor } from "../../../lib/time-limit.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { type ResourceOptions, resourceOf } from "../../../market/failover/resource.ts";
import { datesWithin } from "../../../market/prices/windows.ts";
import { dailyResource, fetchDays, formatDates } from "./daily-resource.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Time of day in New York by which a day's file is published, ms after midnight. */
const POSTED_BY_MS = 18 * HOUR;
/** Age after which a missing file counts as never published, ms. */
const SETTLED_MS = 3 * DAY;
/** Maximum number of files read for one answer; more would delay the first caller. */
const MAX_FILES = 90;
/** Maximum wait for files, ms: the first request after a start needs about eighty. */
const MAX_WAIT_MS = 15_000;
const NO_TOKENS = "Off-exchange volume is reported only for US stocks and funds";

interface LiveOffExchangeOptions extends Pick<ResourceOptions<never, never>, "clock" | "settings"> {
  readonly daily: readonly Guarded<VolumeProvider>[];
  readonly weekly: readonly Guarded<WeeksProvider>[];
  readonly prices: readonly Guarded<PriceVolumeProvider>[];
  readonly missing: OffExchange["missing"];
}

/**
 * Creates the port for off-exchange volume of live providers. A day's file is fetched once for all symbols and cached.
 */
export function liveOffExchange({
  daily,
  weekly,
  prices,
  clock,
  missing,
  settings = {},
}: LiveOffExchangeOptions): OffExchange {
  const now = () => clock.now().getTime();
  const files = dailyResource({
    providers: daily,
    clock,
    freshMs: 10 * MINUTE,
    finalAfterMs: SETTLED_MS,
    about: ({ date }) => `off-exchange volume of ${date}`,
    keyOf: ({ date }) => date,
  });
  const weeksOf = resourceOf<{ readonly instrument: Instrument }, Weeks>({
    providers: weekly,
    clock,
    freshMs: 12 * HOUR,
    staleMs: 14 * DAY,
    about: ({ instrument }) => `weekly off-exchange volume of ${instrument.symbol}`,
    keyOf: ({ instrument }) => instrument.symbol,
  });
  const pricesOf = dailyResource<{ readonly instrument: Instrument; readonly date: string }, PriceVolumes>({
    providers: prices,
    clock,
    settings,
    freshMs: 10 * MINUTE,
    about: ({ instrument }) => `volume by price of ${instrument.symbol}`,
    keyOf: ({ instrument, date }) => `${instrument.symbol} ${date}`,
  });
  const none = ({ provider }: (typeof daily | typeof weekly | typeof prices)[number], gap: string) => ({
    rows: [],
    source: provider.name,
    fetchedAt: now(),
    asOf: null,
    stale: false,
    gap,
  });

  return {
    missing,
    async days(instrument, { from, until, signal }) {
      const [first] = daily;
      if (first === undefined) return null;
      const end = Math.min(until, now());
      if (instrument.asset_class === "crypto") return none(first, NO_TOKENS);
      const dates = datesWithin({ from: from - DAY, until: end })
        .filter((date) => postedAt(date) >= from && postedAt(date) <= end)
        .slice(-MAX_FILES);
      const days = await fetchDays<VolumeFile>(dates, (date, call) => files({ date }, call), {
        signal,
        maxWaitMs: timeFor(clock, MAX_WAIT_MS),
      });
      const rows = days.flatMap(({ date, answer }): readonly OffExchangeDay[] => {
        const found = answer?.answer.of(instrument) ?? null;
        return found === null ? [] : [{ day: Date.parse(date), ...found, knownAt: postedAt(date) }];
      });
      const failed = days.filter((one) => one.failed).map(({ date }) => date);
      const unposted = days
        .filter(({ answer }) => answer?.answer.published === false)
        .map(({ date }) => date);
      const gaps = [
        ...(rows.length === 0 && failed.length < dates.length && unposted.length < dates.length
          ? [`No off-exchange volume was reported for ${instrument.symbol}`]
          : []),
        ...(failed.length === 0 ? [] : [`Unavailable now: ${formatDates(failed)}`]),
        ...(unposted.length === 0 ? [] : [`Not published: ${formatDates(unposted)}`]),
      ];
      const answers = days.map(({ answer }) => answer);
      return {
        rows,
        ...originOf(answers, first.provider.name, now()),
        // without the newest day, older days are returned as stale
        ...(days.at(-1)?.failed && { stale: true }),
        asOf: rows.at(-1)?.knownAt ?? null,
        gap: gaps.join(". ") || null,
      };
    },
    async weeks(instrument, { from, until, signal }) {
      const [first] = weekly;
      if (first === undefined) return null;
      if (instrument.asset_class === "crypto") return none(first, NO_TOKENS);
      const answered = await weeksOf({ instrument }, { signal });
      if (answered === null) return none(first, `No provider covers weekly volume of ${instrument.symbol}`);
      const end = Math.min(until, now());
      const rows = answered.answer.weeks.filter(({ knownAt }) => knownAt >= from && knownAt <= end);
      return {
        rows,
        ...originOf([answered], first.provider.name, now()),
        asOf: rows.at(-1)?.knownAt ?? null,
        gap: null,
      };
    },
    async byPrice(instrument, { until, signal }) {
      const [first] = prices;
      if (first === undefined) return null;
      if (instrument.asset_class === "crypto") return none(first, NO_TOKENS);
      const end = Math.min(until, now());
      const date = datesWithin({ from: end - 14 * DAY, until: end })
        .filter((one) => postedAt(one) <= end)
        .at(-1);
      const answered = date === undefined ? null : await pricesOf({ instrument, date }, { signal });
      if (answered === null || date === undefined)
        return none(first, `No provider covers volume by price of ${instrument.symbol}`);
      return {
        rows: answered.answer.prices,
        ...originOf([answered], first.provider.name, now()),
        asOf: postedAt(date),
        gap: null,
      };
    },
  };
}

/** Returns the latest time at which the figures of a date are published, epoch ms. */
function postedAt(date: string): number {
  const day = Date.parse(date);
  return day + POSTED_BY_MS - newYorkOffsetMs(day + DAY / 2);
}

function originOf(all: readonly (ProviderAnswer<unknown> | null)[], source: string, now: number) {
  const answered = all.filter((one) => one !== null);
  return {
    source: answered.at(-1)?.source ?? source,
    fetchedAt: answered.length === 0 ? now : Math.max(...answered.map(({ fetchedAt }) => fetchedAt)),
    stale: answered.some(({ stale }) => stale),
  };
}
