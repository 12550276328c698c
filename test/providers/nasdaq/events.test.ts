import { describe, expect, it } from "vitest";
import type { ProviderEvents } from "../../../src/domain/market-events/provider.ts";
import {
  nasdaqDividendDays,
  nasdaqIpoMonths,
  nasdaqSplitDays,
  nasdaqStockDividends,
} from "../../../src/providers/nasdaq/events.ts";
import { nasdaqVendor } from "../../replay/nasdaq.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { kindOf, respondWith, signal } from "../requests.ts";

const honest = fetchFrom(nasdaqVendor, fixedWorld());
const plausible = ({ events }: ProviderEvents) => {
  for (const { date, symbol, amount, detail } of events) {
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(symbol === null || symbol.length > 0).toBe(true);
    expect(amount === null || (Number.isFinite(amount) && amount > 0)).toBe(true);
    expect(detail.length).toBeGreaterThan(0);
  }
};
const filled = ({ events }: ProviderEvents) => expect(events.length).toBeGreaterThan(0);
const shared = { honest, vendor: nasdaqVendor, plausible, filled, runs: 60 } as const;

describeProvider("nasdaq, dividends of a day", {
  ...shared,
  make: (fetch) => nasdaqDividendDays({ fetch }),
  good: { date: "2025-11-03" },
  unsupported: { date: null },
  other: { date: "2025-11-04" },
});
describeProvider("nasdaq, dividends of a stock", {
  ...shared,
  make: (fetch) => nasdaqStockDividends({ fetch }),
  good: { instrument: fixed("AAPL") },
  unsupported: { instrument: fixed("BTC-USD") },
  unknown: { question: { instrument: UNLISTED_STOCK }, outcome: "unknown_symbol" },
});
describeProvider("nasdaq, splits", {
  ...shared,
  make: (fetch) => nasdaqSplitDays({ fetch }),
  good: { date: "2025-11-03" },
  unsupported: { date: null },
});
describeProvider("nasdaq, IPOs", {
  ...shared,
  make: (fetch) => nasdaqIpoMonths({ fetch }),
  good: { month: "2025-11" },
});

const STATUS = { rCode: 200, bCodeMessage: null, developerMessage: null };
const responding = (data: unknown) => respondWith({ "": { data, status: STATUS } });
const blank = { name: null, amount: null, at: null, until: null };

describe("nasdaq's events as documented", () => {
  it("have dividends of a day with amount and dates, and reject those of another day", async () => {
    const row = {
      companyName: "Apple Inc. Common Stock",
      symbol: "AAPL",
      dividend_Ex_Date: "8/10/2026",
      payment_Date: "8/13/2026",
      record_Date: "8/10/2026",
      dividend_Rate: 0.27,
    };
    const { fetch, requests } = responding({ calendar: { rows: [row] } });
    const provider = nasdaqDividendDays({ fetch });
    expect(await provider.call({ date: "2026-08-10" }, { signal })).toEqual({
      events: [
        {
          ...blank,
          date: "2026-08-10",
          symbol: "AAPL",
          name: "Apple Inc. Common Stock",
          amount: 0.27,
          detail: "Ex-dividend; paid on 2026-08-13 to holders of record on 2026-08-10",
        },
      ],
    });
    expect(requests).toEqual(["https://api.nasdaq.com/api/calendar/dividends?date=2026-08-10"]);
    expect(await kindOf(provider.call({ date: "2026-08-11" }, { signal }))).toBe("malformed");
    const none = nasdaqDividendDays({ fetch: responding({ calendar: { rows: null } }).fetch });
    expect(await none.call({ date: "2026-08-09" }, { signal })).toEqual({ events: [] });
  });

  it("have the cash dividends of a stock; one without a date or an amount is not invented", async () => {
    const rows = [
      { exOrEffDate: "08/10/2026", type: "CASH", amount: "$0.27", recordDate: "N/A", paymentDate: "N/A" },
      { exOrEffDate: "05/11/2026", type: "Cash", amount: "N/A", recordDate: null, paymentDate: "05/14/2026" },
      { exOrEffDate: "02/09/2026", type: "Stock", amount: "$1" },
      { exOrEffDate: "N/A", type: "Cash", amount: "$0.26" },
    ];
    const { fetch, requests } = responding({ dividends: { rows } });
    const { events } = await nasdaqStockDividends({ fetch }).call({ instrument: fixed("SPY") }, { signal });
    expect(events).toMatchObject([
      { date: "2026-08-10", symbol: "SPY", amount: 0.27, detail: "Ex-dividend; day of payment unknown" },
      { date: "2026-05-11", amount: null, detail: "Ex-dividend; paid on 2026-05-14" },
    ]);
    expect(requests).toEqual(["https://api.nasdaq.com/api/quote/SPY/dividends?assetclass=etf"]);
  });

  it("have splits as new shares per old share, without ratios in percent", async () => {
    const rows = [
      { symbol: "NVDA", name: "NVIDIA", ratio: "10 : 1", executionDate: "6/10/2024" },
      { symbol: "ABCD", name: null, ratio: "1:25", executionDate: "6/11/2024" },
      { symbol: "PCT", name: "Stock dividend", ratio: "5.000%", executionDate: "6/11/2024" },
    ];
    const { fetch } = responding({ rows });
    const { events } = await nasdaqSplitDays({ fetch }).call({ date: "2024-06-10" }, { signal });
    expect(events).toEqual([
      {
        ...blank,
        date: "2024-06-10",
        symbol: "NVDA",
        name: "NVIDIA",
        amount: 10,
        detail: "10 new for 1 old",
      },
      {
        ...blank,
        date: "2024-06-11",
        symbol: "ABCD",
        amount: 0.04,
        detail: "1 new for 25 old, a reverse split",
      },
    ]);
  });

  it("have names as plain text on one line, with entities decoded", async () => {
    const rows = [
      {
        symbol: "T",
        name: "AT&amp;amp;T\u202e\n<b>Inc.</b>\u0007",
        ratio: "2 : 1",
        executionDate: "6/10/2024",
      },
    ];
    const { fetch } = responding({ rows });
    const { events } = await nasdaqSplitDays({ fetch }).call({ date: "2024-06-10" }, { signal });
    expect(events).toMatchObject([{ name: "AT&T <b>Inc.</b>" }]);
  });

  it("have IPOs by stage, without those that have no date", async () => {
    const offer = {
      proposedTickerSymbol: "OIG",
      companyName: "Orion180 Insurance Group Inc.",
      proposedExchange: "NASDAQ Global Select",
      proposedSharePrice: "15.00-17.00",
      sharesOffered: "20,000,000",
    };
    const { fetch, requests } = responding({
      upcoming: {
        upcomingTable: {
          rows: [
            { ...offer, expectedPriceDate: "9/18/2026" },
            { ...offer, expectedPriceDate: "" },
          ],
        },
      },
      priced: { rows: [{ ...offer, proposedSharePrice: null, sharesOffered: "", pricedDate: "9/03/2026" }] },
      filed: { rows: [{ ...offer, filedDate: "9/01/2026" }] },
      withdrawn: null,
    });
    const { events } = await nasdaqIpoMonths({ fetch }).call({ month: "2026-09" }, { signal });
    expect(events).toMatchObject([
      {
        date: "2026-09-18",
        symbol: "OIG",
        detail: "IPO expected, on NASDAQ Global Select, 15.00-17.00 USD a share, 20,000,000 shares",
      },
      { date: "2026-09-03", detail: "IPO priced, on NASDAQ Global Select, price unknown" },
    ]);
    expect(requests).toEqual(["https://api.nasdaq.com/api/ipo/calendar?date=2026-09"]);
  });
});
