import { filingsOf, type WorldFiling } from "./tape/disclosed.ts";
import { json, type Vendor } from "./vendor.ts";

const KEY = "replay-only-fmp-key";
const WORDS = { buy: "Purchase", sell: "Sale", part: "Sale (Partial)" } as const;

/** Financial Modeling Prep's disclosures: the latest page by page, or those of one symbol; refusals inside a 200 too. */
export const fmpVendor: Vendor = {
  name: "fmp",
  key: KEY,
  latency: { p50: 150, p95: 500 },
  answer({ path, query, headers }, world) {
    if (headers.get("apikey") !== KEY)
      return json({ "Error Message": "Invalid API KEY. Please retry." }, 401);
    const [, chamber, kind] = /^\/stable\/(house|senate)-(latest|trades)$/.exec(path) ?? [];
    if (chamber === undefined) return { status: 404, body: "[]" };
    const rows = filingsOf(world)
      .filter(({ person }) => person.chamber === chamber)
      .flatMap(rowsOf);
    if (kind === "trades") return json(rows.filter(({ symbol }) => symbol === query.get("symbol")));
    const limit = Number(query.get("limit") ?? 25);
    const from = limit * Number(query.get("page") ?? 0);
    return json(rows.slice(from, from + limit));
  },
  limits: [
    json({ "Error Message": "Limit Reach. Please upgrade your plan or visit our documentation." }, 429),
    json({ "Error Message": "Limit Reach. Please upgrade your plan." }),
  ],
  unauthorised: [
    json({ "Error Message": "Invalid API KEY. Please retry." }, 401),
    { status: 402, body: "Premium Query Parameter: not available under your current subscription" },
    json({ "Error Message": "Exclusive Endpoint: not available under your current subscription" }),
  ],
  blocks: [{ status: 403, headers: { "content-type": "text/html" }, body: "<html>blocked</html>" }],
};

const rowsOf = ({ docId, filed, person, rows }: WorldFiling) =>
  rows.map(({ ticker, traded, side, band }) => ({
    symbol: ticker.replace(".", "-"),
    disclosureDate: filed,
    transactionDate: traded,
    firstName: person.first,
    lastName: person.last,
    office: `${person.first} ${person.last}`,
    district: person.chamber === "house" ? `${person.state}01` : person.state,
    owner: "Spouse",
    assetDescription: `Sample of ${ticker}`,
    assetType: "Stock",
    type: WORDS[side],
    amount: band.label,
    capitalGainsOver200USD: "False",
    comment: "",
    link: `https://example.org/${docId}.pdf`,
  }));
