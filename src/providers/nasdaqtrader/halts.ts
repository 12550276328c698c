import { type MarketEvent, marketEvent } from "../../domain/market-events/market-events.ts";
import type { EventDayProvider } from "../../domain/market-events/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { plainText } from "../../lib/plain-text.ts";
import { displayText } from "../shared/display-text.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { parseNewYorkTime, parseUsDate } from "../shared/timestamps.ts";
import { childrenOf, parseXml, textOf, type XmlElement } from "../shared/xml.ts";

const BASE_URL = "https://www.nasdaqtrader.com";
const PATH = "/rss.aspx";
const MAX_ITEMS = 5_000;
const MAX_NAME_LENGTH = 80;
/** Reasons by code. @see https://www.nasdaqtrader.com/trader.aspx?id=tradehaltcodes */
const REASONS: Readonly<Record<string, string>> = {
  T1: "news pending",
  T2: "news released",
  T3: "news released, resumption announced",
  T5: "pause of a single stock after a fast move",
  T6: "extraordinary market activity",
  T7: "quoting again, trading not yet",
  T8: "halt of a fund",
  T12: "the exchange requested information from the company",
  H4: "the company does not meet listing rules",
  H9: "the company's filings are late",
  H10: "suspended by the SEC",
  H11: "regulatory concern",
  O1: "operational halt",
  IPO1: "IPO not yet trading",
  IPOQ: "IPO released for quoting",
  IPOE: "IPO quoting extended",
  M: "volatility pause",
  M1: "corporate action",
  M2: "no quotes available",
  LUDP: "volatility pause (limit up, limit down)",
  LUDS: "volatility pause (price outside its band)",
  MWC0: "market-wide halt carried over from the day before",
  MWC1: "market-wide halt, level 1",
  MWC2: "market-wide halt, level 2",
  MWC3: "market-wide halt, level 3",
  MWCQ: "resumption after a market-wide halt",
  R1: "new issue available",
  R2: "issue available",
  R4: "listing rules met, trading resumes",
  R9: "filings received, trading resumes",
  C3: "news not forthcoming, trading resumes",
  C4: "halt ended, trading resumes",
  C9: "halt ended, filings received",
  C11: "halt of another regulator ended",
  D: "removed from the list",
};

/**
 * Creates the provider of the trading halts of all US exchanges from Nasdaq Trader's feed: those of one day, or without
 * a date today's and those that still hold. Times are New York's.
 */
export function nasdaqtraderHalts(setup: ProviderSetup): EventDayProvider {
  const client = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL });
  return {
    name: "nasdaqtrader",
    // the feed asks for one call a minute
    budget: { calls: 10, perMs: 60_000, atOnce: 1 },
    async call({ date }, { signal }) {
      const [year, month, day] = date?.split("-") ?? [];
      const haltdate = date === null ? {} : { haltdate: `${month}${day}${year}` };
      const { body } = await client.text(PATH, { query: { feed: "tradehalts", ...haltdate }, signal });
      const events = haltsIn(body);
      if (date !== null && events.some((event) => event.date !== date && event.until?.slice(0, 10) !== date))
        throw new ProviderFailure("malformed", "halts of another day");
      return { events };
    },
  };
}

function haltsIn(xml: string): readonly MarketEvent[] {
  const [rss] = childrenOf(parseXml(xml), "rss");
  const [channel] = childrenOf(rss, "channel");
  if (channel === undefined) throw new ProviderFailure("malformed", "a document that is not a feed");
  const items = childrenOf(channel, "item").slice(0, MAX_ITEMS);
  const events = items.flatMap((item) => haltOf(item) ?? []);
  if (items.length > 0 && events.length === 0) throw new ProviderFailure("malformed", "no halt can be read");
  return events;
}

function haltOf(item: XmlElement): MarketEvent | null {
  const field = (name: string) => textOf(childrenOf(item, `ndaq:${name}`)[0]).trim();
  const symbol = plainText(field("IssueSymbol"), 20);
  const date = parseUsDate(field("HaltDate"));
  const at = timeOf(date, field("HaltTime"));
  if (symbol === "" || date === null || at === null) return null;
  const code = /^[A-Z0-9]{1,6}$/.exec(field("ReasonCode"))?.[0] ?? null;
  const until = timeOf(parseUsDate(field("ResumptionDate")), field("ResumptionTradeTime"));
  const name = displayText(field("IssueName"), MAX_NAME_LENGTH);
  const reason = code === null ? "no reason given" : (REASONS[code] ?? "reason not in the list of codes");
  return marketEvent({
    date,
    symbol,
    name: name === "" ? null : name,
    at,
    until,
    detail: `Halted${code === null ? "" : ` (${code})`}: ${reason}${until === null ? "; resumption not announced" : ""}`,
  });
}

/** Returns the time of a date in New York, `10:29:47` or `10:29:47.826`, ISO 8601 UTC; null for other text. */
function timeOf(date: string | null, time: string): string | null {
  const [, clock] = /^(\d\d:\d\d:\d\d)(?:\.\d+)?$/.exec(time) ?? [];
  const at = date === null || clock === undefined ? null : parseNewYorkTime(`${date}T${clock}`);
  return at === null ? null : new Date(at).toISOString();
}
