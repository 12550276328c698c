import { expect } from "vitest";
import { priceFreshness, validateQuote } from "../../src/market/prices/validate-quote.ts";
import { alpaca } from "../../src/providers/alpaca/prices.ts";
import { cboe } from "../../src/providers/cboe/prices.ts";
import { nasdaq } from "../../src/providers/nasdaq/prices.ts";
import { signal, stock } from "./requests.ts";
import { serve, type VendorCase } from "./vendor-cases.ts";

const AAPL = stock("AAPL");
const SERVED = () => Date.parse("2026-10-07T12:00:00Z");

const cboePremarket: VendorCase = async (file) => {
  const { price, previousClose } = await cboe({ fetch: serve(file).fetch }).latest!(stock("MRVL"), {
    signal,
  });
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
  for (const moment of [
    "2026-09-26T04:30:00Z",
    "2026-09-26T16:00:00Z",
    "2026-09-26T20:30:00Z",
    "2026-09-27T18:00:00Z",
  ]) {
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

/** Checks of previous closes and stamps of quotes, by file name. */
export const PREVIOUS_CLOSE_CASES: Readonly<Record<string, VendorCase>> = {
  "alpaca-iex-previous": alpacaPrevious,
  "cboe-premarket-previous": cboePremarket,
  "nasdaq-saturday": nasdaqSaturday,
};
