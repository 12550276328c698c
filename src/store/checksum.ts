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
import { privateFile, syncPath } from "./data-dir.ts";

const CHUNK = 1 << 20;

/** Returns the path of a closed database's SHA-256 checksum file, in the format of `sha256sum -c`. */
export const checksumPath = (file: string): string => `${file}.sha256`;

/** Returns whether the file matches its checksum; null if that is unknown, for example after a crash. */
export function isChecksumValid(file: string): boolean | null {
  const wal = `${file}-wal`;
  if (!existsSync(checksumPath(file)) || (existsSync(wal) && statSync(wal).size > 0)) return null;
  return readFileSync(checksumPath(file), "utf8") === checksumLine(file);
}

/** Deletes the checksum; to be called before the first write to the database. */
export function removeChecksum(file: string): void {
  if (!existsSync(checksumPath(file))) return;
  rmSync(checksumPath(file));
  syncPath(dirname(file));
}

/** Writes the checksum of a closed database, unless another process has it open. */
export function writeChecksum(file: string): void {
  if (existsSync(`${file}-wal`)) return;
  const partial = `${checksumPath(file)}.partial`;
  privateFile(partial);
  writeFileSync(partial, checksumLine(file));
  syncPath(partial);
  renameSync(partial, checksumPath(file));
}

function checksumLine(file: string): string {
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
