import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filedBy, periodsOf } from "../../../src/analytics/company/statements.ts";
import { secCompany } from "../../../src/providers/sec/company.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, recorded, signal, stock } from "../requests.ts";

const LISTED = JSON.stringify({
  0: { cik_str: 1318605, ticker: "TSLA", title: "Tesla, Inc." },
  1: { cik_str: 1640147, ticker: "SNOW", title: "Snowflake Inc." },
});
const SUBMISSIONS = "/submissions/CIK0001640147.json";
const FACTS = "/api/xbrl/companyfacts/CIK0001640147.json";
const profile = (over: object = {}) =>
  JSON.stringify({ cik: "0001640147", name: "Snowflake\u202eInc.", fiscalYearEnd: "0131", ...over });
const figures = JSON.stringify({
  cik: 1640147,
  facts: {
    "us-gaap": {
      Assets: {
        units: {
          USD: [
            { end: "2025-04-30", val: 8, form: "10-Q", filed: "2025-05-30", accn: "0001640147-25-000110" },
            { end: "2025-04-30", val: 9, form: "10-Q", filed: "2025-05-30", accn: "not a number" },
          ],
        },
      },
    },
  },
});

/** EDGAR with these documents by path; 404 for others. */
function edgar(documents: Readonly<Record<string, string>>) {
  const all: Readonly<Record<string, string>> = { "/files/company_tickers.json": LISTED, ...documents };
  const { fetch, requests } = recorded(async (input) => {
    const found = all[new URL(String(input)).pathname];
    return new Response(found ?? "", { status: found === undefined ? 404 : 200 });
  });
  return {
    requests,
    fetch,
    provider: secCompany({ fetch, contact: "Acme admin@example.com", now: () => 0 }),
  };
}

describeWithData("company facts as recorded", ["fixtures", "sec"], (folder) => {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const snowflake = () =>
    edgar({ [SUBMISSIONS]: profile(), [FACTS]: read("companyfacts_SNOW_trimmed.json") });

  it("contain Snowflake's quarter with tag and filing", async () => {
    const { facts } = await snowflake().provider.call(stock("SNOW"), { signal });
    const [newest] = periodsOf(facts, "quarterly");
    const filing = { form: "10-Q", filed: "2025-05-30", accession: "0001640147-25-000110", derived: false };
    expect(newest).toMatchObject({ start: "2025-02-01", end: "2025-04-30" });
    expect(newest!.facts.get("revenue")).toMatchObject({
      value: 1_042_074_000,
      tag: "RevenueFromContractWithCustomerExcludingAssessedTax",
      ...filing,
    });
    expect(newest!.facts.get("net_income")).toMatchObject({ value: -430_092_000, ...filing });
    expect(newest!.facts.get("eps_diluted")).toMatchObject({ value: -1.29, ...filing });
    expect(newest!.facts.get("assets")).toMatchObject({ value: 8_157_407_000, ...filing });
  });

  it("give the figures of a past day from the filing of that time", async () => {
    const { facts } = await snowflake().provider.call(stock("SNOW"), { signal });
    const then = periodsOf(filedBy(facts, Date.parse("2024-06-01T00:00:00Z")), "quarterly");
    expect(then[0]!.end).toBe("2024-04-30");
    expect(then[0]!.facts.get("revenue")).toMatchObject({
      value: 828_709_000,
      filed: "2024-05-31",
      accession: "0001640147-24-000135",
    });
    const before = periodsOf(filedBy(facts, Date.parse("2024-05-31T21:29:00Z")), "quarterly");
    expect(before[0]!.end).toBe("2024-01-31");
  });

  it("derive the last quarter of a year", async () => {
    const { facts } = await snowflake().provider.call(stock("SNOW"), { signal });
    const last = periodsOf(facts, "quarterly").find(({ end }) => end === "2025-01-31")!;
    // 3,626,396 less 2,639,626
    expect(last.facts.get("revenue")).toMatchObject({ value: 986_770_000, derived: true, form: "10-K" });
    expect(last.facts.has("eps_diluted")).toBe(false);
    expect(last.start).toBe("2024-11-01");
  });

  it("have Tesla's profile", async () => {
    const { provider } = edgar({
      "/submissions/CIK0001318605.json": read("submissions_trimmed150.json"),
    });
    expect(await provider.call(stock("TSLA"), { signal })).toEqual({
      profile: {
        name: "Tesla, Inc.",
        cik: "0001318605",
        industry: "Motor Vehicles & Passenger Car Bodies",
        exchanges: ["Nasdaq"],
        state: "DE",
        fiscal_year_end: "12-31",
      },
      facts: [],
    });
  });
});

describe("SEC company facts", () => {
  it("drop unreadable figures and control characters", async () => {
    const { provider } = edgar({ [SUBMISSIONS]: profile(), [FACTS]: figures });
    const { profile: found, facts } = await provider.call(stock("SNOW"), { signal });
    expect(found).toMatchObject({ name: "Snowflake Inc.", industry: null, exchanges: [], state: null });
    expect(facts).toEqual([
      {
        line: "assets",
        tag: "Assets",
        rank: 0,
        start: null,
        end: "2025-04-30",
        value: 8,
        form: "10-Q",
        filed: "2025-05-30",
        accession: "0001640147-25-000110",
      },
    ]);
  });

  it("are joined with those under an earlier CIK, with a note; also if these cannot be read", async () => {
    const holding = JSON.stringify({ 0: { cik_str: 2115436, ticker: "SNOW", title: "A holding" } });
    const documents = {
      "/files/company_tickers.json": holding,
      "/submissions/CIK0002115436.json": profile({ cik: 2115436 }),
      "/api/xbrl/companyfacts/CIK0002115436.json": figures.replace("1640147", "2115436"),
    };
    const before = {
      "/submissions/CIK0000034088.json": profile({ cik: 34088, name: "Before" }),
      "/api/xbrl/companyfacts/CIK0000034088.json": figures
        .replace("1640147", "34088")
        .replaceAll("2025", "2024"),
    };
    const followed = await edgar({ ...documents, ...before }).provider.call(stock("SNOW"), { signal });
    expect(followed.facts.map(({ end }) => end)).toEqual(["2024-04-30", "2025-04-30"]);
    expect(followed.profile).toMatchObject({ name: "Snowflake Inc.", cik: "0002115436" });
    expect(followed.notes).toEqual([
      "Figures from before the company registered again were filed under CIK 34088",
    ]);
    const alone = await edgar(documents).provider.call(stock("SNOW"), { signal });
    expect(alone.facts.map(({ end }) => end)).toEqual(["2025-04-30"]);
    expect(alone.notes).toEqual([
      "The company filed under CIK 34088 before it registered as CIK 2115436. The SEC did not return those filings, so figures filed before the change are missing",
    ]);
  });

  it("have a note if the first figures are younger than a year", async () => {
    const revenue = (filed: readonly string[]) => ({
      cik: 1640147,
      facts: {
        "us-gaap": {
          Revenues: {
            units: {
              USD: filed.map((date) => ({
                start: "2025-02-01",
                end: "2025-04-30",
                val: 1,
                form: "10-Q",
                filed: date,
              })),
            },
          },
        },
      },
    });
    const notesOf = async (...filed: readonly string[]) => {
      const { provider } = edgar({ [SUBMISSIONS]: profile(), [FACTS]: JSON.stringify(revenue(filed)) });
      return (await provider.call(stock("SNOW"), { signal })).notes;
    };
    expect(await notesOf("2026-04-01", "2025-05-30")).toEqual([
      "The first figures under CIK 1640147 were filed on 2025-05-30. If the company registered again, earlier figures were filed under another CIK and are missing",
    ]);
    expect(await notesOf("2026-05-15", "2025-05-30")).toBeUndefined();
  });

  it("reject filings of another company and an unknown ticker", async () => {
    const other = edgar({ [SUBMISSIONS]: profile({ cik: 1 }), [FACTS]: figures }).provider;
    expect(await kindOf(other.call(stock("SNOW"), { signal }))).toBe("malformed");
    expect(await kindOf(edgar({}).provider.call(stock("SNOW"), { signal }))).toBe("unknown_symbol");
    expect(await kindOf(edgar({}).provider.call(stock("NONE"), { signal }))).toBe("unknown_symbol");
  });
});
