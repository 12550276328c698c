import { describe, expect, it } from "vitest";
import type { ProviderEvents } from "../../../src/domain/market-events/provider.ts";
import { nasdaqtraderHalts } from "../../../src/providers/nasdaqtrader/halts.ts";
import { nasdaqtraderVendor } from "../../replay/nasdaqtrader.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixedWorld } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { kindOf, signal } from "../requests.ts";

describeProvider("nasdaqtrader, halts", {
  make: (fetch) => nasdaqtraderHalts({ fetch }),
  honest: fetchFrom(nasdaqtraderVendor, fixedWorld()),
  vendor: nasdaqtraderVendor,
  good: { date: "2025-12-02" },
  other: { date: "2025-12-01" },
  plausible({ events }: ProviderEvents) {
    for (const { date, at, until, symbol } of events) {
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(symbol!.length).toBeGreaterThan(0);
      expect(Number.isNaN(Date.parse(at!))).toBe(false);
      expect(until === null || !Number.isNaN(Date.parse(until))).toBe(true);
    }
  },
  filled: ({ events }) => expect(events).toHaveLength(2),
});

const item = (fields: Readonly<Record<string, string>>) =>
  `<item>${Object.entries(fields)
    .map(([name, text]) => `<ndaq:${name}>${text}</ndaq:${name}>`)
    .join("")}</item>`;
const feed = (...items: readonly string[]) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:ndaq="http://www.nasdaqtrader.com/"><channel>${items.join("")}</channel></rss>`;
function respond(body: string) {
  const urls: string[] = [];
  const provider = nasdaqtraderHalts({
    fetch: async (url) => {
      urls.push(String(url));
      return new Response(body, { headers: { "content-type": "text/xml" } });
    },
  });
  return { urls, call: (date: string | null = null) => provider.call({ date }, { signal }) };
}
const PAUSE = {
  HaltDate: "03/26/2018",
  HaltTime: "10:29:47",
  IssueSymbol: "ABIL",
  IssueName: "Ability Inc.",
  ReasonCode: "LUDP",
  ResumptionDate: "03/26/2018",
  ResumptionTradeTime: "10:34:47",
};

describe("halts as documented", () => {
  it("have times of New York, the reason in plain words, and null for a resumption that is not announced", async () => {
    const { urls, call } = respond(
      feed(
        item(PAUSE),
        item({ HaltDate: "12/16/2025", HaltTime: "14:19:52.826", IssueSymbol: "MOVE", ReasonCode: "T1" }),
        item({ HaltDate: "12/16/2025", HaltTime: "09:31:00.000", IssueSymbol: "ZZZZ", ReasonCode: "WAT" }),
        item({ HaltDate: "12/16/2025", HaltTime: "soon", IssueSymbol: "NONE", ReasonCode: "T1" }),
      ),
    );
    expect((await call()).events).toEqual([
      {
        date: "2018-03-26",
        symbol: "ABIL",
        name: "Ability Inc.",
        amount: null,
        at: "2018-03-26T14:29:47.000Z",
        until: "2018-03-26T14:34:47.000Z",
        detail: "Halted (LUDP): volatility pause (limit up, limit down)",
      },
      expect.objectContaining({
        symbol: "MOVE",
        at: "2025-12-16T19:19:52.000Z",
        until: null,
        detail: "Halted (T1): news pending; resumption not announced",
      }),
      expect.objectContaining({
        detail: "Halted (WAT): reason not in the list of codes; resumption not announced",
      }),
    ]);
    expect(urls).toEqual(["https://www.nasdaqtrader.com/rss.aspx?feed=tradehalts"]);
  });

  it("of one day are requested by its date, and rejected if they are of another", async () => {
    const { urls, call } = respond(feed(item(PAUSE)));
    expect((await call("2018-03-26")).events).toHaveLength(1);
    expect(urls).toEqual(["https://www.nasdaqtrader.com/rss.aspx?feed=tradehalts&haltdate=03262018"]);
    expect(await kindOf(call("2018-03-27"))).toBe("malformed");
  });

  it("are none in an empty feed, and malformed if none can be read", async () => {
    expect(await respond(feed()).call()).toEqual({ events: [] });
    expect(await kindOf(respond(feed("<item></item>")).call())).toBe("malformed");
    expect(await kindOf(respond("<html></html>").call())).toBe("blocked");
  });
});
