import { z } from "zod";
import { type MarketEvent, marketEvent } from "../../domain/market-events/market-events.ts";
import type {
  EventDayProvider,
  EventMonthProvider,
  ProviderEvents,
  StockEventProvider,
} from "../../domain/market-events/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { Provider } from "../../domain/providers/provider.ts";
import { plainText } from "../../lib/plain-text.ts";
import { displayText } from "../shared/display-text.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { rowsOf } from "../shared/rows.ts";
import { parseUsDate } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { Money, reportsApi } from "./api.ts";

const NAME = "nasdaq";
const MAX_NAME_LENGTH = 80;
const BUDGET = { calls: 20, perMs: 60_000, atOnce: 2 } as const;

const Ticker = z.string().min(1).max(20);
const Text = z.string().nullish();
interface EventsCall {
  readonly get: ReturnType<typeof reportsApi>;
  readonly signal: AbortSignal;
}

/** Creates a provider of events over the API of Nasdaq's own pages; the calendars share one budget. */
function providerOf<Q>(
  setup: ProviderSetup,
  read: (request: Q, call: EventsCall) => Promise<ProviderEvents>,
): Provider<Q, ProviderEvents> {
  const get = reportsApi(setup);
  return { name: NAME, budget: BUDGET, call: (request, { signal }) => read(request, { get, signal }) };
}

/** A date such as `9/14/2026`; null for `N/A` and no text. */
const DateOrNull = Text.transform((text) => parseUsDate(text ?? ""));

const DividendRow = z.object({
  symbol: Ticker,
  companyName: Text,
  dividend_Ex_Date: DateOrNull,
  payment_Date: DateOrNull,
  record_Date: DateOrNull,
  dividend_Rate: Money,
});
const DividendDay = z.object({ calendar: z.object({ rows: rowsOf(DividendRow).nullable() }) });

/** Creates the provider of Nasdaq.com's calendar of ex-dividend dates: one day per call. */
export function nasdaqDividendDays(setup: ProviderSetup): EventDayProvider {
  return providerOf(setup, async ({ date }, { get, signal }) => {
    if (date === null) throw new ProviderFailure("unsupported", "one day per request");
    const { calendar } = await get("/api/calendar/dividends", DividendDay, { query: { date }, signal });
    const rows = calendar.rows ?? [];
    if (rows.some((row) => row.dividend_Ex_Date !== date))
      throw new ProviderFailure("malformed", "dividends of another day");
    return {
      events: rows.map((row) =>
        dividendOf(date, {
          symbol: plainText(row.symbol, 20),
          name: plainName(row.companyName),
          amount: row.dividend_Rate,
          paid: row.payment_Date,
          record: row.record_Date,
        }),
      ),
    };
  });
}

const StockDividendRow = z.object({
  exOrEffDate: DateOrNull,
  type: Text,
  amount: Money,
  recordDate: DateOrNull,
  paymentDate: DateOrNull,
});
const StockDividends = z.object({
  dividends: z.object({ rows: rowsOf(StockDividendRow).nullable() }).nullable(),
});

/** Creates the provider of Nasdaq.com's list of the cash dividends of one stock or fund, announced ones included. */
export function nasdaqStockDividends(setup: ProviderSetup): StockEventProvider {
  return providerOf(setup, async ({ instrument }, { get, signal }) => {
    const symbol = usTicker(instrument);
    const assetclass = instrument.asset_class === "etf" ? "etf" : "stocks";
    const request = { query: { assetclass }, signal };
    const { dividends } = await get(`/api/quote/${symbol}/dividends`, StockDividends, request);
    const rows = (dividends?.rows ?? []).filter(({ type }) => /^cash$/i.test(type ?? "cash"));
    return {
      events: rows.flatMap(({ exOrEffDate, amount, paymentDate, recordDate }) =>
        exOrEffDate === null
          ? []
          : [
              dividendOf(exOrEffDate, {
                symbol: instrument.symbol,
                name: null,
                amount,
                paid: paymentDate,
                record: recordDate,
              }),
            ],
      ),
    };
  });
}

interface DividendFacts extends Pick<MarketEvent, "symbol" | "name" | "amount"> {
  readonly paid: string | null;
  readonly record: string | null;
}

const dividendOf = (date: string, { symbol, name, amount, paid, record }: DividendFacts): MarketEvent =>
  marketEvent({
    date,
    symbol,
    name,
    amount: amount !== null && amount > 0 ? amount : null,
    detail: `Ex-dividend; ${paid === null ? "day of payment unknown" : `paid on ${paid}`}${record === null ? "" : ` to holders of record on ${record}`}`,
  });

const SplitRow = z.object({
  symbol: Ticker,
  name: Text,
  ratio: z.string().max(40),
  executionDate: DateOrNull,
});
const Splits = z.object({ rows: rowsOf(SplitRow).nullable() });

/** Creates the provider of Nasdaq.com's calendar of splits: a page for a day, which may list other days too. */
export function nasdaqSplitDays(setup: ProviderSetup): EventDayProvider {
  return providerOf(setup, async ({ date }, { get, signal }) => {
    if (date === null) throw new ProviderFailure("unsupported", "one day per request");
    const { rows } = await get("/api/calendar/splits", Splits, { query: { date }, signal });
    return {
      events: (rows ?? []).flatMap((row) => {
        const parts = splitParts(row.ratio);
        return row.executionDate === null || parts === null ? [] : [splitOf(row, row.executionDate, parts)];
      }),
    };
  });
}

/** Returns new and old shares of `10 : 1` and `1.05 : 1`; null for other text, such as a percentage. */
function splitParts(ratio: string): readonly [number, number] | null {
  const [, gained, given] = /^(\d+(?:\.\d+)?) ?: ?(\d+(?:\.\d+)?)$/.exec(ratio.trim()) ?? [];
  const parts = [Number(gained), Number(given)] as const;
  return parts.every((part) => part > 0) ? parts : null;
}

function splitOf(
  { symbol, name }: z.infer<typeof SplitRow>,
  date: string,
  [gained, given]: readonly [number, number],
): MarketEvent {
  return marketEvent({
    date,
    symbol: plainText(symbol, 20),
    name: plainName(name),
    amount: gained / given,
    detail: `${gained} new for ${given} old${gained < given ? ", a reverse split" : ""}`,
  });
}

const IpoRow = z.object({
  proposedTickerSymbol: z.string().max(20).nullish(),
  companyName: Text,
  proposedExchange: Text,
  proposedSharePrice: Text,
  sharesOffered: Money,
  expectedPriceDate: DateOrNull,
  pricedDate: DateOrNull,
  withdrawDate: DateOrNull,
});
const IpoTable = z.object({ rows: rowsOf(IpoRow).nullish() }).nullish();
const Ipos = z.object({
  upcoming: z.object({ upcomingTable: IpoTable }).nullish(),
  priced: IpoTable,
  withdrawn: IpoTable,
});
/** Stages of an IPO with the column of its date. */
const STAGES = [
  ["expected", "expectedPriceDate"],
  ["priced", "pricedDate"],
  ["withdrawn", "withdrawDate"],
] as const;

/**
 * Creates the provider of Nasdaq.com's calendar of IPOs: one month per call. Filed offers without a date are left out.
 */
export function nasdaqIpoMonths(setup: ProviderSetup): EventMonthProvider {
  return providerOf(setup, async ({ month }, { get, signal }) => {
    const answer = await get("/api/ipo/calendar", Ipos, { query: { date: month }, signal });
    const tables = {
      expected: answer.upcoming?.upcomingTable,
      priced: answer.priced,
      withdrawn: answer.withdrawn,
    };
    return {
      events: STAGES.flatMap(([stage, column]) =>
        (tables[stage]?.rows ?? []).flatMap((row) => {
          const date = row[column];
          return date === null ? [] : [ipoOf(row, stage, date)];
        }),
      ),
    };
  });
}

function ipoOf(row: z.infer<typeof IpoRow>, stage: (typeof STAGES)[number][0], date: string): MarketEvent {
  const [price] = /^\d+(?:\.\d+)?(?:-\d+(?:\.\d+)?)?$/.exec((row.proposedSharePrice ?? "").trim()) ?? [];
  const [exchange] = /^[A-Za-z ]{2,40}$/.exec((row.proposedExchange ?? "").trim()) ?? [];
  const facts = [
    `IPO ${stage}`,
    ...(exchange === undefined ? [] : [`on ${exchange}`]),
    price === undefined ? "price unknown" : `${price} USD a share`,
    ...(row.sharesOffered === null ? [] : [`${row.sharesOffered.toLocaleString("en-US")} shares`]),
  ];
  const symbol = plainText(row.proposedTickerSymbol ?? "", 20);
  return marketEvent({
    date,
    symbol: symbol === "" ? null : symbol,
    name: plainName(row.companyName),
    detail: facts.join(", "),
  });
}

function plainName(name: string | null | undefined): string | null {
  const plain = displayText(name ?? "", MAX_NAME_LENGTH);
  return plain === "" ? null : plain;
}
