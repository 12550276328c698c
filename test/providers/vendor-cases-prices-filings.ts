import { expect } from "vitest";
import { alpaca } from "../../src/providers/alpaca/prices.ts";
import { cboe } from "../../src/providers/cboe/prices.ts";
import { nasdaq } from "../../src/providers/nasdaq/prices.ts";
import { secFilings } from "../../src/providers/sec/filings.ts";
import { priceFreshness, validateQuote } from "../../src/market/prices/validate-quote.ts";
import { signal, stock } from "./requests.ts";
import { serve, type VendorCase, type VendorFile } from "./vendor-cases.ts";

const AAPL = stock("AAPL");
/** Times at which the answers of the filings were served. */
const SERVED = () => Date.parse("2026-10-07T12:00:00Z");

/** The header of a filing at the archive, which states the time of acceptance in New York. */
const headerOf = (accepted: string) => (url: URL) =>
  url.pathname.startsWith("/Archives/")
    ? { status: 200, body: `<SEC-HEADER>\n<ACCEPTANCE-DATETIME>${accepted}\n</SEC-HEADER>` }
    : null;

const filingsOf = (file: VendorFile, symbol: string, more: Parameters<typeof serve>[1] = () => null) =>
  secFilings({ fetch: serve(file, more).fetch, contact: "ops@example.com", now: SERVED }).call(stock(symbol), {
    signal,
  });
const iso = (times: readonly number[]) => times.map((at) => new Date(at).toISOString());

const jpmShiftedTwice: VendorCase = async (file) => {
  const { releases } = await filingsOf(file, "JPM", headerOf("20260714063038"));
  expect(iso(releases)).toEqual(["2026-07-14T10:30:38.000Z"]);
};

/** The older page that the newest one names; its July row is ours. */
const OLDER_PAGE = {
  accessionNumber: ["0000000000-26-000100", "0000000000-26-000101"],
  form: ["10-Q", "8-K"],
  items: ["", "2.02,9.01"],
  filingDate: ["2026-08-06", "2026-07-14"],
  reportDate: ["2026-06-30", "2026-07-14"],
  acceptanceDateTime: ["2026-08-06T20:19:03.000Z", "2026-07-14T10:30:38.000Z"],
  primaryDocument: ["a.htm", "b.htm"],
};

const heavyFiler: VendorCase = async (file) => {
  const asked: string[] = [];
  const { releases } = await filingsOf(file, "JPM", (url) => {
    asked.push(url.pathname);
    return url.pathname === "/submissions/CIK0000019617-submissions-001.json"
      ? { status: 200, body: OLDER_PAGE }
      : headerOf("20260714063038")(url);
  });
  expect(asked).toContain("/submissions/CIK0000019617-submissions-001.json");
  expect(iso(releases)).toEqual(["2026-07-14T10:30:38.000Z"]);
};

/** Facts of the predecessor, CIK 34088; the numbers are ours. */
const PREDECESSOR = {
  cik: 34088,
  entityName: "x",
  facts: {
    "us-gaap": {
      Revenues: {
        label: "Revenues",
        units: {
          USD: [
            ["2025-07-01", "2025-09-30"],
            ["2025-10-01", "2025-12-31"],
            ["2026-01-01", "2026-03-31"],
          ].map(([start, end]) => ({ start, end, val: 4_000_000_000, form: "10-Q", filed: "2026-05-01" })),
        },
      },
    },
  },
};

const changedRegistrant: VendorCase = async (file) => {
  const answer = await filingsOf(file, "XOM", ({ pathname }) =>
    pathname === "/api/xbrl/companyfacts/CIK0000034088.json"
      ? { status: 200, body: PREDECESSOR }
      : pathname === "/submissions/CIK0000034088.json"
        ? { status: 200, body: { ...(file.exchanges[1]!.body as object), cik: "34088" } }
        : null,
  );
  // either the quarters of the predecessor, or a note (name its field as the mend does)
  const { note = null } = answer as { note?: string | null };
  expect(answer.quarters.length === 4 || note !== null).toBe(true);
};

const cboePremarket: VendorCase = async (file) => {
  const { price, previousClose } = await cboe({ fetch: serve(file).fetch }).latest!(stock("MRVL"), { signal });
  expect(price).not.toBe(previousClose);
  expect([null, 223.89]).toContain(previousClose === null ? null : Number(previousClose.toFixed(2)));
};

const alpacaPrevious: VendorCase = async (file) => {
  const setup = { fetch: serve(file).fetch, key: "id", secret: "secret", now: SERVED };
  const { price, previousClose } = await alpaca(setup).latest!(AAPL, { signal });
  expect(price).toBe(341.02);
  expect([null, 335.92]).toContain(previousClose);
};

const nasdaqSaturday: VendorCase = async (file) => {
  for (const moment of ["2026-09-26T04:30:00Z", "2026-09-26T16:00:00Z", "2026-09-26T20:30:00Z", "2026-09-27T18:00:00Z"]) {
    const now = Date.parse(moment);
    const setup = { fetch: serve(file).fetch, now: () => now };
    const provider = nasdaq(setup);
    const quote = validateQuote(await provider.latest!(AAPL, { signal }), provider, now);
    expect([moment, quote.price, new Date(quote.tradedAt).toISOString()]).toEqual([
      moment,
      341.07,
      "2026-09-25T20:00:00.000Z",
    ]);
    expect(quote.previousClose).toBeCloseTo(335.92, 6);
    expect(priceFreshness(quote, { assetClass: "equity", now, stale: false })).toBe("prior_close");
  }
};

/** The cases of quotes and filings. */
export const PRICE_AND_FILING_CASES: Readonly<Record<string, VendorCase>> = {
  "alpaca-iex-previous": alpacaPrevious,
  "cboe-premarket-previous": cboePremarket,
  "nasdaq-saturday": nasdaqSaturday,
  "sec-changed-registrant": changedRegistrant,
  "sec-heavy-filer": heavyFiler,
  "sec-jpm-shifted-twice": jpmShiftedTwice,
};
