import { describe, expect, it } from "vitest";
import { MarketSignalError } from "../../src/client/error.ts";
import { requestOf } from "../../src/client/request.ts";

const BASE = "https://signals.example";
const failure = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (cause) {
    return cause;
  }
};

describe("the request of a tool", () => {
  it("puts fields of the path there and the rest into the query of a GET", () => {
    const input = {
      symbol: "BTC/USD",
      timeframe: "4h",
      limit: 3,
      verify: false,
      after: undefined,
      note: null,
    };
    expect(requestOf(BASE, "GET /api/v1/history/:symbol", input)).toEqual({
      method: "GET",
      url: `${BASE}/api/v1/history/BTC%2FUSD?timeframe=4h&limit=3&verify=false`,
    });
  });

  it("sends lists and objects in a query as JSON", () => {
    const { url } = requestOf(BASE, "GET /api/v1/quotes", { symbols: ["A,B", "C"], rule: { rsi: 30 } });
    expect([...new URL(url).searchParams]).toEqual([
      ["symbols", '["A,B","C"]'],
      ["rule", '{"rsi":30}'],
    ]);
  });

  it.each(["POST", "PUT", "DELETE"])("sends the rest as the body of a %s", (method) => {
    expect(
      requestOf(BASE, `${method} /api/v1/lists/:name`, { name: "a b", symbols: ["AAPL"], note: null }),
    ).toEqual({
      method,
      url: `${BASE}/api/v1/lists/a%20b`,
      body: '{"symbols":["AAPL"],"note":null}',
    });
  });

  it("has neither query nor body without further fields", () => {
    expect(requestOf(BASE, "GET /api/v1/quote/:symbol", { symbol: "AAPL" }).url).toBe(
      `${BASE}/api/v1/quote/AAPL`,
    );
    expect(requestOf(BASE, "POST /api/v1/stop", {})).toEqual({ method: "POST", url: `${BASE}/api/v1/stop` });
  });

  it.each([undefined, null, "", ".", ".."])(
    "refuses %s in a path, which would name another path",
    (symbol) => {
      const thrown = failure(() => requestOf(BASE, "GET /api/v1/quote/:symbol", { symbol }));
      expect(thrown).toBeInstanceOf(MarketSignalError);
      expect(thrown).toMatchObject({
        code: "INVALID_INPUT",
        errors: [{ pointer: "/symbol", detail: "Required" }],
      });
    },
  );
});
