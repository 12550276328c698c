import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAX_FILE_BYTES, printable, scanFolder } from "../../../src/providers/files/scan.ts";
import { csvFolder } from "../../support/csv-folder.ts";

describe("scanFolder", () => {
  it("lists only CSV and TSV files, nearest to the root first, then by name", () => {
    const root = csvFolder({
      "b/a/z.csv": "x",
      "b/y.csv": "x",
      "a/x.TSV": "x",
      "w.csv": "x",
      "V.csv": "x",
      "README.md": "x",
      ".hidden.csv": "x",
      ".git/u.csv": "x",
    });
    const { files, skipped } = scanFolder(root);
    expect(files.map(({ path }) => path)).toEqual(["V.csv", "w.csv", "a/x.TSV", "b/y.csv", "b/a/z.csv"]);
    expect(skipped).toEqual([]);
  });

  it("omits files that cannot hold bars, with a reason", () => {
    const root = csvFolder({ "empty.csv": "", "huge.csv": "x", "a/b/c/d/e/f/g/deep.csv": "x" });
    truncateSync(join(root, "huge.csv"), MAX_FILE_BYTES + 1);
    mkdirSync(join(root, "folder.csv"));
    expect(scanFolder(root)).toEqual({
      files: [],
      skipped: [
        { file: "empty.csv", reason: "it is empty" },
        { file: "folder.csv", reason: "it is a folder" },
        { file: "huge.csv", reason: "it is larger than 64 MB" },
        { file: "a/b/c/d/e/f/g", reason: "it is more than 6 folders deep" },
      ],
    });
  });

  it("names files that hold bars in another form", () => {
    const root = csvFolder({ "a.csv.gz": "x", "b.txt": "x", "c.xlsx": "x", "README.txt": "x", "d.md": "x" });
    expect(scanFolder(root)).toEqual({
      files: [],
      skipped: [
        { file: "a.csv.gz", reason: "it is compressed; unpack it to a .csv file" },
        { file: "c.xlsx", reason: "it is not a text file; save it as .csv" },
        { file: "b.txt", reason: "its name does not end in .csv or .tsv; rename it if it holds bars" },
      ],
    });
  });

  it("ends at its limits, and reports it once", () => {
    const root = csvFolder({ "a.csv": "x", "b.csv": "x", "c.csv": "x", "d/e.csv": "x", "f/g.csv": "x" });
    expect(scanFolder(root, { files: 1, folders: 9 })).toMatchObject({
      files: [{ path: "a.csv" }],
      skipped: [{ file: "b.csv", reason: "there are more than 1 files; this and later ones are not read" }],
    });
    expect(scanFolder(root, { files: 9, folders: 2 })).toMatchObject({
      files: [{ path: "a.csv" }, { path: "b.csv" }, { path: "c.csv" }, { path: "d/e.csv" }],
      skipped: [{ file: "f", reason: "there are more than 2 folders; this and later ones are not read" }],
    });
  });

  it("follows links only to files inside the folder", () => {
    const outside = csvFolder({ "secret.csv": "x", "MSFT.csv": "x" });
    const root = csvFolder({ "AAPL.csv": "x" });
    symlinkSync(join(root, "AAPL.csv"), join(root, "copy.csv"));
    symlinkSync(join(outside, "secret.csv"), join(root, "out.csv"));
    symlinkSync(join(root, "nothing"), join(root, "dangling.csv"));
    symlinkSync(outside, join(root, "elsewhere"));
    symlinkSync(join(root, "loop"), join(root, "loop"));
    const { files, skipped } = scanFolder(root);
    expect(files.map(({ path }) => path)).toEqual(["AAPL.csv", "copy.csv"]);
    expect(skipped).toEqual([
      { file: "dangling.csv", reason: "it cannot be read, or is a broken link" },
      { file: "elsewhere", reason: "links to folders are not followed" },
      { file: "out.csv", reason: "it links to a file outside the folder" },
    ]);
  });

  it("prints names without control characters", () => {
    expect(printable("a\u001b[31mb\u202ec\nd.csv")).toBe("a b c d.csv");
  });
});
