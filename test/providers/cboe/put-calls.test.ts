import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { putCallTrend } from "../../../src/analytics/flow/tide.ts";
import type { PutCallDay } from "../../../src/domain/options-flow/options.ts";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { cboePutCalls } from "../../../src/providers/cboe/put-calls.ts";
import { cboeVendor } from "../../replay/cboe.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixedWorld } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, signal } from "../requests.ts";

const DATE = { date: "2025-12-02" };
/** The result of one response, and the requested URL. */
async function result(body: unknown, status = 200) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    requests.push(String(input));
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
  };
  const answer = await cboePutCalls({ fetch })
    .call(DATE, { signal })
    .catch((failure: unknown) => (failure instanceof ProviderFailure ? failure.kind : failure));
  return { answer, requests };
}
const total = (value: unknown) => ({ ratios: [{ name: "TOTAL PUT/CALL RATIO", value }] });

describeProvider("cboe, put/call ratios", {
  make: (fetch) => cboePutCalls({ fetch }),
  honest: fetchFrom(cboeVendor, fixedWorld()),
  vendor: cboeVendor,
  good: DATE,
  unknown: { question: { date: "2025-11-27" }, outcome: "none" }, // Thanksgiving
  // Responses do not name their day, so those of another day cannot be detected.
  plausible(answer) {
    if (!answer.published) return;
    const { published: _, ...figures } = answer;
    for (const figure of Object.values(figures)) expect(figure === null || figure >= 0).toBe(true);
    expect(answer.total === null || (answer.total > 0 && answer.total <= 100)).toBe(true);
  },
  filled: (answer) => expect(answer).toMatchObject({ published: true, total: expect.any(Number) }),
});

describeWithData("cboe's daily statistics as documented", ["fixtures", "documented"], (folder) => {
  const rows = JSON.parse(readFileSync(join(folder, "errors_and_shapes.json"), "utf8")) as {
    readonly provider: string;
    readonly what: string;
    readonly body?: object;
  }[];
  const body = (what: string) =>
    rows.find((row) => row.provider === "cboe" && row.what.startsWith(what))!.body;
  const legacy = rows[rows.findIndex(({ what }) => what.startsWith("daily options")) + 1]!;

  it("are read by name from a list of rows, the format since July 2026", async () => {
    const { answer, requests } = await result(body("daily options statistics"));
    expect(answer).toEqual({
      published: true,
      total: 1.01,
      index: 1.06,
      etp: 1.02,
      equity: 0.57,
      callVolume: 6_031_257,
      putVolume: 6_071_481,
    });
    expect(requests).toEqual([
      "https://cdn.cboe.com/data/us/options/market_statistics/daily/2025-12-02_daily_options",
    ]);
  });

  it("are read from the single row of the legacy format", async () => {
    expect(legacy.what).toContain("legacy");
    expect((await result(legacy.body)).answer).toEqual({
      published: true,
      total: 0.9,
      index: null,
      etp: null,
      equity: null,
      callVolume: 100,
      putVolume: 200,
    });
  });
});

describe("cboe's daily statistics", () => {
  it("are not published if the file store has no such file, but has one of an earlier session", async () => {
    const files = (has: readonly string[]) => {
      const requests: string[] = [];
      const fetch: typeof globalThis.fetch = async (input) => {
        const [, date] = /daily\/(.*)_daily_options$/.exec(String(input))!;
        requests.push(date!);
        return has.includes(date!)
          ? new Response(JSON.stringify(total(0.9)))
          : new Response("<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", { status: 403 });
      };
      const call = cboePutCalls({ fetch }).call(DATE, { signal });
      return { call, requests };
    };
    const week = files(["2025-11-25"]);
    expect(await week.call).toEqual({ published: false });
    expect(week.requests).toEqual(["2025-12-02", "2025-11-25"]);
    const older = files(["2025-11-11"]);
    expect(await older.call).toEqual({ published: false });
    const refused = files([]);
    expect(await kindOf(refused.call)).toBe("blocked");
    expect(refused.requests).toEqual(["2025-12-02", "2025-11-25", "2025-11-11"]);
  });

  it.each([
    ["<!DOCTYPE html><html></html>", 403],
    ["<?xml version='1.0'?><Error/>", 403],
    ['{"message":"Forbidden"}', 403],
    ["AccessDenied", 403],
    ["", 403],
  ])("are blocked by %j with status %i", async (body, status) => {
    expect(await result(body, status)).toMatchObject({ answer: "blocked", requests: { length: 1 } });
  });

  it("are malformed without a file store's answer", async () => {
    expect((await result("", 404)).answer).toBe("malformed");
  });

  it("have null for a ratio of 0.00, and are malformed without any ratio", async () => {
    const { answer } = await result({
      ratios: [
        { name: "EQUITY PUT/CALL RATIO", value: "0.00" },
        { name: " total put/call ratio", value: 0.8 },
      ],
    });
    expect(answer).toMatchObject({ total: 0.8, equity: null, callVolume: null });
    for (const bad of [total("0.0"), { ratios: [] }, total("-1"), total("250"), total("n/a")])
      expect((await result(bad)).answer).toBe("malformed");
  });
});

describeWithData("twenty years of put/call ratios", ["fixtures", "cboe"], (folder) => {
  const lines = readFileSync(join(folder, "cboe_pc_ratios_2006-2026.csv"), "utf8")
    .trim()
    .split("\n")
    .slice(1);
  const days = lines.map((line): PutCallDay => {
    const [day = "", ...figures] = line.split(",");
    const [all, index, etp, equity] = figures.map((text) => (text === "" ? null : Number(text)));
    return {
      day,
      at: Date.parse(day),
      callVolume: null,
      putVolume: null,
      total: all ?? null,
      index: index ?? null,
      etp: etp ?? null,
      equity: equity ?? null,
    };
  });

  it("rose when markets fell in 2020 and fell in the following summer", () => {
    const until = (date: string) =>
      putCallTrend(
        days.filter(({ day }) => day <= date),
        "total",
      );
    expect(until("2020-02-28")).toMatchObject({ trend: "rising", direction: "BEARISH" });
    expect(until("2020-06-08")).toMatchObject({ trend: "falling", direction: "BULLISH" });
  });
});
