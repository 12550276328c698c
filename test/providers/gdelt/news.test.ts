import { describe, expect, it } from "vitest";
import { gdeltNews } from "../../../src/providers/gdelt/news.ts";
import { gdeltVendor } from "../../replay/gdelt.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";

const DAY = 86_400_000;
const now = () => MOMENT;

describeNews("gdelt", {
  make: (fetch) => gdeltNews({ fetch, now }),
  vendor: gdeltVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "empty",
  // its answers name no symbol
  publisher: "news.example.com",
  tagged: false,
  noneSays: "nothing",
  none: ["{}", '{"articles":[]}', '{"data":null}', '{"data":[]}'],
});

describe("gdelt", () => {
  const request = async (until: number) => {
    const requests: string[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      requests.push(decodeURIComponent(String(input).replaceAll("+", " ")));
      return new Response("{}");
    };
    const question = { instrument: fixed("AAPL"), from: until - DAY, until };
    const kind = await gdeltNews({ fetch, now })
      .call(question, { signal: new AbortController().signal })
      .then(
        () => "answered",
        (failure: { kind: string }) => failure.kind,
      );
    return { requests, kind };
  };

  it("searches for the name with market words in a window", async () => {
    const { requests } = await request(MOMENT);
    expect(requests).toEqual([
      'https://api.gdeltproject.org/api/v2/doc/doc?query="Apple" (stock OR shares OR earnings OR investors) sourcelang:english&mode=artlist&format=json&sort=datedesc&maxrecords=75&startdatetime=20251202154230&enddatetime=20251203154230',
    ]);
  });

  it("does not search more than three months back", async () => {
    expect((await request(MOMENT - 80 * DAY)).kind).toBe("answered");
    const half = { instrument: fixed("AAPL"), from: MOMENT - 92 * DAY, until: MOMENT - 85 * DAY };
    const fetch = async () => new Response('{"articles":[]}');
    expect(await gdeltNews({ fetch, now }).call(half, { signal: new AbortController().signal })).toEqual({
      headlines: [],
      completeFrom: half.until,
    });
    const article = { title: "Apple shares rise", seendate: "20250908T120000Z", url: "https://a.example/1" };
    const one = async () => new Response(JSON.stringify({ articles: [article] }));
    expect(
      await gdeltNews({ fetch: one, now }).call(half, { signal: new AbortController().signal }),
    ).toMatchObject({ headlines: [{ title: "Apple shares rise" }], completeFrom: MOMENT - 89 * DAY });
    expect(await request(MOMENT - 90 * DAY)).toEqual({ requests: [], kind: "unsupported" });
  });
});
