import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { privateFile, syncPath } from "../data-dir.ts";

const CHUNK = 1 << 20;

/** Where the SHA-256 of a database that nobody has open is kept; `sha256sum -c` reads it. */
export const sealOf = (file: string): string => `${file}.sha256`;

/** Whether every byte is as the last to close the database left it; null where nobody could say, as after a crash. */
export function sealHolds(file: string): boolean | null {
  const wal = `${file}-wal`;
  if (!existsSync(sealOf(file)) || (existsSync(wal) && statSync(wal).size > 0)) return null;
  return readFileSync(sealOf(file), "utf8") === sealText(file);
}

/** Takes the seal off, for good, before the database is written to. */
export function breakSeal(file: string): void {
  if (!existsSync(sealOf(file))) return;
  rmSync(sealOf(file));
  syncPath(dirname(file));
}

/** Seals a database just closed, unless another process still has it open. */
export function seal(file: string): void {
  if (existsSync(`${file}-wal`)) return;
  const partial = `${sealOf(file)}.partial`;
  privateFile(partial);
  writeFileSync(partial, sealText(file));
  syncPath(partial);
  renameSync(partial, sealOf(file));
}

function sealText(file: string): string {
  const hash = createHash("sha256");
  const chunk = Buffer.alloc(CHUNK);
  const handle = openSync(file, "r");
  try {
    for (let size = readSync(handle, chunk); size > 0; size = readSync(handle, chunk))
      hash.update(chunk.subarray(0, size));
  } finally {
    closeSync(handle);
  }
  return `${hash.digest("hex")}  ${basename(file)}\n`;
}
