import { describe, expect, it } from "vitest";
import { getCongressSignal } from "../../tools/get-congress-signal.ts";
import { getCongressTrades } from "../../tools/get-congress-trades.ts";
import { getPoliticalTrades } from "../../tools/get-political-trades.ts";
import { fmpVendor } from "../replay/fmp.ts";
import { call, liveStage, refusalOf, requestCounts } from "../support/live.ts";

const WINDOW = { from: "2026-08-01", to: "2026-11-19" } as const;
const suite = liveStage("2026-11-19T16:03:20Z");
const { withInstallation } = suite;

describe("congress disclosures from live providers", () => {
  it("cover the House without a key, with parties, and report the Senate as not covered", () =>
    withInstallation(
      {},
      async (installation) => {
        const answer = await call(installation, getPoliticalTrades, { ...WINDOW, limit: 200 });
        expect(answer).toMatchObject({
          source: "houseclerk",
          market: "live",
          coverage: { house: { covered: true }, senate: { covered: false } },
        });
        expect(answer.coverage.senate.reason).toContain("FMP_KEY");
        const truth = suite.stage.world
          .filings()
          .filter(({ member, report }) => member.chamber === "house" && report === "rows");
        const byDoc = new Map(truth.map((filing) => [filing.docId, filing]));
        expect(answer.trades.length).toBeGreaterThan(5);
        for (const { id, party, member_id, filing_date } of answer.trades) {
          const { member, filed } = byDoc.get(id.split(":")[1]!)!;
          expect([party, member_id, filing_date]).toEqual([member.party, member.id, filed]);
        }
        const raw = await call(installation, getCongressTrades, WINDOW);
        expect(raw.unread_total).toBe(raw.unread.length);
        expect(requestCounts(suite.stage.replay)).toMatchObject({ fmp: 0, kadoa: 0, legislators: 1 });
      },
      "first",
    ));

  it("cover both chambers with a key and yield a signal", () =>
    withInstallation({ FMP_KEY: fmpVendor.key!, PROVIDERS_OFF: "houseclerk" }, async (installation) => {
      const { source, total } = await call(installation, getPoliticalTrades, WINDOW);
      const truth = suite.stage.world.filings().filter(({ filed }) => filed >= WINDOW.from);
      expect([source, total]).toEqual(["fmp", truth.reduce((all, { trades }) => all + trades.length, 0)]);
      const signal = await call(installation, getCongressSignal, {});
      expect(["BUYING", "SELLING", "NEUTRAL"]).toContain(signal.signal);
      expect(signal.coverage).toMatchObject({ house: { covered: true }, senate: { covered: true } });
    }));

  it("fail if no provider responds, unless an earlier start stored them", async () => {
    suite.stage.replay.set({ off: new Set(["houseclerk", "legislators"]) });
    const error = await withInstallation({}, (installation) =>
      refusalOf(installation, getCongressTrades, WINDOW),
    );
    expect(error.code).toBe("UPSTREAM_UNAVAILABLE");
    const stored = await withInstallation(
      {},
      (installation) => call(installation, getCongressTrades, WINDOW),
      "first",
    );
    expect(stored.trades.length).toBeGreaterThan(5);
    suite.stage.replay.set({});
  });

  it("name the settings that connect each chamber and the providers switched off", () =>
    withInstallation({ PROVIDERS_OFF: "houseclerk,fmp" }, async (installation) => {
      const { reason, coverage } = await call(installation, getPoliticalTrades, WINDOW);
      expect(coverage.house.reason).toMatch(
        /^No provider of House disclosures is enabled: .*; PROVIDERS_OFF switches off houseclerk, fmp$/,
      );
      expect(coverage.senate.reason).toMatch(/; PROVIDERS_OFF switches off fmp$/);
      expect(reason).toBe(`${coverage.house.reason}. ${coverage.senate.reason}`);
    }));

  it("use the data set when its terms are accepted", () =>
    withInstallation({ KADOA_TERMS: "accepted" }, async (installation) => {
      const answer = await call(installation, getPoliticalTrades, { ...WINDOW, chamber: "senate" });
      expect(answer.source).toBe("kadoa");
      expect(new Set(answer.trades.map(({ chamber }) => chamber))).toEqual(new Set(["senate"]));
    }));
});
