import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseFilingList } from "../../../src/providers/houseclerk/filing-list.ts";
import { describeWithData } from "../../support/test-data.ts";

const member = (over: Record<string, string> = {}) => {
  const fields = {
    Last: "Member",
    First: "Sample",
    Suffix: "",
    FilingType: "P",
    StateDst: "CA11",
    Year: "2026",
    FilingDate: "6/5/2026",
    DocID: "20030001",
    ...over,
  };
  const rows = Object.entries(fields).map(([name, text]) =>
    text === "" ? `<${name} />` : `<${name}>${text}</${name}>`,
  );
  return `<Member><Prefix />${rows.join("")}</Member>`;
};
const list = (...members: readonly string[]) =>
  `\uFEFF<?xml version="1.0" encoding="utf-8"?>\r\n<FinancialDisclosure>${members.join("")}</FinancialDisclosure>\r\n`;

describe("the Clerk's list of filings", () => {
  it("lists transaction reports, newest first", () => {
    expect(
      parseFilingList(
        list(
          member(),
          member({ FilingType: "C", DocID: "10000001" }),
          member({
            FilingDate: "12/31/2026",
            DocID: "20030002",
            Suffix: "Jr.",
            Last: "O&apos;Member &amp; Co",
          }),
          member({ DocID: "20030009" }),
        ),
      ),
    ).toEqual([
      { docId: "20030002", name: "Sample O'Member & Co Jr.", state: "CA", filed: "2026-12-31" },
      { docId: "20030009", name: "Sample Member", state: "CA", filed: "2026-06-05" },
      { docId: "20030001", name: "Sample Member", state: "CA", filed: "2026-06-05" },
    ]);
  });

  it("leaves out what it cannot read", () => {
    const odd = [{ FilingDate: "2/30/2026" }, { FilingDate: "" }, { DocID: "../../x" }, { DocID: "" }];
    expect(parseFilingList(list(...odd.map(member)))).toEqual([]);
  });

  it("makes a name plain", () => {
    const [report] = parseFilingList(list(member({ Last: "M\u202e&#27;[31mx" })));
    expect(report!.name).toBe("Sample M x");
  });

  it.each(["", "{}", "<html><body>404</body></html>", list(member()).slice(0, -30)])("refuses %j", (xml) => {
    expect(() => parseFilingList(xml)).toThrow(expect.objectContaining({ name: "ProviderFailure" }));
  });

  describeWithData("as recorded in 2026", ["fixtures", "congress", "house", "2026FD.xml"], (path) => {
    it("has 262 reports of 1,229 filings, each with its date and number", () => {
      const reports = parseFilingList(readFileSync(path, "utf8"));
      expect(reports).toHaveLength(262);
      expect(new Set(reports.map(({ docId }) => docId)).size).toBe(262);
      expect(reports[0]!.filed >= reports.at(-1)!.filed).toBe(true);
      expect(reports.every(({ state, name }) => state !== null && name !== "")).toBe(true);
    });
  });
});
