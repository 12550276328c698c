import { expect, it } from "vitest";
import { secNews } from "../../../src/providers/sec/news.ts";
import { secVendor } from "../../replay/sec.ts";
import { fixed, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";

const contact = secVendor.key!;

describeNews("sec", {
  make: (fetch) => secNews({ fetch, contact }),
  vendor: secVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "unknown_symbol",
  publisher: "SEC EDGAR",
  titled: (items) => `8-K - Current report: ${items}`,
  none: ['<feed xmlns="http://www.w3.org/2005/Atom"><title>A company</title></feed>'],
});

it("sends the contact and writes a class after a dash", async () => {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push(`${new Headers(init?.headers).get("user-agent")} ${input}`);
    return new Response("<feed></feed>");
  };
  const question = { instrument: fixed("BRK.B"), from: 0, until: 1 };
  await secNews({ fetch, contact }).call(question, { signal: new AbortController().signal });
  expect(requests).toEqual([
    `${contact} https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=BRK-B&type=8-K&owner=include&count=40&output=atom`,
  ]);
});
