import { describe, expect, it } from "vitest";
import { yahooChains } from "../../../src/providers/yahoo/chains.ts";
import { fetchCookies } from "../../../src/providers/yahoo/cookies.ts";
import { yahooEarnings } from "../../../src/providers/yahoo/earnings.ts";
import { yahoo } from "../../../src/providers/yahoo/prices.ts";
import { fetchFrom, type Reply, type Vendor } from "../../replay/vendor.ts";
import { yahooVendor, yahooWithConsent } from "../../replay/yahoo.ts";
import { fixed, fixedWorld } from "../../support/fixed-world.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, signal } from "../requests.ts";

const AAPL = fixed("AAPL");
const now = () => fixedWorld().now();
const refused = (status: number): Reply => ({ status, body: "Edge: Too Many Requests" });

/** The replayed vendor; `change` may replace its response to a request. */
function replay(
  vendor: Vendor = yahooVendor,
  change: (url: URL, headers: Headers) => Reply | Headers | null = () => null,
) {
  const requests: string[] = [];
  const agents = new Set<string>();
  const honest = fetchFrom(vendor, fixedWorld());
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    const headers = new Headers(init?.headers);
    requests.push(`${init?.method ?? "GET"} ${url.host}${url.pathname}`);
    agents.add(headers.get("user-agent") ?? "");
    const changed = change(url, headers);
    if (changed instanceof Headers) return honest(input, { ...init, headers: changed });
    if (changed !== null)
      return new Response(changed.body, {
        status: changed.status,
        ...(changed.headers && { headers: changed.headers }),
      });
    return honest(input, init);
  };
  return { requests, agents, fetch };
}
const callBoth = ({ fetch }: { readonly fetch: typeof globalThis.fetch }) =>
  Promise.all([
    yahooChains({ fetch, now }).call(AAPL, { signal }),
    yahooEarnings({ fetch, now }).call(AAPL, { signal }),
  ]);

describe("options and earnings of the replayed Yahoo", () => {
  it("are returned with a crumb, which is requested with any type accepted", async () => {
    const accepted: (string | null)[] = [];
    const vendor = replay(yahooVendor, ({ pathname }, headers) => {
      if (pathname === "/v1/test/getcrumb") accepted.push(headers.get("accept"));
      return null;
    });
    const [chain, { reports }] = await callBoth(vendor);
    expect([chain.contracts.length > 0, reports.length]).toEqual([true, 4]);
    expect(accepted).toEqual(["*/*", "*/*"]);
  });

  it("fail with a request that accepts only JSON, because the crumb is refused with 406", async () => {
    const onlyJson = replay(yahooVendor, ({ pathname }, headers) =>
      pathname === "/v1/test/getcrumb"
        ? new Headers({ ...Object.fromEntries(headers), accept: "application/json" })
        : null,
    );
    const json = { fetch: onlyJson.fetch, now };
    expect(await kindOf(yahooChains(json).call(AAPL, { signal }))).toBe("malformed");
    expect(await kindOf(yahooEarnings(json).call(AAPL, { signal }))).toBe("malformed");
  });

  it("are returned after consent, through redirects within yahoo.com", async () => {
    const vendor = replay(yahooWithConsent);
    const { reports } = await yahooEarnings({ fetch: vendor.fetch, now }).call(AAPL, { signal });
    expect(reports).toHaveLength(4);
    expect(vendor.requests).toEqual([
      "GET fc.yahoo.com/",
      "GET guce.yahoo.com/consent",
      "GET consent.yahoo.com/v2/collectConsent",
      "POST consent.yahoo.com/v2/collectConsent",
      "GET guce.yahoo.com/copyConsent",
      "GET query1.finance.yahoo.com/v1/test/getcrumb",
      "GET query2.finance.yahoo.com/v10/finance/quoteSummary/AAPL",
    ]);
  });
});

describe("Yahoo's consent", () => {
  const at = (path: string, reply: Reply) =>
    replay(yahooWithConsent, ({ pathname }) => (pathname === path ? reply : null));
  const moved = (location: string): Reply => ({ status: 302, headers: { location }, body: "" });
  const attempt = ({ fetch }: { readonly fetch: typeof globalThis.fetch }) =>
    kindOf(fetchCookies({ fetch }, { userAgent: "Mozilla/5.0", signal }));

  it.each([
    "https://evil.example/consent",
    "https://yahoo.com.evil.example/consent",
    "http://guce.yahoo.com/consent",
    "https://guce.yahoo.com:8443/consent",
  ])("never leads to %s", async (location) => {
    for (const path of ["/", "/consent", "/copyConsent"]) {
      const vendor = at(path, moved(location));
      expect(await attempt(vendor)).toBe("blocked");
      expect(vendor.requests.join(" ")).not.toMatch(/evil|8443/);
    }
  });

  it("ends without a form, after a form that is not accepted, and in a circle", async () => {
    const page = (body: string): Reply => ({ status: 200, body });
    expect(await attempt(at("/v2/collectConsent", page("<html>none</html>")))).toBe("blocked");
    const form = '<input name="csrfToken" value="a"><input name="sessionId" value="b">';
    const again = at("/v2/collectConsent", page(form));
    expect([await attempt(again), again.requests.length]).toEqual(["blocked", 4]);
    const circle = at("/consent", moved("https://guce.yahoo.com/consent"));
    expect([await attempt(circle), circle.requests.length]).toEqual(["blocked", 8]);
  });
});

describe("a host of Yahoo that refuses", () => {
  it.each([
    ["query1.finance.yahoo.com", 429],
    ["query2.finance.yahoo.com", 429],
    ["query1.finance.yahoo.com", 451],
    ["query2.finance.yahoo.com", 503],
  ])(
    "is replaced by the other one for crumb, options, reports, charts and lists: %s %i",
    async (host, status) => {
      const vendor = replay(yahooVendor, (url) => (url.host === host ? refused(status) : null));
      const [chain, { reports }] = await callBoth(vendor);
      expect([chain.contracts.length > 0, reports.length, vendor.agents.size]).toEqual([true, 4, 1]);
      const prices = yahoo({ fetch: vendor.fetch, now });
      expect((await prices.latest!(AAPL, { signal })).price).toBeGreaterThan(0);
      expect((await prices.latestOf!([AAPL, fixed("SPY")], { signal })).size).toBe(2);
      // the one that serves is asked first from then on
      const before = vendor.requests.length;
      await prices.latest!(AAPL, { signal });
      await prices.latestOf!([AAPL], { signal });
      expect(vendor.requests.slice(before).some((request) => request.includes(host))).toBe(false);
    },
  );
});

describe("a user agent that Yahoo refuses", () => {
  it.each([401, 403, 429])("with status %i is replaced by another one", async (status) => {
    const vendor = replay(yahooVendor, (_, headers) =>
      headers.get("user-agent")!.includes("Chrome") ? refused(status) : null,
    );
    const [chain, { reports }] = await callBoth(vendor);
    expect([chain.contracts.length > 0, reports.length, vendor.agents.size]).toEqual([true, 4, 2]);
    const prices = yahoo({ fetch: vendor.fetch });
    expect((await prices.latest!(AAPL, { signal })).price).toBeGreaterThan(0);
    // the one that worked is used from then on
    const before = vendor.requests.length;
    await prices.latest!(AAPL, { signal });
    expect(vendor.requests.length - before).toBe(1);
  });

  it("may also be the short one, and if both are refused the call fails", async () => {
    const short = replay(yahooVendor, (_, headers) =>
      headers.get("user-agent") === "Mozilla/5.0" ? refused(429) : null,
    );
    expect((await callBoth(short))[1].reports).toHaveLength(4);
    const both = replay(yahooVendor, () => refused(429));
    expect(await kindOf(yahoo({ fetch: both.fetch }).latest!(AAPL, { signal }))).toBe("rate_limited");
    // each with each of two hosts
    expect(both.requests).toHaveLength(4);
  });
});

describeWithData("Yahoo's consent as recorded in February 2025", ["fixtures", "yahoo"], (folder) => {
  interface Recording {
    readonly request: { readonly url: string; readonly method: string };
    readonly response: {
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[]>>;
      readonly bodyText: string;
    };
  }
  const recordings = ["", "-consent.html", "-collectConsentSubmit", "-copyConsent"].map((name) =>
    readJson<Recording>(folder, `getCrumb-quote-AAPL${name}.json`),
  );
  const crumb = readJson<Recording>(folder, "getCrumb-getcrumb.json");

  it("is passed, with the cookies of every step", async () => {
    const sent: [string, string][] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const url = new URL(String(input));
      const method = init?.method ?? "GET";
      sent.push([`${method} ${url.host}`, new Headers(init?.headers).get("cookie") ?? ""]);
      // the recording began at a page of finance.yahoo.com, whose first redirect is the same
      const path = url.host === "fc.yahoo.com" ? "/quote/AAPL" : url.pathname;
      if (path === "/v2/collectConsent" && method === "GET")
        return new Response(
          '<form><input type="hidden" name="csrfToken" value="GoNrer0"><input type="hidden" name="sessionId" value="3_cc"></form>',
        );
      const { response } = recordings.find(
        ({ request }) => new URL(request.url).pathname === path && request.method === method,
      )!;
      const headers = Object.entries(response.headers).flatMap(([name, value]) =>
        [value].flat().map((text): [string, string] => [name, text]),
      );
      return new Response(null, { status: response.status, headers });
    };
    const cookies = await fetchCookies({ fetch }, { userAgent: "Mozilla/5.0", signal });
    const names = (header: string) => header.split("; ").map((pair) => pair.split("=")[0]);
    expect(names(cookies.headerFor("query1.finance.yahoo.com"))).toEqual([
      "GUCS",
      "GUC",
      "A3",
      "A1S",
      "EuConsent",
      "A1",
    ]);
    expect(sent.map(([request, cookie]) => [request, names(cookie)])).toEqual([
      ["GET fc.yahoo.com", [""]],
      ["GET guce.yahoo.com", ["GUCS"]],
      ["GET consent.yahoo.com", ["GUCS"]],
      ["POST consent.yahoo.com", ["GUCS"]],
      ["GET guce.yahoo.com", ["GUCS"]],
    ]);
    // what a crumb was given for: plain text to any accepted type
    expect(crumb.response).toMatchObject({ status: 200, bodyText: expect.stringMatching(/^\S{11}$/) });
  });
});
