import { empty, json, page, type Vendor } from "./vendor.ts";

/**
 * Manifold's search: a plain list of yes-or-no questions with times in milliseconds, each followed by a resolved one.
 */
export const manifoldVendor: Vendor = {
  name: "manifold",
  key: null,
  latency: { p50: 250, p95: 800 },
  answer({ path, query }, world) {
    if (path !== "/v0/search-markets") return json({ message: "API endpoint not found." }, 404);
    const rows = world.contracts(query.get("term") ?? "", "simplay").map((contract) => ({
      id: contract.id,
      question: contract.question,
      url: `https://manifold.markets/replay/${contract.id.toLowerCase()}`,
      probability: contract.probability,
      outcomeType: "BINARY",
      volume: contract.volume_total,
      volume24Hours: contract.volume_24h,
      totalLiquidity: contract.liquidity,
      closeTime: Date.parse(contract.close_time!),
      isResolved: false,
      token: contract.volume_unit,
    }));
    return json(rows.flatMap((row) => [row, { ...row, id: `${row.id}x`, closeTime: world.now() - 1 }]));
  },
  limits: [json({ message: "Too many requests" }, 429), empty(429, { "retry-after": "9" })],
  unauthorised: [],
  blocks: [page(403, "Attention Required!")],
};
