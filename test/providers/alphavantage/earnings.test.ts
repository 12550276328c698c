import { describe, expect, it } from "vitest";
import { alphavantageEarnings } from "../../../src/providers/alphavantage/earnings.ts";
import { fixed } from "../../support/fixed-world.ts";
import { failureOf } from "../../support/price-provider-fixture.ts";
import { respondWith, signal } from "../requests.ts";

const KEY = "secret-key-of-ours";
const AAPL = fixed("AAPL");
/** A provider with one response of status 200, like all its responses. */
function respond(body: unknown) {
  const { fetch, requests } = respondWith({ "": body });
  return { requests, provider: alphavantageEarnings({ fetch, key: KEY }) };
}
const ROW = {
  fiscalDateEnding: "2021-09-30",
  reportedDate: "2021-10-29",
  reportTime: "pre-market",
  reportedEPS: "2.96",
  estimatedEPS: "2.1919",
  surprise: "0.7681",
  surprisePercentage: "35.0427",
};

describe("Alpha Vantage's earnings", () => {
  it("are EPS against estimates, newest first, in one call", async () => {
    const older = {
      ...ROW,
      fiscalDateEnding: "2021-06-30",
      reportedDate: "2021-07-30",
      estimatedEPS: "None",
    };
    const { provider, requests } = respond({
      symbol: "AAPL",
      annualEarnings: [],
      quarterlyEarnings: [older, ROW],
    });
    const { reports, next } = await provider.call(AAPL, { signal });
    expect(requests).toEqual([
      `https://www.alphavantage.co/query?function=EARNINGS&symbol=AAPL&apikey=${KEY}`,
    ]);
    const figure = (value: number) => ({ value, basis: "adjusted", by: "alphavantage" });
    expect(next).toBeNull();
    expect(reports).toMatchObject([
      {
        period: "Q3 2021",
        periodEnd: "2021-09-30",
        reportDate: "2021-10-29",
        reportedAt: null,
        eps: { actual: figure(2.96), estimate: figure(2.1919) },
      },
      { period: "Q2 2021", eps: { estimate: null } },
    ]);
  });

  it("omit a quarter that is not reported yet", async () => {
    const rows = [
      { ...ROW, reportedEPS: "None" },
      { ...ROW, reportedDate: "" },
    ];
    const { reports } = await respond({ symbol: "AAPL", quarterlyEarnings: rows }).provider.call(AAPL, {
      signal,
    });
    expect(reports).toMatchObject([{ reportDate: null }]);
  });

  it("reads data beside an advice, and refuses data beside an error", async () => {
    const body = { symbol: "AAPL", quarterlyEarnings: [ROW] };
    const advised = { ...body, Information: "Please consider a premium plan", Note: "25 requests per day" };
    expect((await respond(advised).provider.call(AAPL, { signal })).reports).toHaveLength(1);
    const wrong = { ...body, "Error Message": "the parameter apikey is invalid or missing." };
    expect((await failureOf(respond(wrong).provider.call(AAPL, { signal }))).kind).toBe("auth");
  });

  it.each([
    [
      {
        Information: `We have detected your API key as ${KEY} and our standard API rate limit is 25 requests per day. Please subscribe to any of the premium plans.`,
      },
      "rate_limited",
    ],
    [
      { Note: "Thank you for using Alpha Vantage! Our standard API call frequency is 25 requests per day." },
      "rate_limited",
    ],
    [{ Information: "Thank you for using Alpha Vantage! This is a premium endpoint." }, "auth"],
    [{ Information: "The **demo** API key is for demo purposes only." }, "auth"],
    [{ "Error Message": "the parameter apikey is invalid or missing." }, "auth"],
    [{ "Error Message": "Invalid API call. Please retry or visit the documentation." }, "unknown_symbol"],
    [{}, "unknown_symbol"],
    [{ symbol: "MSFT", quarterlyEarnings: [ROW] }, "malformed"],
    [{ symbol: "AAPL" }, "malformed"],
    [{ symbol: "AAPL", quarterlyEarnings: [{ ...ROW, reportedEPS: "much" }] }, "malformed"],
  ])("map %j to %s", async (body, kind) => {
    const failure = await failureOf(respond(body).provider.call(AAPL, { signal }));
    expect(failure.kind).toBe(kind);
    expect(failure.message).not.toContain(KEY);
  });
});
