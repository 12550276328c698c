import { describe, expect, it } from "vitest";

import { MarketSignalError } from "../../src/client/client.ts";
import { mayRetry, slowInterval } from "../../src/dashboard/api/repeat.ts";
import { readViews } from "../../src/dashboard/pages/screener/views-stored.ts";
import { parsed } from "../../src/dashboard/pages/shared/stored.ts";
import { pastDayOf } from "../../src/dashboard/pages/symbol/past.ts";
import { readVisit } from "../../src/dashboard/pages/today/visit.ts";

describe("what a browser stores", () => {
  it.each([["{bad"], ["null"], ['"x"'], ['{"a":1}'], [undefined]])("reads no views from %s", (text) => {
    expect(parsed(text, readViews)).toBeNull();
  });

  it("leaves out what is no view", () => {
    const view = { name: "Longs", query: "bias=LONG" };
    expect(parsed(JSON.stringify([null, 1, { name: "x" }, view]), readViews)).toEqual([view]);
  });

  it.each([["null"], ['{"since":"x","seen":"y"}'], ['{"since":null,"seen":1e20}'], ['{"seen":1}']])(
    "reads no visit from %s",
    (text) => {
      expect(parsed(text, readVisit)).toBeNull();
    },
  );

  it("reads a visit", () => {
    expect(parsed('{"since":null,"seen":5}', readVisit)).toEqual({ since: null, seen: 5 });
  });
});

describe("the day of an address", () => {
  it.each([
    ["2026-11-27", "2026-11-27"],
    ["2026-11-29", null],
    ["2999-01-01", null],
    ["2026-02-30", null],
    ["2026-99-99", null],
    ["x", null],
    [null, null],
  ])("of %s is %s", (text, day) => {
    expect(pastDayOf(text, Date.parse("2026-11-29T12:00:00Z"))).toBe(day);
  });
});

describe("repeated calls", () => {
  const error = new Error("unavailable");

  it("are 5 minutes apart, and after errors as far apart in the end", () => {
    expect(slowInterval({ error: null, errorUpdateCount: 3 })).toBe(300_000);
    const waits = [1, 2, 3, 4, 5, 6, 5_000].map((errorUpdateCount) =>
      slowInterval({ error, errorUpdateCount }),
    );
    expect(waits).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  });

  it("are retried at once only if the same call may succeed", () => {
    const refused = new MarketSignalError("no", { code: "INVALID_INPUT", retryable: false });
    const busy = new MarketSignalError("later", { code: "UPSTREAM_UNAVAILABLE", retryable: true });
    expect([error, refused, busy].map((cause) => mayRetry(0, cause))).toEqual([true, false, true]);
    expect(mayRetry(1, busy)).toBe(false);
  });
});
