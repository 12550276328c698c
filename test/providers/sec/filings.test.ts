import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { secFilings } from "../../../src/providers/sec/filings.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, recorded, signal, stock } from "../requests.ts";

const LISTED = {
  0: { cik_str: 1318605, ticker: "TSLA", title: "Tesla, Inc." },
  1: { cik_str: 1640147, ticker: "SNOW", title: "Snowflake Inc." },
  2: { cik_str: 1067983, ticker: "BRK-B", title: "Berkshire" },
};
type Answers = Readonly<Record<string, string | Response>>;

/** EDGAR with these documents by path; 404 for others. */
function edgar(answers: Answers, now: () => number = () => 0) {
  const documents: Answers = { "/files/company_tickers.json": JSON.stringify(LISTED), ...answers };
  const { fetch, requests, headers } = recorded(async (input) => {
    const found = documents[new URL(String(input)).pathname];
    if (found instanceof Response) return found.clone();
    return new Response(found ?? "", { status: found === undefined ? 404 : 200 });
  });
  return { requests, headers, provider: secFilings({ fetch, contact: "Acme admin@example.com", now }) };
}
const SUBMISSIONS = "/submissions/CIK0001640147.json";
const FACTS = "/api/xbrl/companyfacts/CIK0001640147.json";
const none = (cik: number | string = 1640147) => ({
  cik,
  filings: { recent: { form: [], items: [], filingDate: [], reportDate: [], acceptanceDateTime: [] } },
});
const submitted = (rows: readonly (readonly [string, string, string])[]) => ({
  cik: "0001640147",
  filings: {
    recent: {
      form: rows.map(([form]) => form),
      items: rows.map(([, items]) => items),
      filingDate: rows.map(([, , at]) => at.slice(0, 10)),
      reportDate: rows.map(([, , at]) => at.slice(0, 10)),
      acceptanceDateTime: rows.map(([, , at]) => at),
    },
  },
});

describeWithData("filings as recorded", ["fixtures", "sec"], (folder) => {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const snowflake = () =>
    edgar({ [SUBMISSIONS]: JSON.stringify(none()), [FACTS]: read("companyfacts_SNOW_trimmed.json") });

  it("contain Snowflake's quarters as last filed, each with its own dates", async () => {
    const { provider, requests, headers } = snowflake();
    const { quarters } = await provider.call(stock("SNOW"), { signal });
    expect(quarters[0]).toEqual({
      start: "2025-02-01",
      end: "2025-04-30",
      derived: false,
      form: "10-Q",
      filed: "2025-05-30",
      revenue: 1_042_074_000,
      netIncome: -430_092_000,
      epsDiluted: -1.29,
    });
    // the comparative figure of the following year, filed last
    expect(quarters.find(({ end }) => end === "2024-04-30")).toMatchObject({
      filed: "2025-05-30",
      revenue: 828_709_000,
    });
    expect(requests.map((url) => new URL(url).host)).toEqual(["www.sec.gov", "data.sec.gov", "data.sec.gov"]);
    expect(new Set(headers.map((sent) => sent.get("user-agent")))).toEqual(
      new Set(["Acme admin@example.com"]),
    );
  });

  it("derive the last quarter as the year less three quarters, without EPS if the share count changed", async () => {
    const { quarters } = await snowflake().provider.call(stock("SNOW"), { signal });
    // 3,626,396 less 828,709, 868,823 and 942,094; -3.86 less -2.88 would be -0.98, but Snowflake lost 0.99
    expect(quarters.find(({ end }) => end === "2025-01-31")).toEqual({
      start: "2024-11-01",
      end: "2025-01-31",
      derived: true,
      form: "10-K",
      filed: "2025-03-21",
      revenue: 986_770_000,
      netIncome: -327_474_000,
      epsDiluted: null,
    });
  });

  it("are found by the recorded list of tickers", async () => {
    const { provider } = edgar({
      "/files/company_tickers.json": read("company_tickers_first200.json"),
      "/submissions/CIK0000320193.json": JSON.stringify(none(320193)),
      "/submissions/CIK0001067983.json": JSON.stringify(none(1067983)),
    });
    for (const symbol of ["AAPL", "BRK.B"])
      expect(await provider.call(stock(symbol), { signal })).toEqual({ releases: [], quarters: [] });
  });

  it("contain the times of Tesla's results, in New York time if UTC is impossible", async () => {
    const { provider } = edgar({ "/submissions/CIK0001318605.json": read("submissions_trimmed150.json") });
    const { releases, quarters } = await provider.call(stock("TSLA"), { signal });
    expect(quarters).toEqual([]);
    expect(releases.slice(0, 3).map((at) => new Date(at).toISOString())).toEqual([
      "2022-10-19T21:15:46.000Z",
      "2022-10-03T10:05:40.000Z",
      "2022-07-20T20:43:32.000Z",
    ]);
    // In winter New York is five hours behind UTC.
    expect(releases.map((at) => new Date(at).toISOString())).toContain("2022-01-26T21:26:43.000Z");
  });
});

describe("filings", () => {
  const facts = (rows: Readonly<Record<string, readonly object[]>>, unit = "USD") =>
    JSON.stringify({
      cik: 1640147,
      facts: {
        "us-gaap": Object.fromEntries(
          Object.entries(rows).map(([tag, list]) => [tag, { units: { [unit]: list } }]),
        ),
      },
    });
  const fact = (start: string, end: string, val: number, filed = "2025-03-01") => ({
    start,
    end,
    val,
    filed,
    form: "10-Q",
  });
  const year = [
    fact("2024-01-01", "2024-03-31", 10),
    fact("2024-04-01", "2024-06-30", 20),
    fact("2024-07-01", "2024-09-30", 30),
    fact("2024-01-01", "2024-12-31", 100),
  ];
  const quartersOf = async (body: string) => {
    const { provider } = edgar({ [SUBMISSIONS]: JSON.stringify(none()), [FACTS]: body });
    return (await provider.call(stock("SNOW"), { signal })).quarters;
  };

  it("derive EPS of the last quarter if the share count did not change", async () => {
    const eps = year.map((one) => ({ ...one, val: one.val / 100 }));
    const result = (shares: readonly number[]) =>
      JSON.stringify({
        cik: 1640147,
        facts: {
          "us-gaap": {
            Revenues: { units: { USD: year } },
            EarningsPerShareDiluted: { units: { "USD/shares": eps } },
            WeightedAverageNumberOfDilutedSharesOutstanding: {
              units: { shares: year.map((one, i) => ({ ...one, val: shares[i]! })) },
            },
          },
        },
      });
    const last = async (shares: readonly number[]) => (await quartersOf(result(shares)))[0]!;
    expect(await last([1000, 1001, 999, 1000])).toMatchObject({
      end: "2024-12-31",
      revenue: 40,
      epsDiluted: 0.4,
    });
    expect(await last([1000, 1003, 999, 1000])).toMatchObject({ revenue: 40, epsDiluted: null });
    expect(await last([1000, 1000, 1000])).toMatchObject({ epsDiluted: null });
  });

  it("derive nothing from a year that lacks a quarter, and do not use a half year as a quarter", async () => {
    expect(await quartersOf(facts({ Revenues: year.slice(1) }))).toMatchObject([
      { end: "2024-09-30" },
      { end: "2024-06-30" },
    ]);
    expect(await quartersOf(facts({ Revenues: [fact("2024-01-01", "2024-06-30", 30)] }))).toEqual([]);
  });

  it("prefer the usual tag to others, and the last filing of a tag", async () => {
    const quarter = ["2024-01-01", "2024-03-31"] as const;
    const body = facts({
      Revenues: [fact(...quarter, 9)],
      RevenueFromContractWithCustomerExcludingAssessedTax: [
        fact(...quarter, 11, "2025-04-01"),
        fact(...quarter, 10, "2024-04-01"),
      ],
    });
    expect(await quartersOf(body)).toMatchObject([{ revenue: 11, filed: "2025-04-01" }]);
  });

  it("contain announcements of results only, also amended ones", async () => {
    const count = async (...rows: readonly (readonly [string, string, string])[]) => {
      const { provider } = edgar({ [SUBMISSIONS]: JSON.stringify(submitted(rows)) });
      return (await provider.call(stock("SNOW"), { signal })).releases.length;
    };
    const at = "2025-05-21T20:05:00.000Z";
    expect(await count(["8-K", "5.02", at], ["10-Q", "2.02", at])).toBe(0);
    expect(await count(["8-K/A", "2.02", at], ["8-K", "2.02,9.01", at])).toBe(2);
    expect(await count(["8-K", "2.02", "soon"])).toBe(0);
  });

  it("are found under a share class's dash, and read once a day", async () => {
    let at = 0;
    const { provider, requests } = edgar(
      { "/submissions/CIK0001067983.json": JSON.stringify(none("0001067983")) },
      () => at,
    );
    await provider.call(stock("BRK.B"), { signal });
    await provider.call(stock("BRK.B"), { signal });
    const lists = () => requests.filter((url) => url.endsWith("company_tickers.json"));
    expect(lists()).toHaveLength(1);
    at = 86_400_000;
    await provider.call(stock("BRK.B"), { signal });
    expect(lists()).toHaveLength(2);
  });

  it("are found although another entry of the list of tickers cannot be read", async () => {
    const list = JSON.stringify({ ...LISTED, 3: { cik_str: null, ticker: "?" }, 4: "none" });
    const { provider } = edgar({
      "/files/company_tickers.json": list,
      [SUBMISSIONS]: JSON.stringify(none()),
    });
    expect(await kindOf(provider.call(stock("SNOW"), { signal }))).toBe("answered");
  });

  it("fail for another company, an unknown one and a blocked request", async () => {
    const good = { [SUBMISSIONS]: JSON.stringify(none()), [FACTS]: facts({}) };
    const kind = (answers: Answers, symbol = "SNOW") =>
      kindOf(edgar({ ...good, ...answers }).provider.call(stock(symbol), { signal }));
    expect(await kind({})).toBe("answered");
    expect(await kind({}, "ZZZZ")).toBe("unknown_symbol");
    expect(await kind({ [SUBMISSIONS]: JSON.stringify(none(1)) })).toBe("malformed");
    expect(await kind({ [FACTS]: JSON.stringify({ cik: 1, facts: {} }) })).toBe("malformed");
    expect(await kind({ [FACTS]: "{" })).toBe("malformed");
    expect(await kind({ [FACTS]: "<html>Request Rate Threshold Exceeded</html>" })).toBe("blocked");
    expect(await kind({ [FACTS]: new Response("", { status: 429 }) })).toBe("rate_limited");
    expect(await kind({ [FACTS]: new Response("", { status: 503 }) })).toBe("down");
    expect(await kind({ "/files/company_tickers.json": "{}" })).toBe("malformed");
    const denied = new Response("<html>", { status: 403, headers: { "content-type": "text/html" } });
    expect(await kind({ "/files/company_tickers.json": denied })).toBe("blocked");
  });

  it("are not requested for a fund or a token", async () => {
    const { provider, requests } = edgar({});
    for (const asset_class of ["etf", "crypto"] as const)
      expect(await kindOf(provider.call({ ...stock("SPY"), asset_class }, { signal }))).toBe("unsupported");
    expect(requests).toEqual([]);
  });
});
