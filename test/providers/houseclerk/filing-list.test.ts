import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { extractZipFile, parseFilingList } from "../../../src/providers/houseclerk/filing-list.ts";
import { describeWithData } from "../../support/test-data.ts";
import { zipOf } from "../../support/zip.ts";

const text = "<a/>".repeat(500);
const malformed = (zip: Uint8Array, name = "FD.xml") => {
  try {
    extractZipFile(zip, name);
  } catch (failure) {
    expect(failure).toBeInstanceOf(ProviderFailure);
    return (failure as ProviderFailure).kind;
  }
  return "read";
};

describe("a file of an archive", () => {
  it.each([true, false])("is read, stored or deflated (%s)", (stored) => {
    const zip = zipOf("2026FD.xml", text, { stored });
    expect(Buffer.from(extractZipFile(zip, "FD.xml")).toString()).toBe(text);
    const behind = Buffer.concat([zip, Buffer.from("a comment")]);
    expect(Buffer.from(extractZipFile(behind, "FD.xml")).toString()).toBe(text);
  });

  it("is malformed for a missing name or a damaged archive", () => {
    const zip = zipOf("2026FD.txt", text);
    expect(malformed(zip)).toBe("malformed");
    for (const end of [0, 10, 40, zip.length - 30, zip.length - 1])
      expect(malformed(zip.subarray(0, end), "FD.txt")).toBe("malformed");
    expect(malformed(Buffer.from("<html>"))).toBe("malformed");
  });

  it("is read or malformed for any corrupt byte, and never exceeds its declared size", () => {
    const zip = zipOf("FD.xml", text);
    fc.assert(
      fc.property(fc.nat(zip.length - 1), fc.nat(255), (at, byte) => {
        const spoiled = Buffer.from(zip);
        spoiled[at] = byte;
        expect(["read", "malformed"]).toContain(malformed(spoiled));
      }),
    );
  });
});

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

  it("omits what it cannot read", () => {
    const odd = [{ FilingDate: "2/30/2026" }, { FilingDate: "" }, { DocID: "../../x" }, { DocID: "" }];
    expect(parseFilingList(list(...odd.map(member)))).toEqual([]);
  });

  it("sanitizes a name", () => {
    const [report] = parseFilingList(list(member({ Last: "M\u202e&#27;[31mx" })));
    expect(report!.name).toBe("Sample M x");
  });

  it.each(["", "{}", "<html><body>404</body></html>", list(member()).slice(0, -30)])("rejects %j", (xml) => {
    expect(() => parseFilingList(xml)).toThrow(expect.objectContaining({ name: "ProviderFailure" }));
  });

  describeWithData("as recorded in 2026", ["fixtures", "congress", "house", "2026FD.xml"], (path) => {
    it("has 262 reports among 1,229 filings, each with its date and number", () => {
      const reports = parseFilingList(readFileSync(path, "utf8"));
      expect(reports).toHaveLength(262);
      expect(new Set(reports.map(({ docId }) => docId)).size).toBe(262);
      expect(reports[0]!.filed >= reports.at(-1)!.filed).toBe(true);
      expect(reports.every(({ state, name }) => state !== null && name !== "")).toBe(true);
    });
  });
});
