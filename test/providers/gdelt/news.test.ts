import { describe, expect, it } from "vitest";
import type { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { gdeltNews } from "../../../src/providers/gdelt/news.ts";
import { gdeltVendor } from "../../replay/gdelt.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";
import { kindOf, respondWith, signal } from "../requests.ts";

const DAY = 86_400_000;
const now = () => MOMENT;

describeNews("gdelt", {
  make: (fetch) => gdeltNews({ fetch, now }),
  vendor: gdeltVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "empty",
  publisher: "news.example.com",
  // responses do not contain the symbol
  tagged: false,
  noneSays: "nothing",
  none: ["{}", '{"articles":[]}', '{"data":null}', '{"data":[]}'],
});

describe("gdelt", () => {
  const request = (from: number, until: number, body: unknown = {}) => {
    const { fetch, requests } = respondWith({ "": body });
    const news = gdeltNews({ fetch, now }).call({ instrument: fixed("AAPL"), from, until }, { signal });
    return { requests, news };
  };

  it("searches a period for the company name together with stock-market keywords", async () => {
    const { requests, news } = request(MOMENT - DAY, MOMENT);
    await news;
    expect(requests).toEqual([
      'https://api.gdeltproject.org/api/v2/doc/doc?query="Apple" (stock OR shares OR earnings OR investors) sourcelang:english&mode=artlist&format=json&sort=datedesc&maxrecords=75&startdatetime=20251202154230&enddatetime=20251203154230',
    ]);
  });

  it("is not called for a while after a refusal, each time twice as long up to six hours, until a search succeeds", async () => {
    let at = MOMENT;
    let response = () => new Response("", { status: 429 });
    const { fetch, requests } = respondWith({ "": () => response() });
    const { call } = gdeltNews({ fetch, now: () => at });
    const question = { instrument: fixed("AAPL"), from: MOMENT - DAY, until: MOMENT };
    const failed = async () => {
      const failure: unknown = await call(question, { signal }).catch((cause: unknown) => cause);
      const { kind, retryAfterMs } = failure as ProviderFailure;
      return [kind, retryAfterMs! / 60_000, requests.length];
    };
    expect(await failed()).toEqual(["rate_limited", 15, 1]);
    at += 5 * 60_000;
    expect(await failed()).toEqual(["rate_limited", 10, 1]);
    const rests = [30, 60, 120, 240, 360, 360];
    for (const [i, minutes] of rests.entries()) {
      at += 360 * 60_000;
      expect(await failed()).toEqual(["rate_limited", minutes, i + 2]);
    }
    at += 360 * 60_000;
    response = () => new Response('{"articles":[]}');
    expect(await kindOf(call(question, { signal }))).toBe("answered");
    response = () => new Response("Please limit requests to one every 5 seconds");
    expect(await failed()).toEqual(["rate_limited", 15, 9]);
    // the clock was ahead when the rest began
    at -= 30 * DAY;
    expect((await failed())[2]).toBe(10);
  });

  it("does not search more than three months back", async () => {
    await request(MOMENT - 81 * DAY, MOMENT - 80 * DAY).news;
    const [from, until] = [MOMENT - 92 * DAY, MOMENT - 85 * DAY];
    const none = { headlines: [], completeFrom: until };
    expect(await request(from, until, { articles: [] }).news).toEqual(none);
    const article = { title: "Apple shares rise", seendate: "20250908T120000Z", url: "https://a.example/1" };
    expect(await request(from, until, { articles: [article] }).news).toMatchObject({
      headlines: [{ title: "Apple shares rise" }],
      completeFrom: MOMENT - 89 * DAY,
    });
    const older = request(MOMENT - 91 * DAY, MOMENT - 90 * DAY);
    expect([await kindOf(older.news), older.requests]).toEqual(["unsupported", []]);
  });
});
