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
  readonly date?: string;
  readonly held?: string;
}
const value = (name: string, text: string) => `<${name}><value>${text}</value></${name}>`;
const rowOf = ({
  code = "S",
  shares = "100",
  price = "20.5",
  side = "D",
  table = "nonDerivative",
  date = "2022-11-28",
  held = "900",
}: Row) =>
  `<${table}Table><${table}Transaction>
    ${value("securityTitle", "Common Stock")}${value("transactionDate", date)}
    <transactionCoding><transactionFormType>4</transactionFormType><transactionCode>${code}</transactionCode></transactionCoding>
    <transactionAmounts>${value("transactionShares", shares)}
      <transactionPricePerShare>${price === "" ? '<footnoteId id="F1"/>' : `<value>${price}</value>`}</transactionPricePerShare>
      ${value("transactionAcquiredDisposedCode", side)}</transactionAmounts>
    <postTransactionAmounts>${value("sharesOwnedFollowingTransaction", held)}</postTransactionAmounts>
    <ownershipNature>${value("directOrIndirectOwnership", "D")}</ownershipNature>
  </${table}Transaction></${table}Table>`;

interface Filed {
  readonly original?: string;
  readonly owner?: string;
  readonly footnote?: string;
}
/** A Form 4 of two owners as the EDGAR Ownership XML specification describes it. */
const form4 = (
  row: Row | readonly Row[] = {},
  cik = TESLA,
  { original, owner = "0000000001", footnote = "" }: Filed = {},
) => `<?xml version="1.0"?>
<ownershipDocument>
  <documentType>4</documentType>
  ${original === undefined ? "" : `<dateOfOriginalSubmission>${original}</dateOfOriginalSubmission>`}
  <issuer><issuerCik>000${cik}</issuerCik><issuerName>Tesla, Inc.</issuerName></issuer>
  <reportingOwner>
    <reportingOwnerId><rptOwnerCik>${owner}</rptOwnerCik><rptOwnerName>Doe Jane\u202e</rptOwnerName></reportingOwnerId>
    <reportingOwnerRelationship><isDirector>1</isDirector><isOfficer>true</isOfficer>
      <isTenPercentOwner>0</isTenPercentOwner><officerTitle>CFO</officerTitle></reportingOwnerRelationship>
  </reportingOwner>
  <reportingOwner><reportingOwnerId><rptOwnerName>A trust of ${owner}</rptOwnerName></reportingOwnerId></reportingOwner>
  <aff10b5One>1</aff10b5One>
  ${[row].flat().map(rowOf).join("")}
  <nonDerivativeTable><nonDerivativeHolding>${value("securityTitle", "Held only")}</nonDerivativeHolding></nonDerivativeTable>
  <footnotes><footnote id="F1">${footnote}</footnote></footnotes>
</ownershipDocument>`;

/** A list of Forms 4 filed on these days, newest first, and their paths. */
function filings(
  days: readonly string[],
  {
    form = "4" as string | readonly string[],
    cik = TESLA as number | string,
    file = "xslF345X03/doc4.xml",
    fileNumber = undefined as readonly string[] | undefined,
  } = {},
) {
  const accession = days.map((_, i) => `0000899243-22-${String(900_000 - i)}`);
  const recent = {
    form: days.map((_, i) => (typeof form === "string" ? form : form[i])),
    filingDate: days,
    accessionNumber: accession,
    primaryDocument: days.map(() => file),
    fileNumber,
  };
  const paths = accession.map((one) => `/Archives/edgar/data/${TESLA}/${one.replaceAll("-", "")}/doc4.xml`);
  return { list: JSON.stringify({ cik, filings: { recent } }), paths };
}

type Columns = Readonly<Record<string, readonly unknown[]>>;

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

  it("are read from an older page of the list if the newest has too few", async () => {
    const older = "CIK0001318605-submissions-001.json";
    const files = [{ name: older, filingCount: 2, filingFrom: "2022-05-02", filingTo: "2022-10-28" }];
    const { list, paths } = filings(["2022-11-30", "2022-10-27"]);
    const { filings: pages, cik } = JSON.parse(list) as { filings: { recent: Columns }; cik: number };
    const half = (from: number) =>
      Object.fromEntries(Object.entries(pages.recent).map(([name, column]) => [name, [column[from]]]));
    const documents = { [LIST]: JSON.stringify({ cik, filings: { recent: half(0), files } }) };
    const forms = { [paths[0]!]: form4(), [paths[1]!]: form4() };
    const both = edgar({ ...documents, ...forms, [`/submissions/${older}`]: JSON.stringify(half(1)) });
    const found = await both.read();
    expect(found.trades.map(({ filed }) => filed)).toEqual(["2022-11-30", "2022-10-27"]);
    expect(found.more).toBe(false);
    // the page does not exist: what is missing is said
    expect(await edgar({ ...documents, ...forms }).read()).toMatchObject({ read: 1, more: true });
    // a page of filings after the requested time is not read
    expect(await edgar({ ...documents }).read({ until: Date.parse("2022-05-01") })).toMatchObject({
      read: 0,
      more: false,
    });
  });

  it("are those about a company under its earlier CIK too", async () => {
    const listed = JSON.stringify({ 0: { cik_str: 2115436, ticker: "TSLA", title: "A holding" } });
    const { list, paths } = filings(["2026-07-30"]);
    const path = paths[0]!.replace(String(TESLA), "34088");
    const none = filings([], { cik: 2115436 }).list;
    const { read } = edgar({
      "/files/company_tickers.json": listed,
      "/submissions/CIK0002115436.json": none,
      "/submissions/CIK0000034088.json": list.replace(String(TESLA), "34088"),
      [path]: form4({}, 34088),
    });
    expect((await read()).trades.map(({ filed }) => filed)).toEqual(["2026-07-30"]);
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

  it("count missing filings, skip those about another company, and fail if none is readable", async () => {
    const { list, paths } = filings(["2022-11-30", "2022-11-29", "2022-11-28"]);
    const some = edgar({ [LIST]: list, [paths[0]!]: form4({}, 1000001), [paths[1]!]: form4() });
    expect(await some.read()).toMatchObject({ read: 1, unread: 1 });
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

type Filing = readonly [form: "4" | "4/A", filed: string, rows: readonly Row[], about?: Filed];
/** Shares and prices of the transactions of these filings, newest first. */
async function amended(given: readonly Filing[], over: object = {}) {
  const { list, paths } = filings(
    given.map(([, filed]) => filed),
    { form: given.map(([form]) => form) },
  );
  const documents = given.map(([, , rows, about], i) => [paths[i]!, form4(rows, TESLA, about)] as const);
  const { trades } = await edgar({ [LIST]: list, ...Object.fromEntries(documents) }).read(over);
  return trades.map(({ shares, price }) => `${shares}@${price}`);
}
const FIRST = "2022-11-29";
const sale: Row = { shares: "1000", price: "250" };
const original: Filing = ["4", FIRST, [sale]];
const amends = (rows: readonly Row[], filed = "2022-12-01", about: Filed = {}): Filing => [
  "4/A",
  filed,
  rows,
  { original: FIRST, ...about },
];

describe("amended insider filings", () => {
  it.each<[string, readonly Row[], readonly string[]]>([
    ["the same row", [sale], ["1000@250"]],
    ["a price", [{ ...sale, price: "205" }], ["1000@205"]],
    ["shares", [{ ...sale, shares: "900" }], ["900@250"]],
    ["shares and price", [{ shares: "900", price: "205" }], ["900@205"]],
    ["the date", [{ ...sale, date: "2022-11-25" }], ["1000@250"]],
    ["the code", [{ ...sale, code: "F" }], ["1000@250"]],
    [
      "one row as two",
      [
        { shares: "600", price: "249" },
        { shares: "400", price: "251.5" },
      ],
      ["600@249", "400@251.5"],
    ],
    ["a row of another day", [{ ...sale, price: "240", date: "2022-11-25" }], ["1000@240", "1000@250"]],
    ["a repeated and a new row", [sale, { shares: "50", price: "260" }], ["1000@250", "50@260"]],
    ["a row after the original one", [{ shares: "50", price: "260", held: "850" }], ["50@260", "1000@250"]],
    ["holdings alone", [], ["1000@250"]],
    ["a derivative", [{ ...sale, table: "derivative" }], ["1000@250", "1000@250"]],
  ])("that state %s replace what they correct", async (_, rows, expected) => {
    expect(await amended([amends(rows), original])).toEqual(expected);
  });

  it("replace one row of several, and merged rows all", async () => {
    const lots: Filing = ["4", FIRST, [sale, { shares: "500", price: "251" }]];
    expect(await amended([amends([{ shares: "500", price: "215" }]), lots])).toEqual(["500@215", "1000@250"]);
    expect(await amended([amends([{ shares: "1500", price: "250.5" }]), lots])).toEqual(["1500@250.5"]);
  });

  it("add a row of which the text says that it was left out", async () => {
    const rows = [{ shares: "900", price: "205" }];
    const about = { footnote: "Reports a sale inadvertently omitted from the original filing." };
    expect(await amended([amends(rows, undefined, about), original])).toEqual(["900@205", "1000@250"]);
  });

  it("are replaced by a newer amendment of the same original or of themselves", async () => {
    const first = amends([{ ...sale, price: "205" }]);
    const rows = [{ shares: "1100", price: "207" }];
    expect(await amended([amends(rows, "2022-12-05"), first, original])).toEqual(["1100@207"]);
    expect(await amended([amends(rows, "2022-12-05", { original: "2022-12-01" }), first, original])).toEqual([
      "1100@207",
    ]);
  });

  it("are found by date, code and shares without the day of the original", async () => {
    const later = (rows: readonly Row[]): Filing => ["4/A", "2022-12-01", rows];
    expect(await amended([later([{ ...sale, price: "205" }]), original])).toEqual(["1000@205"]);
    expect(await amended([later([{ ...sale, shares: "999" }]), original])).toEqual(["999@250", "1000@250"]);
    const other = amends([{ ...sale, price: "205" }], "2022-12-01", { original: "2022-11-27" });
    expect(await amended([other, original])).toEqual(["1000@205"]);
  });

  it("leave filings of other owners and of other days alone, and count once without the original", async () => {
    const rows = [{ ...sale, price: "205" }];
    expect(await amended([amends(rows, undefined, { owner: "0000000007" }), original])).toEqual([
      "1000@205",
      "1000@250",
    ]);
    const before: Filing = ["4", "2022-11-21", [{ ...sale, date: "2022-11-18" }]];
    expect(await amended([amends(rows), original, before])).toEqual(["1000@205", "1000@250"]);
    expect(await amended([amends(rows)])).toEqual(["1000@205"]);
  });

  it("are not used before they are known, and correct the code before purchases and sales are selected", async () => {
    const price = amends([{ ...sale, price: "205" }]);
    const until = (time: string) => amended([price, original], { until: Date.parse(time) });
    expect(await until("2022-12-01T23:00:00Z")).toEqual(["1000@250"]);
    expect(await until("2022-12-02T03:00:00Z")).toEqual(["1000@205"]);
    expect(await amended([amends([{ ...sale, code: "F" }]), original], { openMarket: true })).toEqual([]);
  });
});

describe("filings in which the company reports on others", () => {
  const days = Array.from({ length: 40 }, () => "2022-11-30");

  it("are not read if the list names the other company's file, and are no failure", async () => {
    const fileNumber = days.map((_, i) => (i < 39 ? "001-34756" : ""));
    const { list, paths } = filings(days, { fileNumber });
    const { read, archived } = edgar({ [LIST]: list, [paths[39]!]: form4() });
    expect(await read()).toMatchObject({ trades: [{ shares: 100 }], read: 1, unread: 0, more: false });
    expect(archived()).toHaveLength(1);
  });

  it("do not count towards the filings read, and are read once", async () => {
    const { list, paths } = filings(days);
    const documents = paths.map((path, i) => [path, i < 39 ? form4({}, 1000001) : form4()]);
    const { read, archived } = edgar({ [LIST]: list, ...Object.fromEntries(documents) });
    for (const _ of [1, 2])
      expect(await read()).toMatchObject({ trades: [{ shares: 100 }], read: 1, unread: 0, more: false });
    expect(archived()).toHaveLength(40);
  });

  it("end the reading after 96 documents", async () => {
    const many = filings(Array.from({ length: 120 }, () => "2022-11-30"));
    const documents = many.paths.map((path) => [path, form4({}, 1000001)]);
    const { read, archived } = edgar({ [LIST]: many.list, ...Object.fromEntries(documents) });
    expect(await read()).toEqual({ trades: [], read: 0, unread: 0, more: true });
    expect(archived()).toHaveLength(96);
  });
});

describeWithData("an amended sale of the reports", ["reports", "filings", "form4-amended.json"], (file) => {
  it("counts once, at the amended price", async () => {
    const { list, right } = JSON.parse(readFileSync(file, "utf8"));
    const prices: Readonly<Record<string, string>> = { "4": "250", "4/A": "205" };
    const given = list.map(
      ({ form, filed }: { form: "4" | "4/A"; filed: string }): Filing => [
        form,
        filed,
        [{ ...sale, date: "2026-11-03", price: prices[form]! }],
        form === "4/A" ? { original: "2026-11-04" } : {},
      ],
    );
    expect(await amended(given)).toEqual([`${right.sold_shares}@${right.sold_value / right.sold_shares}`]);
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
