import type { Instrument } from "../../src/domain/market/market.ts";
import { tickerOf } from "../../src/market/symbols/listings.ts";
import { newYorkDayRange } from "../../src/providers/shared/timestamps.ts";
import { offExchangeOf, tickered } from "./tape/off-exchange.ts";
import { json, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const HEAD = "Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market";
/** What the store behind its address says of a file that is not there. */
const ABSENT: Reply = {
  status: 403,
  headers: { "content-type": "application/xml" },
  body: '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
};
/** Weeks told of each symbol, and days after a week's Friday on which they are published. */
const WEEKS = 30;
const LAG_DAYS = 17;
/** Symbols of one file: the whole list would only take longer. */
const LISTED = 150;

/** FINRA: the daily file with a row count for its last line, and weeks by kind of venue in no order. */
export const finraVendor: Vendor = {
  name: "finra",
  key: null,
  latency: { p50: 150, p95: 600 },
  answer({ path, sent }, world) {
    if (path === "/data/group/otcMarket/name/weeklySummary") return weekly(sent, world);
    const [, year, month, date] =
      /^\/equity\/regsho\/daily\/CNMSshvol(\d{4})(\d\d)(\d\d)\.txt$/.exec(path) ?? [];
    return year === undefined ? { status: 404, body: "" } : daily(`${year}-${month}-${date}`, world);
  },
  limits: [
    { status: 429, headers: { "retry-after": "9" }, body: "" },
    json({ statusCode: 429, message: "Rate limit exceeded" }, 429),
  ],
  unauthorised: [],
  blocks: [
    {
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<!DOCTYPE html><html><body></body></html>",
    },
    { status: 302, headers: { location: "/" }, body: "" },
  ],
};

function daily(date: string, world: World): Reply {
  const day = Date.parse(date);
  if (Number.isNaN(day) || newYorkDayRange(date).from + 18 * HOUR > world.now()) return ABSENT;
  const rows = listed(world).flatMap((instrument) => {
    const found = offExchangeOf(world, instrument, day);
    if (found === null) return [];
    const { short, exempt, total } = found;
    const symbol = tickerOf(instrument).replace(".", "/");
    const figures = [short.toFixed(6), exempt.toFixed(6), total.toFixed(6)];
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

function weekly(sent: unknown, world: World): Reply {
  const filters = new Map(
    ((sent ?? {}) as Sent).compareFilters?.map(({ fieldName, fieldValue }) => [fieldName, fieldValue]),
  );
  const ticker = filters.get("issueSymbolIdentifier") ?? "";
  const instrument = tickered(world, ticker);
  // funds stand in for the smaller tier
  const tier = instrument?.asset_class === "etf" ? "T2" : "T1";
  if (instrument === null || filters.get("tierIdentifier") !== tier) return json([]);
  const part = filters.get("summaryTypeCode") === "ATS_W_SMBL" ? 0.35 : 0.65;
  const now = Math.floor(world.now() / DAY) * DAY;
  const monday = now - ((new Date(now).getUTCDay() + 6) % 7) * DAY;
  const rows = Array.from({ length: WEEKS }, (_, i) => monday - (i + 1) * 7 * DAY).flatMap((week) => {
    const published = week + (4 + LAG_DAYS) * DAY;
    if (published + DAY > now) return [];
    let shares = 0;
    for (let day = week; day < week + 5 * DAY; day += DAY)
      shares += offExchangeOf(world, instrument, day)?.total ?? 0;
    if (shares === 0) return [];
    return [
      {
        totalWeeklyShareQuantity: Math.round(shares * part),
        totalWeeklyTradeCount: Math.max(1, Math.round((shares * part) / 120)),
        issueSymbolIdentifier: ticker,
        weekStartDate: dateOf(week),
        totalNotionalSum: Math.round(shares * part * 100),
        initialPublishedDate: dateOf(published),
      },
    ];
  });
  return json(rows.toSorted((a, b) => a.totalWeeklyShareQuantity - b.totalWeeklyShareQuantity));
}

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);
