import { empty, json, page, type Vendor } from "./vendor.ts";

/** The data set of both chambers; it also contains rows of the executive branch. */
export const kadoaVendor: Vendor = {
  name: "kadoa",
  key: null,
  latency: { p50: 90, p95: 300 },
  answer({ path }, world) {
    if (!path.endsWith("/public/data/trades.json")) return { status: 404, body: "404: Not Found" };
    const rows = world.filings().flatMap(({ docId, filed, member, trades }) =>
      trades.map(({ amount, partial, type, ...trade }, row) => ({
        id: `${member.chamber}_${docId}_t${row}`,
        transaction_date: trade.transaction_date,
        filing_date: filed,
        owner: trade.owner,
        ticker: trade.ticker,
        asset_name: trade.asset,
        asset_type: trade.asset_type,
        transaction_type: partial
          ? "Sale (Partial)"
          : { buy: "Purchase", sell: "Sale (Full)", exchange: "Exchange" }[type],
        amount_range_low: amount!.low,
        amount_range_high: amount!.high,
        amount_range_label: amount!.label,
        filer_name: `${member.first} ${member.last}`,
        branch: "congress",
        chamber: member.chamber,
        party: member.party,
        state: member.state,
        doc_url: `https://example.org/${docId}.pdf`,
      })),
    );
    const executive = { id: "oge_1", branch: "executive", chamber: null, party: null, state: null };
    return json([{ ...rows[0]!, ...executive }, ...rows]);
  },
  limits: [empty(429)],
  unauthorised: [],
  blocks: [page(200)],
};
