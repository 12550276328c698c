import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getCongressSignal } from "../../tools/get-congress-signal.ts";
import { getCongressTrades } from "../../tools/get-congress-trades.ts";
import { getPoliticalTrades } from "../../tools/get-political-trades.ts";
import { fmpVendor } from "../replay/fmp.ts";
import { filingsOf } from "../replay/tape/disclosed.ts";
import type { Installation } from "../support/installation.ts";
import { heard, type LiveStage, refused, stageAt, told } from "../support/live.ts";
import { suiteDir } from "../support/temp-dir.ts";

const WINDOW = { from: "2026-08-01", to: "2026-11-19" } as const;
const suite = suiteDir();
let stage: LiveStage;
beforeAll(async () => {
  stage = await stageAt("2026-11-19T16:03:20Z");
});
afterAll(async () => {
  await stage.close();
  suite.remove();
});

async function withHouse<T>(
  name: string,
  env: Record<string, string>,
  use: (house: Installation) => Promise<T>,
) {
  const folder = join(suite.dir, name);
  mkdirSync(folder, { recursive: true });
  const house = await stage.open(folder, env);
  try {
    return await use(house);
  } finally {
    await house.stop();
  }
}

describe("disclosures of the live program", () => {
  it("are those of the House without a key, joined to parties, and say that the Senate is not covered", () =>
    withHouse("free", {}, async (house) => {
      const answer = await told(house, getPoliticalTrades, { ...WINDOW, limit: 200 });
      expect(answer).toMatchObject({
        source: "houseclerk",
        market: "live",
        coverage: { house: { covered: true }, senate: { covered: false } },
      });
      expect(answer.coverage.senate.reason).toContain("FMP_KEY");
      const truth = filingsOf(stage.world).filter(
        ({ person, report }) => person.chamber === "house" && report === "rows",
      );
      const byDoc = new Map(truth.map((filing) => [filing.docId, filing]));
      expect(answer.trades.length).toBeGreaterThan(5);
      for (const { id, party, member_id, filing_date } of answer.trades) {
        const { person, filed } = byDoc.get(id.split(":")[1]!)!;
        expect([party, member_id, filing_date]).toEqual([person.party, person.id, filed]);
      }
      const raw = await told(house, getCongressTrades, WINDOW);
      expect(raw.unread_total).toBe(raw.unread.length);
      expect(heard(stage.replay)).toMatchObject({ fmp: 0, kadoa: 0, legislators: 1 });
    }));

  it("are those of both chambers with a key, and give a signal", () =>
    withHouse("keyed", { FMP_KEY: fmpVendor.key!, PROVIDERS_OFF: "houseclerk" }, async (house) => {
      const { source, total } = await told(house, getPoliticalTrades, WINDOW);
      const truth = filingsOf(stage.world).filter(({ filed }) => filed >= WINDOW.from);
      expect([source, total]).toEqual(["fmp", truth.reduce((all, { rows }) => all + rows.length, 0)]);
      const signal = await told(house, getCongressSignal, {});
      expect(["BUYING", "SELLING", "NEUTRAL"]).toContain(signal.signal);
      expect(signal.coverage).toMatchObject({ house: { covered: true }, senate: { covered: true } });
    }));

  it("fail where nobody answers, and are kept from the start before", async () => {
    stage.replay.set({ off: new Set(["houseclerk", "legislators"]) });
    const nothing = await withHouse("silent", {}, (house) => refused(house, getCongressTrades, WINDOW));
    expect(nothing.code).toBe("UPSTREAM_UNAVAILABLE");
    const kept = await withHouse("free", {}, (house) => told(house, getCongressTrades, WINDOW));
    expect(kept.trades.length).toBeGreaterThan(5);
    stage.replay.set({});
  });

  it("say of each chamber what would connect it, and what of it is switched off", () =>
    withHouse("off", { PROVIDERS_OFF: "houseclerk,fmp" }, async (house) => {
      const { reason, coverage } = await told(house, getPoliticalTrades, WINDOW);
      expect(coverage.house.reason).toMatch(
        /^No source of the House is on: .*; PROVIDERS_OFF switches off houseclerk, fmp$/,
      );
      expect(coverage.senate.reason).toMatch(/; PROVIDERS_OFF switches off fmp$/);
      expect(reason).toBe(`${coverage.house.reason}. ${coverage.senate.reason}`);
    }));

  it("use the data set where its terms are accepted", () =>
    withHouse("open", { KADOA_TERMS: "accepted" }, async (house) => {
      const answer = await told(house, getPoliticalTrades, { ...WINDOW, chamber: "senate" });
      expect(answer.source).toBe("kadoa");
      expect(new Set(answer.trades.map(({ chamber }) => chamber))).toEqual(new Set(["senate"]));
    }));
});
