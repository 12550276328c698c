import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { secInsiders } from "../../../src/providers/sec/insiders.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, recorded, signal, stock } from "../requests.ts";

const TESLA = 1318605;
const LIST = `/submissions/CIK000${TESLA}.json`;
const LISTED = JSON.stringify({ 0: { cik_str: TESLA, ticker: "TSLA", title: "Tesla, Inc." } });

/** EDGAR with these documents by path; 404 for others. */
function edgar(documents: Readonly<Record<string, string>>) {
  const all: Readonly<Record<string, string>> = { "/files/company_tickers.json": LISTED, ...documents };
  const { fetch, requests } = recorded(async (input) => {
    const found = all[new URL(String(input)).pathname];
    return new Response(found ?? "", { status: found === undefined ? 404 : 200 });
  });
  const provider = secInsiders({ fetch, contact: "Acme admin@example.com", now: () => 0 });
  const archived = () =>
    requests.map((url) => new URL(url)).filter(({ pathname }) => pathname.startsWith("/Arch"));
  const read = (over: object = {}) =>
    provider.call({ instrument: stock("TSLA"), openMarket: false, count: 100, ...over }, { signal });
  return { read, archived };
}

interface Row {
  readonly code?: string;
  readonly shares?: string;
  readonly price?: string;
  readonly side?: string;
  readonly table?: "nonDerivative" | "derivative";
}
const value = (name: string, text: string) => `<${name}><value>${text}</value></${name}>`;
const rowOf = ({ code = "S", shares = "100", price = "20.5", side = "D", table = "nonDerivative" }: Row) =>
  `<${table}Table><${table}Transaction>
    ${value("securityTitle", "Common Stock")}${value("transactionDate", "2022-11-28")}
    <transactionCoding><transactionFormType>4</transactionFormType><transactionCode>${code}</transactionCode></transactionCoding>
    <transactionAmounts>${value("transactionShares", shares)}
      <transactionPricePerShare>${price === "" ? '<footnoteId id="F1"/>' : `<value>${price}</value>`}</transactionPricePerShare>
      ${value("transactionAcquiredDisposedCode", side)}</transactionAmounts>
    <postTransactionAmounts>${value("sharesOwnedFollowingTransaction", "900")}</postTransactionAmounts>
    <ownershipNature>${value("directOrIndirectOwnership", "D")}</ownershipNature>
  </${table}Transaction></${table}Table>`;

/** A Form 4 of two owners as the EDGAR Ownership XML specification describes it. */
const form4 = (row: Row = {}, cik = TESLA) => `<?xml version="1.0"?>
<ownershipDocument>
  <documentType>4</documentType>
  <issuer><issuerCik>000${cik}</issuerCik><issuerName>Tesla, Inc.</issuerName></issuer>
  <reportingOwner>
    <reportingOwnerId><rptOwnerCik>0000000001</rptOwnerCik><rptOwnerName>Doe Jane\u202e</rptOwnerName></reportingOwnerId>
    <reportingOwnerRelationship><isDirector>1</isDirector><isOfficer>true</isOfficer>
      <isTenPercentOwner>0</isTenPercentOwner><officerTitle>CFO</officerTitle></reportingOwnerRelationship>
  </reportingOwner>
  <reportingOwner><reportingOwnerId><rptOwnerName>A trust</rptOwnerName></reportingOwnerId></reportingOwner>
  <aff10b5One>1</aff10b5One>
  ${rowOf(row)}
  <nonDerivativeTable><nonDerivativeHolding>${value("securityTitle", "Held only")}</nonDerivativeHolding></nonDerivativeTable>
</ownershipDocument>`;

/** A list of Forms 4 filed on these days, newest first, and their paths. */
function filings(
  days: readonly string[],
  { form = "4", cik = TESLA as number | string, file = "xslF345X03/doc4.xml" } = {},
) {
  const accession = days.map((_, i) => `0000899243-22-${String(900_000 - i)}`);
  const recent = {
    form: days.map(() => form),
    filingDate: days,
    accessionNumber: accession,
    primaryDocument: days.map(() => file),
  };
  const paths = accession.map((one) => `/Archives/edgar/data/${TESLA}/${one.replaceAll("-", "")}/doc4.xml`);
  return { list: JSON.stringify({ cik, filings: { recent } }), paths };
}

describe("SEC insider trades", () => {
  it("have owner, role, date, code, shares, price, holding and filing", async () => {
    const { list, paths } = filings(["2022-11-30"]);
    const { read, archived } = edgar({ [LIST]: list, [paths[0]!]: form4() });
    expect(await read()).toEqual({
      trades: [
        {
          owner: "Doe Jane",
          relations: ["director", "officer"],
          title: "CFO",
          joint_owners: 1,
          date: "2022-11-28",
          code: "S",
          direction: "disposed",
          security: "Common Stock",
          derivative: false,
          shares: 100,
          price: 20.5,
          held_after: 900,
          ownership: "direct",
          plan: true,
          form: "4",
          filed: "2022-11-30",
          accession: "0000899243-22-900000",
        },
      ],
      read: 1,
      unread: 0,
      more: false,
    });
    expect(archived().map(({ host }) => host)).toEqual(["www.sec.gov"]);
    await read();
    expect(archived()).toHaveLength(1);
  });

  it.each<[Row, object]>([
    [
      { code: "A", side: "A", price: "" },
      { code: "A", direction: "acquired", price: null },
    ],
    [
      { code: "M", table: "derivative" },
      { code: "M", derivative: true },
    ],
    [
      { shares: "1.5", price: "0" },
      { shares: 1.5, price: 0 },
    ],
    [
      { shares: "-5", price: "a lot" },
      { shares: null, price: null },
    ],
  ])("read a row with %j", async (row, expected) => {
    const { list, paths } = filings(["2022-11-30"]);
    const { trades } = await edgar({ [LIST]: list, [paths[0]!]: form4(row) }).read();
    expect(trades).toMatchObject([expected]);
  });

  it.each<Row>([{ code: "?" }, { side: "" }])("skip a row with %j", async (row) => {
    const { list, paths } = filings(["2022-11-30"]);
    expect(await edgar({ [LIST]: list, [paths[0]!]: form4(row) }).read()).toMatchObject({
      trades: [],
      read: 1,
    });
  });

  it("stop after enough transactions, and at 24 filings", async () => {
    const days = Array.from({ length: 30 }, () => "2022-11-30");
    const { list, paths } = filings(days);
    const documents = Object.fromEntries(paths.map((path) => [path, form4()]));
    const all = edgar({ [LIST]: list, ...documents });
    expect(await all.read()).toMatchObject({ read: 24, more: true });
    const few = edgar({ [LIST]: list, ...documents });
    const { trades, more } = await few.read({ count: 3 });
    expect([trades.length, more, few.archived().length]).toEqual([4, true, 4]);
  });

  it("are only purchases and sales if requested", async () => {
    const { list, paths } = filings(["2022-11-30", "2022-11-29"]);
    const { read } = edgar({
      [LIST]: list,
      [paths[0]!]: form4({ code: "F" }),
      [paths[1]!]: form4({ code: "P" }),
    });
    expect((await read({ openMarket: true })).trades.map(({ code }) => code)).toEqual(["P"]);
    expect((await read()).trades.map(({ code }) => code)).toEqual(["F", "P"]);
  });

  it("are known from 22:00 New York on the day of the filing", async () => {
    const { list, paths } = filings(["2022-11-30", "2022-11-29"]);
    const { read } = edgar({ [LIST]: list, [paths[0]!]: form4(), [paths[1]!]: form4() });
    const known = async (time: string) =>
      (await read({ until: Date.parse(time) })).trades.map(({ filed }) => filed);
    expect(await known("2022-12-01T02:59:59Z")).toEqual(["2022-11-29"]);
    expect(await known("2022-12-01T03:00:00Z")).toEqual(["2022-11-30", "2022-11-29"]);
  });

  it("count filings that are missing or about another company, and fail if none is readable", async () => {
    const { list, paths } = filings(["2022-11-30", "2022-11-29", "2022-11-28"]);
    const some = edgar({ [LIST]: list, [paths[0]!]: form4({}, 1000001), [paths[1]!]: form4() });
    expect(await some.read()).toMatchObject({ read: 1, unread: 2 });
    expect(await kindOf(edgar({ [LIST]: list }).read())).toBe("malformed");
  });

  it("ignore other forms and documents, and reject filings of another company", async () => {
    const others = [filings(["2022-11-30"], { form: "8-K" }), filings(["2022-11-30"], { file: "doc4.htm" })];
    for (const { list } of others)
      expect(await edgar({ [LIST]: list }).read()).toEqual({ trades: [], read: 0, unread: 0, more: false });
    const foreign = filings(["2022-11-30"], { cik: "1" });
    expect(await kindOf(edgar({ [LIST]: foreign.list }).read())).toBe("malformed");
    expect(await kindOf(edgar({}).read())).toBe("unknown_symbol");
  });
});

describeWithData("insider filings as recorded", ["fixtures", "sec"], (folder) => {
  it("are found in Tesla's list of filings", async () => {
    const list = readFileSync(join(folder, "submissions_trimmed150.json"), "utf8");
    const newest = `/Archives/edgar/data/${TESLA}/000179056522000015/edgardoc.xml`;
    const { read } = edgar({ [LIST]: list, [newest]: form4() });
    const { trades, read: count, unread, more } = await read({ count: 1 });
    expect(trades).toMatchObject([{ filed: "2022-11-30", accession: "0001790565-22-000015" }]);
    expect({ count, unread, more }).toEqual({ count: 1, unread: 3, more: true });
  });
});
