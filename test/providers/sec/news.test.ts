import { expect, it } from "vitest";
import { secNews } from "../../../src/providers/sec/news.ts";
import { secVendor } from "../../replay/sec.ts";
import { fixed, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";
import { respondWith, signal } from "../requests.ts";

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

it("sends the contact address and writes a share class after a dash", async () => {
  const { fetch, requests, headers } = respondWith({ "": "<feed></feed>" });
  const question = { instrument: fixed("BRK.B"), from: 0, until: 1 };
  await secNews({ fetch, contact }).call(question, { signal });
  expect(requests).toEqual([
    "https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=BRK-B&type=8-K&owner=include&count=40&output=atom",
  ]);
  expect(headers[0]!.get("user-agent")).toBe(contact);
});
