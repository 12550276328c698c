import { expect } from "vitest";
import { Disclosure } from "../../src/domain/congress/congress.ts";
import type { Filings, FilingsRequest } from "../../src/domain/congress/provider.ts";
import type { Reply, Vendor } from "../replay/vendor.ts";
import type { World } from "../replay/world.ts";

/** A request for the replayed world's filings of the last hundred days. */
export const request = (over: Partial<FilingsRequest> = {}): FilingsRequest => ({
  chamber: "house",
  ticker: null,
  since: "2026-08-10",
  until: "2026-11-19",
  known: new Set(),
  ...over,
});

/** Throws unless filings are plausible: valid rows within the requested days, of the chamber, with distinct ids. */
export const plausibleFilings =
  ({ chamber, ticker, since, until }: FilingsRequest) =>
  ({ trades, completeFrom }: Filings): void => {
    for (const trade of trades) {
      expect(Disclosure.strict().safeParse(trade).error).toBeUndefined();
      expect(trade.chamber).toBe(chamber);
      expect(trade.filing_date >= since && trade.filing_date <= until).toBe(true);
      expect(trade.transaction_date === null || trade.transaction_date <= trade.filing_date).toBe(true);
      if (ticker !== null) expect(trade.ticker).toBe(ticker);
    }
    expect(new Set(trades.map(({ id }) => id)).size).toBe(trades.length);
    expect(completeFrom === null || /^\d{4}-\d\d-\d\d$/.test(completeFrom)).toBe(true);
  };

/** The provider's correct responses, each generated once, because fault tests repeat the same requests. */
export function remembered(vendor: Vendor, world: World): typeof fetch {
  const made = new Map<string, Reply>();
  return async (input, init) => {
    const url = new URL(String(input));
    const headers = new Headers(init?.headers);
    const key = `${url} ${JSON.stringify([...headers])}`;
    const { pathname, searchParams: query, host } = url;
    const reply =
      made.get(key) ?? vendor.answer({ path: decodeURIComponent(pathname), query, headers, host }, world);
    made.set(key, reply);
    return new Response(reply.body, {
      status: reply.status,
      ...(reply.headers && { headers: reply.headers }),
    });
  };
}

/** Returns one response to every request, as JSON unless it is a string. */
export const answering =
  (body: unknown, { status = 200, headers = {} }: Partial<Omit<Reply, "body">> = {}): typeof fetch =>
  async () =>
    new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
