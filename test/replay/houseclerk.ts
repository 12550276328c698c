import { pdfOf, reportPdf } from "../support/report-pdf.ts";
import { zipOf } from "../support/zip.ts";
import { filingsOf, type WorldFiling } from "./tape/disclosed.ts";
import type { Reply, Vendor } from "./vendor.ts";

const PAGE: Reply = {
  status: 404,
  headers: { "content-type": "text/html" },
  body: "<!DOCTYPE html><html><head><title>404 - File or directory not found.</title></head></html>",
};
const bytes = (body: Buffer, type: string): Reply => ({
  status: 200,
  headers: { "content-type": type },
  body: body.toString("latin1"),
  encoding: "latin1",
});

/** The Clerk's yearly list, zipped, and the reports: some are pictures, some are not there. */
export const houseclerkVendor: Vendor = {
  name: "houseclerk",
  key: null,
  latency: { p50: 120, p95: 400 },
  answer({ path }, world) {
    const filings = filingsOf(world).filter(({ person }) => person.chamber === "house");
    const year = /^\/public_disc\/financial-pdfs\/(\d{4})FD\.zip$/.exec(path)?.[1];
    if (year !== undefined) {
      const members = filings.filter(({ filed }) => filed.startsWith(year)).map(memberOf);
      const xml = `\uFEFF<?xml version="1.0" encoding="utf-8"?>\r\n<FinancialDisclosure>\r\n${members.join("")}</FinancialDisclosure>`;
      return bytes(zipOf(`${year}FD.xml`, xml), "application/x-zip-compressed");
    }
    const doc = /^\/public_disc\/ptr-pdfs\/\d{4}\/(\d+)\.pdf$/.exec(path)?.[1];
    const filing = filings.find(({ docId }) => docId === doc);
    if (filing === undefined || filing.report === "gone") return PAGE;
    return bytes(filing.report === "scan" ? picture() : reportPdf(filing.rows.map(rowOf)), "application/pdf");
  },
  limits: [{ status: 429, headers: { "retry-after": "30" }, body: "" }],
  unauthorised: [],
  blocks: [
    { status: 403, headers: { "content-type": "text/html" }, body: "<html>Access Denied</html>" },
    { status: 200, headers: { "content-type": "text/html" }, body: "<html>Just a moment</html>" },
  ],
};

const picture = (): Buffer =>
  pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Contents 4 0 R >>",
    "q 612 0 0 792 0 0 cm /Im0 Do Q",
  ]);

const american = (day: string): string => {
  const [year, month, date] = day.split("-");
  return `${month}/${date}/${year}`;
};

function memberOf({ docId, filed, person }: WorldFiling): string {
  const [year, month, date] = filed.split("-").map(Number);
  const fields = `<Prefix>Hon.</Prefix><Last>${person.last}</Last><First>${person.first}</First><Suffix />`;
  return `<Member>${fields}<FilingType>P</FilingType><StateDst>${person.state}01</StateDst><Year>${year}</Year><FilingDate>${month}/${date}/${year}</FilingDate><DocID>${docId}</DocID></Member>\r\n`;
}

function rowOf({ ticker, traded, side, band }: WorldFiling["rows"][number]): readonly string[] {
  const type = { buy: "P", sell: "S", part: "S (partial)" }[side];
  const dates = `${american(traded)} ${american(traded)}`;
  return [`SP Sample of ${ticker} (${ticker}) [ST] ${type} ${dates} ${band.label}`, "F S : New"];
}
