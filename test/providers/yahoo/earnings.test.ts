import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { yahooEarnings } from "../../../src/providers/yahoo/earnings.ts";
import { fixed } from "../../support/fixed-world.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, signal } from "../requests.ts";

const NOW = Date.UTC(2025, 1, 24);
const AAPL = fixed("AAPL");
const COOKIE =
  "A3=d=AQABBA&S=AQAAAs; Expires=Wed, 25 Feb 2026 06:00:00 GMT; Domain=.yahoo.com; Path=/; Secure";

interface Way {
  readonly cookie?: () => Response;
  readonly crumb?: (cookie: string) => Response;
  readonly data: (crumb: string) => Response;
}

/** Yahoo's three hosts with the given responses, and the paths requested from them. */
function hosts({ cookie, crumb, data }: Way, now: () => number = () => NOW) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { host, pathname, searchParams } = new URL(String(input));
    requests.push(host + pathname);
    const sent = new Headers(init?.headers).get("cookie") ?? "";
    if (host === "fc.yahoo.com")
      return cookie?.() ?? new Response("", { status: 404, headers: { "set-cookie": COOKIE } });
    if (pathname === "/v1/test/getcrumb") return crumb?.(sent) ?? new Response("9tRTcrUmb.1");
    return data(searchParams.get("crumb") ?? "");
  };
  return { requests, provider: yahooEarnings({ fetch, now }) };
}
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
const INVALID = { finance: { result: null, error: { code: "Unauthorized", description: "Invalid Crumb" } } };
const NO_DATA = {
  quoteSummary: { result: null, error: { code: "Not Found", description: "No fundamentals data found" } },
};
const plain = (over: object = {}) => ({
  quoteSummary: {
    result: [
      {
        earningsHistory: {
          history: [{ epsActual: 2.4, epsEstimate: 2.34, quarter: 1735603200, currency: "USD" }],
        },
        earnings: {
          earningsChart: { quarterly: [{ date: "4Q2024", actual: 2.4, estimate: 2.34 }] },
          financialsChart: { quarterly: [{ date: "4Q2024", revenue: 124e9 }] },
          financialCurrency: "USD",
        },
        ...over,
      },
    ],
    error: null,
  },
});

describeWithData("Yahoo's earnings as recorded in February 2025", ["fixtures", "yahoo"], (folder) => {
  const recorded = (
    name: string,
  ): { status: number; body: { quoteSummary: { result: object[] | null } } } => {
    const { response } = readJson<any>(folder, `${name}.json`);
    return { status: response.status, body: response.bodyJson ?? JSON.parse(response.body) };
  };
  // recorded one module at a time, here merged into the response to one request
  const together = () => ({
    quoteSummary: {
      result: [
        Object.assign(
          {},
          ...["earningsHistory", "earnings", "calendarEvents"].map(
            (name) => recorded(`quoteSummary-${name}-AAPL`).body.quoteSummary.result![0],
          ),
        ),
      ],
      error: null,
    },
  });

  it("contain four quarters of EPS against estimates, with revenue and the date of the latest call", async () => {
    const { reports } = await hosts({ data: () => json(together()) }).provider.call(AAPL, { signal });
    const figure = (value: number, basis = "adjusted") => ({ value, basis, by: "yahoo" });
    expect(reports.map(({ period, periodEnd }) => [period, periodEnd])).toEqual([
      ["Q4 2024", "2024-12-31"],
      ["Q3 2024", "2024-09-30"],
      ["Q2 2024", "2024-06-30"],
      ["Q1 2024", "2024-03-31"],
    ]);
    expect(reports[0]).toMatchObject({
      reportDate: "2025-01-30",
      reportedAt: null,
      eps: { actual: figure(2.4), estimate: figure(2.34102) },
      revenue: { actual: figure(124_300_000_000, "reported"), estimate: null },
    });
    expect(reports[3]).toMatchObject({
      reportDate: null,
      eps: { actual: figure(1.53), estimate: figure(1.49923) },
      revenue: { actual: figure(90_753_000_000, "reported") },
    });
  });

  it("contain the expected date and estimates of the next report", async () => {
    const { next } = await hosts({ data: () => json(together()) }).provider.call(AAPL, { signal });
    expect(next).toEqual({
      symbol: "AAPL",
      name: null,
      date: "2025-04-30",
      hour: "unknown",
      confirmed: false,
      period: "Q1 2025",
      eps_estimate: 1.61696,
      eps_actual: null,
      revenue_estimate: 94_076_168_920,
      revenue_actual: null,
    });
  });

  it.each([
    "quoteSummary-earningsHistory-QQQ",
    "quoteSummary-earningsHistory-BTC-USD",
    "quoteSummary-calendarEvents-QQQ",
  ])("fail with unknown_symbol for the response %s", async (name) => {
    const { status, body } = recorded(name);
    expect(status).toBe(404);
    const { provider } = hosts({ data: () => json(body, status) });
    expect(await kindOf(provider.call(AAPL, { signal }))).toBe("unknown_symbol");
  });

  it("fail with rate_limit without a crumb", async () => {
    const [, limited] = readJson<any>(folder, "documented_errors.json");
    for (const status of [limited.status, 200]) {
      const crumb = () => new Response(limited.body_text, { status });
      expect(await kindOf(hosts({ crumb, data: () => json(plain()) }).provider.call(AAPL, { signal }))).toBe(
        "rate_limited",
      );
    }
  });
});

describe("Yahoo's crumb", () => {
  it("is requested once with a cookie and reused for nine minutes", async () => {
    let at = NOW;
    const crumbs: string[] = [];
    const cookies: string[] = [];
    const { requests, provider } = hosts(
      {
        crumb: (cookie) => {
          cookies.push(cookie);
          return new Response("abc/DEF.12");
        },
        data: (crumb) => {
          crumbs.push(crumb);
          return json(plain());
        },
      },
      () => at,
    );
    await provider.call(AAPL, { signal });
    await provider.call(AAPL, { signal });
    const data = "query2.finance.yahoo.com/v10/finance/quoteSummary/AAPL";
    expect(requests).toEqual(["fc.yahoo.com/", "query1.finance.yahoo.com/v1/test/getcrumb", data, data]);
    expect([crumbs, cookies]).toEqual([["abc/DEF.12", "abc/DEF.12"], ["A3=d=AQABBA&S=AQAAAs"]]);
    at += 9 * 60_000;
    await provider.call(AAPL, { signal });
    expect(requests).toHaveLength(7);
  });

  it("is requested again once after Yahoo rejects it", async () => {
    let made = 0;
    const crumb = () => new Response(`crumb-${++made}`);
    const { provider, requests } = hosts({
      crumb,
      data: (used) => (used === "crumb-2" ? json(plain()) : json(INVALID, 401)),
    });
    expect((await provider.call(AAPL, { signal })).reports).toHaveLength(1);
    expect(requests).toHaveLength(6);
    const never = hosts({ crumb, data: () => json(INVALID, 401) });
    expect(await kindOf(never.provider.call(AAPL, { signal }))).toBe("blocked");
    // twice with each user agent
    expect(never.requests).toHaveLength(12);
  });

  it.each(["", "<html></html>", "two words", '{"error":1}', "x".repeat(40)])(
    "fails with blocked if it is malformed: %j",
    async (text) => {
      const { provider, requests } = hosts({ crumb: () => new Response(text), data: () => json(plain()) });
      expect(await kindOf(provider.call(AAPL, { signal }))).toBe("blocked");
      // with each user agent one cookie, and a crumb of each host
      expect(requests).toHaveLength(6);
    },
  );

  it("is not requested without a cookie", async () => {
    for (const [status, kind, calls] of [
      [200, "blocked", 2],
      [404, "blocked", 2],
      [502, "down", 1],
      [429, "rate_limited", 2],
    ] as const) {
      const { provider, requests } = hosts({
        cookie: () => new Response("", { status }),
        data: () => json(plain()),
      });
      expect(await kindOf(provider.call(AAPL, { signal }))).toBe(kind);
      expect(requests).toEqual(Array(calls).fill("fc.yahoo.com/"));
    }
  });
});

describe("Yahoo's earnings", () => {
  const requests = (over: object) => hosts({ data: () => json(plain(over)) }).provider.call(AAPL, { signal });

  it("omit revenue in another currency", async () => {
    const { earnings } = plain().quoteSummary.result[0]! as { earnings: object };
    const { reports } = await requests({ earnings: { ...earnings, financialCurrency: "TWD" } });
    expect(reports[0]!.revenue).toEqual({ actual: null, estimate: null });
    expect(reports[0]!.eps.actual!.value).toBe(2.4);
  });

  it("omit EPS in another currency and quarters without figures", async () => {
    const row = { epsActual: 2.4, epsEstimate: 2.34, quarter: 1735603200 };
    const history = [
      { ...row, currency: "EUR" },
      { ...row, epsActual: {} },
      { ...row, quarter: null },
    ];
    expect((await requests({ earningsHistory: { history } })).reports).toEqual([]);
  });

  it("name a quarter by its calendar date if the charts do not name it", async () => {
    const row = { epsActual: { raw: 1, fmt: "1" }, epsEstimate: {}, quarter: { raw: 1735603200 } };
    const { reports } = await requests({ earningsHistory: { history: [row] } });
    expect(reports).toMatchObject([
      { period: "Q4 2024", eps: { estimate: null }, revenue: { actual: null } },
    ]);
  });

  it("include the release hour if the date is confirmed", async () => {
    const at = (iso: string) => ({
      calendarEvents: { earnings: { earningsDate: [Date.parse(iso) / 1000], isEarningsDateEstimate: false } },
    });
    const hours = [
      "2025-05-01T10:59:00Z",
      "2025-05-01T20:30:00Z",
      "2025-05-01T15:00:00Z",
      "2025-05-02T01:00:00Z",
    ];
    const result = await Promise.all(hours.map(async (iso) => (await requests(at(iso))).next));
    expect(result.map((next) => [next!.date, next!.hour, next!.confirmed])).toEqual([
      ["2025-05-01", "before_open", true],
      ["2025-05-01", "after_close", true],
      ["2025-05-01", "during_session", true],
      ["2025-05-01", "after_close", true],
    ]);
  });

  it("fail as malformed for another symbol, and are not requested for a fund", async () => {
    expect(await kindOf(requests({ price: { symbol: "MSFT" } }))).toBe("malformed");
    expect(await kindOf(requests({ price: { symbol: "AAPL" } }))).toBe("answered");
    const { provider, requests: responses } = hosts({ data: () => json(NO_DATA, 404) });
    const fund: Instrument = { ...AAPL, asset_class: "etf" };
    expect([await kindOf(provider.call(fund, { signal })), responses]).toEqual(["unsupported", []]);
  });
});
