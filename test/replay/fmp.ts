import type { WorldFiling } from "./topics.ts";
import { json, page, type Vendor } from "./vendor.ts";

const KEY = "replay-only-fmp-key";
const ASSETS: Readonly<Record<string, string>> = {
  stock: "Stock",
  fund: "ETF",
  option: "Stock Option",
  bond: "Municipal Security",
};

/**
 * Financial Modeling Prep's disclosures: the latest ones page by page, or those of one symbol; some errors have status
 * 200.
 */
export const fmpVendor: Vendor = {
  name: "fmp",
  key: KEY,
  latency: { p50: 150, p95: 500 },
  answer({ path, query, headers }, world) {
    if (headers.get("apikey") !== KEY)
      return json({ "Error Message": "Invalid API KEY. Please retry." }, 401);
    const [, chamber, kind] = /^\/stable\/(house|senate)-(latest|trades)$/.exec(path) ?? [];
    if (chamber === undefined) return { status: 404, body: "[]" };
    const rows = world
      .filings()
      .filter(({ member }) => member.chamber === chamber)
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
  blocks: [page(403)],
};

const rowsOf = ({ docId, filed, member, trades }: WorldFiling) =>
  trades.map((trade) => ({
    symbol: trade.ticker?.replace(".", "-") ?? "",
    disclosureDate: filed,
    transactionDate: trade.transaction_date,
    firstName: member.first,
    lastName: member.last,
    office: `${member.first} ${member.last}`,
    district: member.chamber === "house" ? `${member.state}01` : member.state,
    owner: trade.owner,
    assetDescription: trade.asset,
    assetType: ASSETS[trade.asset_type ?? ""] ?? "",
    type: trade.partial
      ? "Sale (Partial)"
      : { buy: "Purchase", sell: "Sale", exchange: "Exchange" }[trade.type],
    amount: trade.amount!.label,
    link: `https://example.org/${docId}.pdf`,
  }));
