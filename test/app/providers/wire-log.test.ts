import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { createProviderFactory } from "../../../src/app/providers/provider-factory.ts";
import { createWireLog } from "../../../src/app/providers/wire-log.ts";
import { cboe } from "../../../src/providers/cboe/prices.ts";
import { createHttpClient } from "../../../src/providers/shared/http-client.ts";
import { cboeVendor } from "../../replay/cboe.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld } from "../../support/fixed-world.ts";
import { settableClock } from "../../support/providers.ts";

const { signal } = new AbortController();

/** Redirects from one host to another, whose responses are `{}`. */
const movedTo =
  (target: string): typeof fetch =>
  async (input) =>
    new URL(String(input)).host === "a.vendor.example"
      ? new Response(null, { status: 307, headers: { location: `https://${target}/b` } })
      : new Response("{}");

describe("the notes on a provider's responses", () => {
  it.each([
    ["b.vendor.example", "a.vendor.example redirects to b.vendor.example: followed"],
    ["evil.example", "a.vendor.example redirects to evil.example: refused"],
  ])("name the target %s once, and whether it was followed", async (target, detail) => {
    const log = createWireLog();
    const client = createHttpClient({
      fetch: log.watch("vendor", movedTo(target)),
      baseUrl: "https://a.vendor.example",
      redirectsWithin: "vendor.example",
    });
    for (let i = 0; i < 3; i++) await client.json(`/${i}`, { signal }).catch(() => null);
    expect(log.notes()).toEqual([{ name: "vendor", detail }]);
  });

  it("count the unreadable rows of each provider", () => {
    const log = createWireLog();
    log.unreadable("one", 2);
    log.unreadable("two", 1);
    log.unreadable("one", 3);
    expect(log.notes()).toEqual([
      { name: "one", detail: "unreadable rows dropped: 5" },
      { name: "two", detail: "unreadable rows dropped: 1" },
    ]);
  });

  it("are collected by the factory of providers", async () => {
    const config = readConfig({ MARKET_DATA: "live", PROVIDER_URL_CBOE: "https://cdn.cboe.com" });
    const world = fixedWorld();
    const clock = settableClock(new Date(world.now()).toISOString());
    const factory = createProviderFactory(config, { fetch: fetchFrom(cboeVendor, world), clock });
    const [provider] = factory.create("cboe", cboe, { content: "prices" });
    await provider!.call((stop) => provider!.provider.latest!(fixed("AAPL"), { signal: stop }), signal);
    expect(factory.wireNotes()).toEqual([
      { name: "cboe", detail: "cdn.cboe.com redirects to cdn-api.cboe.com: followed" },
    ]);
  });
});
