import { readFileSync } from "node:fs";
import type { Instrument } from "../../src/domain/market/market.ts";
import { newYorkDate, newYorkOffsetMs } from "../../src/lib/newyork.ts";
import { tickerOf } from "../../src/market/symbols/listings.ts";
import { testData } from "../support/test-data.ts";
import { haltsOn } from "./events.ts";
import { page, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const HEADER =
  "Nasdaq Traded|Symbol|Security Name|Listing Exchange|Market Category|ETF|Round Lot Size|Test Issue|Financial Status|CQS Symbol|NASDAQ Symbol|NextShares";
/** Number of made-up companies that bring the list to its real length. */
const FILLERS = 5_200;
const LETTERS = 26;

/**
 * Nasdaq Trader's trading halts and symbol directory: the recording if there is one, else a list of the world's
 * symbols.
 */
export const nasdaqtraderVendor: Vendor = {
  name: "nasdaqtrader",
  key: null,
  latency: { p50: 400, p95: 1_500 },
  answer({ path, query }, world) {
    if (path === "/rss.aspx" && query.get("feed") === "tradehalts")
      return halts(query.get("haltdate"), world);
    if (path !== "/dynamic/SymDir/nasdaqtraded.txt") return page(404, "404 - File or directory not found.");
    const recorded = testData("universe", "nasdaqtraded_2026-05-12.txt");
    const body = recorded === null ? symbolDirectory(world) : readFileSync(recorded, "utf8");
    return { status: 200, headers: { "content-type": "text/plain" }, body };
  },
  limits: [
    { ...page(429, "Too Many Requests"), headers: { "content-type": "text/html", "retry-after": "60" } },
  ],
  unauthorised: [],
  blocks: [page(403, "Access Denied"), page(200, "Request Rejected")],
};

/** Halts of one day, `MMDDYYYY`; without a day those of today. Times are New York's. */
function halts(day: string | null, world: World): Reply {
  const date =
    day === null ? newYorkDate(world.now()) : `${day.slice(4)}-${day.slice(0, 2)}-${day.slice(2, 4)}`;
  const items = haltsOn(date, world).map(({ of, at, code, minutes }) => {
    const [halted, until] = [shown(at), minutes === null ? null : shown(at + minutes * 60_000)];
    return `<item><title>${tickerOf(of)}</title><ndaq:HaltDate>${halted.date}</ndaq:HaltDate><ndaq:HaltTime>${halted.time}.826</ndaq:HaltTime><ndaq:IssueSymbol>${tickerOf(of)}</ndaq:IssueSymbol><ndaq:IssueName>${of.name.replaceAll("&", "&amp;")}</ndaq:IssueName><ndaq:Market>NASDAQ</ndaq:Market><ndaq:ReasonCode>${code}</ndaq:ReasonCode><ndaq:PauseThresholdPrice /><ndaq:ResumptionDate>${until?.date ?? ""}</ndaq:ResumptionDate><ndaq:ResumptionQuoteTime>${until?.time ?? ""}</ndaq:ResumptionQuoteTime><ndaq:ResumptionTradeTime>${until?.time ?? ""}</ndaq:ResumptionTradeTime></item>`;
  });
  return {
    status: 200,
    headers: { "content-type": "text/xml" },
    body: `<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:ndaq="http://www.nasdaqtrader.com/"><channel><title>NASDAQTrader.com</title><ndaq:numItems>${items.length}</ndaq:numItems>${items.join("")}</channel></rss>`,
  };
}

/** Date and time in New York of an instant, `09/25/2026` and `10:01:02`. */
function shown(at: number) {
  const iso = new Date(at + newYorkOffsetMs(at)).toISOString();
  return {
    date: `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(0, 4)}`,
    time: iso.slice(11, 19),
  };
}

/**
 * The directory file of a world: its stocks and funds, made-up companies with every class of shares, test issues,
 * trailer line.
 */
export function symbolDirectory(world: World): string {
  const listed = world.instruments().filter(({ asset_class }) => asset_class !== "crypto");
  const taken = new Set(listed.map(tickerOf));
  const rows = listed.map((instrument) =>
    rowOf(tickerOf(instrument), titleOf(instrument), instrument.asset_class),
  );
  for (let i = 0; i < FILLERS; i++) {
    const root = `Q${[676, 26, 1].map((unit) => String.fromCharCode(65 + (Math.floor(i / unit) % LETTERS))).join("")}`;
    if (taken.has(root)) continue;
    const name = `${root} Filler Corporation`;
    rows.push(rowOf(root, `${name} - Common Stock`));
    if (i % 40 === 0) rows.push(rowOf(`${root}$A`, `${name} 5.000% Series A Cumulative Preferred Stock`));
    if (i % 80 === 0) rows.push(rowOf(`${root}.W`, `${name} Warrants, each to buy one share`));
    if (i % 160 === 0) rows.push(rowOf(`${root}.U`, `${name} Units`), rowOf(`${root}.R`, `${name} Rights`));
    if (i % 400 === 0) rows.push(rowOf(`${root}$`, `${name} Preferred Stock`));
  }
  rows.push(
    "Y|ZVZZT|NASDAQ TEST STOCK|Q|G|N|100|Y|N||ZVZZT|N",
    "Y| |NO SYMBOL YET Common Stock|N| |N|100|N|| ||N",
  );
  const day = new Date(world.now()).toISOString();
  const stamp = `${day.slice(5, 7)}${day.slice(8, 10)}${day.slice(0, 4)}${day.slice(11, 16)}`;
  return [HEADER, ...rows.sort(), `File Creation Time: ${stamp}|||||`, ""].join("\r\n");
}

const rowOf = (symbol: string, title: string, kind = "equity"): string =>
  `Y|${symbol}|${title}|N| |${kind === "etf" ? "Y" : "N"}|100|N||${symbol}|${symbol}|N`;

const titleOf = ({ name, asset_class }: Instrument): string =>
  asset_class === "etf" ? name : `${name} Common Stock`;
