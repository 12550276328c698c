import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempDir } from "./temp-dir.ts";

const HEADER = "date,open,high,low,close,volume";

/** A temporary folder with the given files by path, as text or bytes. */
export function csvFolder(files: Readonly<Record<string, string | Buffer>>): string {
  const root = tempDir();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/**
 * A file of OHLCV rows under the usual header; each row is `time close`: all four prices equal the close, volume is 100
 * times the close.
 */
export const flatCsv = (...rows: readonly string[]): string =>
  [HEADER, ...rows.map(flatRow)].map((line) => `${line}\n`).join("");

function flatRow(row: string): string {
  const [time, close] = row.split(" ");
  return [time, close, close, close, close, 100 * Number(close)].join(",");
}
