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

/** A data folder and a folder outside of it. */
function testFolders() {
  const root = tempDir();
  const dataDir = join(root, "data");
  const outside = join(root, "outside");
  for (const folder of [dataDir, outside]) mkdirSync(folder);
  return { dataDir, outside };
}

describe("writeBarsFile", () => {
  it.each([`${HEAD}\n`, `datetime,open,high,low,close,volume\r\n1`, HEAD])(
    "overwrites a file that starts with %j",
    (content) => {
      const { dataDir, outside } = testFolders();
      const path = join(outside, "AAPL.csv");
      writeFileSync(path, content);
      chmodSync(path, 0o640);
      writeBarsFile(path, text, dataDir);
      expect(readFileSync(path, "utf8")).toBe(text);
      expect(statSync(path).mode & 0o777).toBe(0o640);
      expect(readdirSync(outside)).toEqual(["AAPL.csv"]);
    },
  );

  it.each(["what I bought", "", `x${HEAD}\n`, `${HEAD},mine\n`])(
    "does not overwrite a file with %j",
    (content) => {
      const { dataDir, outside } = testFolders();
      const path = join(outside, "notes.csv");
      writeFileSync(path, content);
      expect(() => writeBarsFile(path, text, dataDir)).toThrow(
        expect.objectContaining({
          code: "INVALID_INPUT",
          hint: expect.stringContaining("Choose another file"),
        }),
      );
      expect(readFileSync(path, "utf8")).toBe(content);
    },
  );

  it.each(["market.db", "new/AAPL.csv", "bars", ".", "barsmine/AAPL.csv", "bars/../AAPL.csv"])(
    "does not write %s in the data folder",
    (name) => {
      const { dataDir } = testFolders();
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

  it("writes into the data folder's own folder for bars", () => {
    const { dataDir } = testFolders();
    writeBarsFile(join(dataDir, "bars", "AAPL.csv"), text, dataDir);
    expect(readFileSync(join(dataDir, "bars", "AAPL.csv"), "utf8")).toBe(text);
  });

  it("writes to a folder whose name starts with that of the data folder", () => {
    const { dataDir } = testFolders();
    writeBarsFile(`${dataDir}-mine/AAPL.csv`, text, dataDir);
    expect(readFileSync(`${dataDir}-mine/AAPL.csv`, "utf8")).toBe(text);
  });

  it("resolves links before it checks the path", () => {
    const { dataDir, outside } = testFolders();
    const at = (name: string) => join(outside, name);
    symlinkSync(dataDir, at("link-to-data"));
    symlinkSync(at("nothing"), at("dangling.csv"));
    writeFileSync(at("AAPL.csv"), text);
    symlinkSync(at("AAPL.csv"), at("link.csv"));
    expect(() => writeBarsFile(at("link-to-data/x.csv"), text, dataDir)).toThrow("is in the data folder");
    expect(() => writeBarsFile(at("dangling.csv"), text, dataDir)).toThrow(
      /cannot be written: the folder .* does not exist/,
    );
    expect([existsSync(at("nothing")), readdirSync(dataDir)]).toEqual([false, []]);
    writeBarsFile(at("link.csv"), `${text}2026-01-06,2,2,2,2,2\n`, dataDir);
    expect(readFileSync(at("AAPL.csv"), "utf8")).toContain("2026-01-06");
  });
});
