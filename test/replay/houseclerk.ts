import { pdfOf, reportPdf } from "../support/report-pdf.ts";
import { zipOf } from "../support/zip.ts";
import type { WorldFiling } from "./topics.ts";
import { empty, page, type Reply, type Vendor } from "./vendor.ts";

const ASSET_CODES: Readonly<Record<string, string>> = { stock: "ST", fund: "EF", option: "OP", bond: "GS" };
const OWNER_CODES: Readonly<Record<string, string>> = { spouse: "SP ", joint: "JT ", child: "DC " };
const bytes = (body: Buffer, type: string): Reply => ({
  status: 200,
  headers: { "content-type": type },
  body: body.toString("latin1"),
  encoding: "latin1",
});

/**
 * The House Clerk's yearly list as a zip file, which appears with the first filing of the year, and the reports: some
 * are scans, some are missing.
 */
export const houseclerkVendor: Vendor = {
  name: "houseclerk",
  key: null,
  latency: { p50: 120, p95: 400 },
  answer({ path }, world) {
    const filings = world.filings().filter(({ member }) => member.chamber === "house");
    const year = /^\/public_disc\/financial-pdfs\/(\d{4})FD\.zip$/.exec(path)?.[1];
    if (year !== undefined) {
      const members = filings.filter(({ filed }) => filed.startsWith(year)).map(listEntry);
      const isNew = Number(year) >= new Date(world.now()).getUTCFullYear();
      if (isNew && members.length === 0) return page(404);
      const xml = `\uFEFF<?xml version="1.0" encoding="utf-8"?>\r\n<FinancialDisclosure>\r\n${members.join("")}</FinancialDisclosure>`;
      return bytes(zipOf(`${year}FD.xml`, xml), "application/x-zip-compressed");
    }
    const doc = /^\/public_disc\/ptr-pdfs\/\d{4}\/(\d+)\.pdf$/.exec(path)?.[1];
    const filing = filings.find(({ docId }) => docId === doc);
    if (filing === undefined || filing.report === "gone") return page(404);
    return bytes(
      filing.report === "scan" ? picture() : reportPdf(filing.trades.map(rowOf)),
      "application/pdf",
    );
  },
  limits: [empty(429, { "retry-after": "30" })],
  unauthorised: [],
  blocks: [page(403), page(200, "Just a moment")],
};

const picture = (): Buffer =>
  pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Contents 4 0 R >>",
    "q 612 0 0 792 0 0 cm /Im0 Do Q",
  ]);

const usDate = (day: string): string => {
  const [year, month, date] = day.split("-");
  return `${month}/${date}/${year}`;
};

function listEntry({ docId, filed, member }: WorldFiling): string {
  const [year, month, date] = filed.split("-").map(Number);
  const fields = `<Prefix>Hon.</Prefix><Last>${member.last}</Last><First>${member.first}</First><Suffix />`;
  return `<Member>${fields}<FilingType>P</FilingType><StateDst>${member.state}01</StateDst><Year>${year}</Year><FilingDate>${month}/${date}/${year}</FilingDate><DocID>${docId}</DocID></Member>\r\n`;
}

function rowOf({ ticker, asset, ...trade }: WorldFiling["trades"][number]): readonly string[] {
  const owner = OWNER_CODES[trade.owner ?? ""] ?? "";
  const named = `${asset}${ticker === null ? "" : ` (${ticker})`} [${ASSET_CODES[trade.asset_type ?? ""]}]`;
  const date = usDate(trade.transaction_date);
  return [`${owner}${named} ${trade.as_filed.type} ${date} ${date} ${trade.amount!.label}`, "F S : New"];
}
