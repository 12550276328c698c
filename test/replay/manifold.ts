import { betsFor, dayInWords, WALL } from "./bets.ts";
import { json, type Vendor } from "./vendor.ts";

/** Manifold's search: a plain list of yes-or-no questions, times in milliseconds, one of them over already. */
export const manifoldVendor: Vendor = {
  name: "manifold",
  key: null,
  latency: { p50: 250, p95: 800 },
  answer({ path, query }, world) {
    if (path !== "/v0/search-markets") return json({ message: "API endpoint not found." }, 404);
    const bets = betsFor(query.get("term") ?? "", world).filter(
      ({ level }, i) => level === null || i % 5 === 2,
    );
    const rows = bets.map(({ ticker, level, probability, closes, name }, i) => ({
      id: `replay${ticker}${i}`.replaceAll(".", ""),
      question:
        level === null
          ? `Will the Fed cut rates by ${dayInWords(closes)}?`
          : `Will ${name} (${ticker}) be above $${level} on ${dayInWords(closes)}?`,
      url: `https://manifold.markets/replay/${ticker.toLowerCase()}-${i}`,
      probability,
      outcomeType: "BINARY",
      volume: 900.5,
      volume24Hours: 12.25,
      totalLiquidity: 100,
      closeTime: closes,
      isResolved: false,
      token: "MANA",
    }));
    return json(rows.flatMap((row) => [row, { ...row, id: `${row.id}x`, closeTime: world.now() - 1 }]));
  },
  limits: [
    json({ message: "Too many requests" }, 429),
    { status: 429, headers: { "retry-after": "9" }, body: "" },
  ],
  unauthorised: [],
  blocks: [WALL],
};
