import { describe, expect, it } from "vitest";
import { spellings } from "../../../src/market/symbols/spelling.ts";

describe("a US ticker", () => {
  it.each([
    ["BRK-B", "BRK.B"],
    ["BRK/B", "BRK.B"],
    ["BRK_B", "BRK.B"],
    ["ABR$D", "ABR-PD"],
    ["ABR-PD", "ABR-PD"],
    ["ABR.PD", "ABR-PD"],
    ["ABR/PD", "ABR-PD"],
    ["ABR.PRD", "ABR-PD"],
    ["ABR-PRD", "ABR-PD"],
    ["ABR.PR.D", "ABR-PD"],
    ["ABR-D", "ABR-PD"],
    ["BAC-PR", "BAC-PR"],
    ["BAC-P", "BAC-PP"],
    ["DCOM$", "DCOM-P"],
    ["DCOM-", "DCOM-P"],
    ["DCOM.PR", "DCOM-P"],
    ["ACHR.WS", "ACHR.W"],
    ["ACHR/WS", "ACHR.W"],
    ["ACHR-WT", "ACHR.W"],
    ["ACHR+", "ACHR.W"],
    ["AIIA=", "AIIA.U"],
    ["AIIA-UN", "AIIA.U"],
    ["AIIA-U", "AIIA.U"],
    ["AIIA^", "AIIA.R"],
    ["AIIA-RT", "AIIA.R"],
    ["AIIA-RI", "AIIA.R"],
  ])("%s may mean %s", (name, ticker) => {
    expect(spellings(name)).toContain(ticker);
  });

  it("is read as a share class before a preferred share", () => {
    expect(spellings("AGM-A")).toEqual(["AGM-A", "AGM.A", "AGM-PA"]);
    expect(spellings("BAC-PR")).toEqual(["BAC-PR", "BAC-P"]);
  });

  it("has its suffix marked by a lower-case letter in provider data only", () => {
    expect(spellings("ABRPD", "ABRpD")).toEqual(["ABRPD", "ABR-PD"]);
    expect(spellings("DCOMP", "DCOMp")).toEqual(["DCOMP", "DCOM-P"]);
    expect(spellings("CELGR", "CELGr")).toEqual(["CELGR", "CELG.R"]);
    for (const typed of ["ABRPD", "abrpd", "AbrpD"]) expect(spellings("ABRPD", typed)).toEqual(["ABRPD"]);
  });

  it.each(["AAPL", "BTC-USD", "BTC/USDT", "ES=F", "^GSPC", "BRK-BB", "A-B-C", "$", "-P", ""])(
    "%o has no other spelling",
    (name) => {
      expect(spellings(name)).toEqual([name]);
    },
  );
});
