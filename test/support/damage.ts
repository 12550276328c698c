import { closeSync, openSync, statSync, writeSync } from "node:fs";

const PAGE = 4096;
/** Start of a page: its header and the places of its cells. */
const HEADER_BYTES = 64;

/** Overwrites the headers of the pages of a database file, by default of all but the first. */
export function overwritePages(file: string, numbers?: readonly number[]): void {
  const handle = openSync(file, "r+");
  const count = statSync(file).size / PAGE;
  for (const number of numbers ?? Array.from({ length: count - 1 }, (_, i) => i + 1))
    writeSync(handle, Buffer.alloc(HEADER_BYTES, 0xa5), 0, HEADER_BYTES, number * PAGE);
  closeSync(handle);
}
