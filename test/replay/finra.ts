import type { Instrument } from "../../src/domain/market/market.ts";
import { tickerOf } from "../../src/market/symbols/listings.ts";
import { DAY_MS, isoDate } from "../../src/providers/sample/time.ts";
import { newYorkDayRange } from "../../src/providers/shared/timestamps.ts";
import { stockOf } from "./lookup.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const HOUR = 3_600_000;
const HEAD = "Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market";
/** Response of the file storage for a missing file. */
const ABSENT: Reply = {
  status: 403,
  headers: { "content-type": "application/xml" },
  body: '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
};
/** Number of weeks listed per symbol, and days from a week's Friday to its publication. */
const WEEKS = 30;
const LAG_DAYS = 17;
/** Symbols in one file; a full list would only be slower. */
const LISTED = 150;

/**
 * FINRA: the daily file with its row count in the last line, and weekly rows by kind of venue and short interest in no
 * order.
 */
export const finraVendor: Vendor = {
  name: "finra",
  key: null,
  latency: { p50: 150, p95: 600 },
  answer({ path, sent }, world) {
    if (path === "/data/group/otcMarket/name/weeklySummary") return weekly(sent, world);
    if (path === "/data/group/otcMarket/name/consolidatedShortInterest") return shortInterest(sent, world);
    const [, year, month, date] =
      /^\/equity\/regsho\/daily\/CNMSshvol(\d{4})(\d\d)(\d\d)\.txt$/.exec(path) ?? [];
    return year === undefined ? ABSENT : daily(`${year}-${month}-${date}`, world);
  },
  limits: [
    empty(429, { "retry-after": "9" }),
    json({ statusCode: 429, message: "Rate limit exceeded" }, 429),
  ],
  unauthorised: [],
  blocks: [
    page(200),
    page(403),
    empty(403),
    json({ message: "Forbidden" }, 403),
    empty(302, { location: "/" }),
  ],
};

function daily(date: string, world: World): Reply {
  if (Number.isNaN(Date.parse(date)) || newYorkDayRange(date).from + 18 * HOUR > world.now()) return ABSENT;
  const rows = listed(world).flatMap((instrument) => {
    const found = world.offExchange(instrument, date);
    if (found === null) return [];
    const { short, shortExempt, total } = found;
    const symbol = tickerOf(instrument).replace(".", "/");
    const figures = [short.toFixed(6), shortExempt.toFixed(6), total.toFixed(6)];
    return [[date.replaceAll("-", ""), symbol, ...figures, "B,Q,N"].join("|")];
  });
  if (rows.length === 0) return ABSENT;
  return {
    status: 200,
    headers: { "content-type": "text/plain" },
    body: `${[HEAD, ...rows, rows.length].join("\r\n")}\r\n`,
  };
}

const listed = (world: World): readonly Instrument[] =>
  world
    .instruments()
    .filter(({ asset_class }) => asset_class !== "crypto")
    .slice(0, LISTED);

interface Sent {
  readonly compareFilters?: readonly { readonly fieldName: string; readonly fieldValue: string }[];
}

function shortInterest(sent: unknown, world: World): Reply {
  const ticker = filtersOf(sent).get("symbolCode") ?? "";
  const instrument = stockOf(world, ticker);
  if (instrument === null) return json([]);
  const rows = world.shortInterest(instrument).map((report) => {
    const { settlement, shares, previous, averageVolume } = report;
    return {
      settlementDate: isoDate(settlement),
      symbolCode: ticker,
      issueName: instrument.name,
      marketClassCode: "NNM",
      currentShortPositionQuantity: shares,
      previousShortPositionQuantity: previous,
      changePreviousNumber: shares - previous!,
      changePercent: Number(((100 * (shares - previous!)) / previous!).toFixed(2)),
      averageDailyVolumeQuantity: averageVolume,
      daysToCoverQuantity: Number(Math.max(1, shares / averageVolume!).toFixed(2)),
      stockSplitFlag: null,
      revisionFlag: null,
    };
  });
  return json(rows.toSorted((a, b) => a.averageDailyVolumeQuantity! - b.averageDailyVolumeQuantity!));
}

const filtersOf = (sent: unknown) =>
  new Map(((sent ?? {}) as Sent).compareFilters?.map(({ fieldName, fieldValue }) => [fieldName, fieldValue]));

function weekly(sent: unknown, world: World): Reply {
  const filters = filtersOf(sent);
  const ticker = filters.get("issueSymbolIdentifier") ?? "";
  const instrument = stockOf(world, ticker);
  // funds are listed in tier 2, with the smaller stocks
  const tier = instrument?.asset_class === "etf" ? "T2" : "T1";
  if (instrument === null || filters.get("tierIdentifier") !== tier) return json([]);
  const kind = filters.get("summaryTypeCode") === "ATS_W_SMBL" ? "ats" : "otc";
  const today = Math.floor(world.now() / DAY_MS) * DAY_MS;
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS;
  const rows = Array.from({ length: WEEKS }, (_, i) => monday - (i + 1) * 7 * DAY_MS).flatMap((week) => {
    const published = week + (4 + LAG_DAYS) * DAY_MS;
    if (published + DAY_MS > today) return [];
    return world
      .offExchangeWeek(instrument, week)
      .filter((row) => row.kind === kind)
      .map(({ shares, trades, notional }) => ({
        totalWeeklyShareQuantity: shares,
        totalWeeklyTradeCount: trades,
        issueSymbolIdentifier: ticker,
        weekStartDate: isoDate(week),
        totalNotionalSum: notional,
        initialPublishedDate: isoDate(published),
      }));
  });
  return json(rows.toSorted((a, b) => a.totalWeeklyShareQuantity - b.totalWeeklyShareQuantity));
}
