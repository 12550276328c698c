import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeBarsFile } from "../../../src/transports/cli/bars-file.ts";
import { tempDir } from "../../support/temp-dir.ts";

const HEAD = "date,open,high,low,close,volume";
const text = `${HEAD}\n2026-01-05,1,1,1,1,1\n`;

/** A data folder with something of its own in it, and another folder beside it. */
function place() {
  const root = tempDir();
  const dataDir = join(root, "data");
  const beside = join(root, "beside");
  for (const folder of [dataDir, beside]) mkdirSync(folder);
  return { dataDir, beside };
}

describe("bars kept in a file", () => {
  it.each([`${HEAD}\n`, `datetime,open,high,low,close,volume\r\n1`, HEAD])("take the place of %j", (held) => {
    const { dataDir, beside } = place();
    const path = join(beside, "AAPL.csv");
    writeFileSync(path, held);
    chmodSync(path, 0o640);
    writeBarsFile(path, text, dataDir);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(beside)).toEqual(["AAPL.csv"]);
  });

  it.each(["what I bought", "", `x${HEAD}\n`, `${HEAD},mine\n`])("take no place of %j", (held) => {
    const { dataDir, beside } = place();
    const path = join(beside, "notes.csv");
    writeFileSync(path, held);
    expect(() => writeBarsFile(path, text, dataDir)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", hint: expect.stringContaining("Name another file") }),
    );
    expect(readFileSync(path, "utf8")).toBe(held);
  });

  it.each(["market.db", "new/AAPL.csv", "bars", ".", "barsmine/AAPL.csv", "bars/../AAPL.csv"])(
    "are not put into the data folder as %s",
    (name) => {
      const { dataDir } = place();
      expect(() => writeBarsFile(join(dataDir, name), text, dataDir)).toThrow(
        expect.objectContaining({
          code: "INVALID_INPUT",
          message: expect.stringContaining("is in the data folder"),
          hint: expect.stringContaining(join(dataDir, "bars")),
        }),
      );
      expect(readdirSync(dataDir)).toEqual([]);
    },
  );

  it("are put into its folder of bars", () => {
    const { dataDir } = place();
    writeBarsFile(join(dataDir, "bars", "AAPL.csv"), text, dataDir);
    expect(readFileSync(join(dataDir, "bars", "AAPL.csv"), "utf8")).toBe(text);
  });

  it("are put beside a folder whose name begins as that of the data folder", () => {
    const { dataDir } = place();
    writeBarsFile(`${dataDir}-mine/AAPL.csv`, text, dataDir);
    expect(readFileSync(`${dataDir}-mine/AAPL.csv`, "utf8")).toBe(text);
  });

  it("follow links: not into the data folder, not to nothing, and through to bars elsewhere", () => {
    const { dataDir, beside } = place();
    const at = (name: string) => join(beside, name);
    symlinkSync(dataDir, at("door"));
    symlinkSync(at("nothing"), at("dangling.csv"));
    writeFileSync(at("AAPL.csv"), text);
    symlinkSync(at("AAPL.csv"), at("link.csv"));
    expect(() => writeBarsFile(at("door/x.csv"), text, dataDir)).toThrow("is in the data folder");
    expect(() => writeBarsFile(at("dangling.csv"), text, dataDir)).toThrow("cannot be written (ENOENT)");
    expect([existsSync(at("nothing")), readdirSync(dataDir)]).toEqual([false, []]);
    writeBarsFile(at("link.csv"), `${text}2026-01-06,2,2,2,2,2\n`, dataDir);
    expect(readFileSync(at("AAPL.csv"), "utf8")).toContain("2026-01-06");
  });
});
