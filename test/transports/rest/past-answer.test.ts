import { describe, expect, it } from "vitest";
import { createAnswers } from "../../../src/market/answers.ts";
import { explainSignal } from "../../../tools/explain-signal.ts";
import { getHistory } from "../../../tools/get-history.ts";
import { getSignal } from "../../../tools/get-signal.ts";
import { getSignalHistory } from "../../../tools/get-signal-history.ts";
import { getSymbolPage } from "../../../tools/get-symbol-page.ts";
import { asPro, httpApp, httpServerDeps } from "../../support/http.ts";
import { simulatedMarket } from "../../support/market.ts";

const market = simulatedMarket("2026-01-15T15:00:00.000Z");
let now = Date.parse("2026-01-15T15:00:00.000Z");
const clock = { ...market.clock, now: () => new Date(now) };
const tools = [getSignal, getHistory, explainSignal, getSymbolPage, getSignalHistory];
// the answer is computed again for each call
const answers = createAnswers(() => String(now));
const app = httpApp(httpServerDeps(tools, { ports: { ...market, clock, answers } as object }));
const get = (path: string, headers: Record<string, string> = {}) =>
  app.request(path, { headers: { ...asPro, ...headers } });

describe("an answer as of a past time", () => {
  it.each([
    "/api/v1/signals/AAPL?",
    "/api/v1/history/AAPL?",
    "/api/v1/explain/AAPL?",
    "/api/v1/symbols/AAPL?bars=20&",
    "/api/v1/signals/AAPL/history?limit=3&",
  ])("of %s has the same tag an hour later, and may be used by a browser for an hour", async (path) => {
    const first = await get(`${path}as_of=2025-10-01`);
    expect([first.status, first.headers.get("cache-control")]).toEqual([200, "private, max-age=3600"]);
    const tag = first.headers.get("etag")!;
    now += 3_600_000;
    const later = await get(`${path}as_of=2025-10-01`, { "if-none-match": tag });
    expect([later.status, later.headers.get("etag"), await later.text()]).toEqual([304, tag, ""]);
  });

  it("is validated before each use if its inputs may still arrive", async () => {
    const recent = await get("/api/v1/history/AAPL?as_of=2026-01-14");
    expect(recent.headers.get("cache-control")).toBe("private, no-cache");
  });
});
