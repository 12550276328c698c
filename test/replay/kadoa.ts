import { filingsOf, fullName } from "./tape/disclosed.ts";
import { json, type Vendor } from "./vendor.ts";

const WORDS = { buy: "Purchase", sell: "Sale (Full)", part: "Sale (Partial)" } as const;

/** The data set of both chambers, with rows of the executive branch among them. */
export const kadoaVendor: Vendor = {
  name: "kadoa",
  key: null,
  latency: { p50: 90, p95: 300 },
  answer({ path }, world) {
    if (!path.endsWith("/public/data/trades.json")) return { status: 404, body: "404: Not Found" };
    const rows = filingsOf(world).flatMap(({ docId, filed, person, rows }) =>
      rows.map(({ ticker, traded, side, band }, row) => ({
        id: `${person.chamber}_${docId}_t${row}`,
        transaction_date: traded,
        filing_date: filed,
        owner: "Joint",
        ticker,
        asset_name: `Sample of ${ticker}`,
        asset_type: "Stock",
        transaction_type: WORDS[side],
        amount_range_low: band.low,
        amount_range_high: band.high,
        amount_range_label: band.label,
        filer_name: fullName(person),
        branch: "congress",
        chamber: person.chamber,
        party: person.party,
        state: person.state,
        doc_url: `https://example.org/${docId}.pdf`,
      })),
    );
    const executive = {
      ...rows[0]!,
      id: "oge_1",
      branch: "executive",
      chamber: null,
      party: null,
      state: null,
    };
    return json([executive, ...rows]);
  },
  limits: [{ status: 429, body: "" }],
  unauthorised: [],
  blocks: [{ status: 200, headers: { "content-type": "text/html" }, body: "<html></html>" }],
};
