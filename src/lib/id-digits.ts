import { createHash } from "node:crypto";

const DIGITS = 20;

/** Returns 20 hexadecimal digits derived from a UUID, ignoring its case. */
export const idDigits = (uuid: string): string =>
  createHash("sha256").update(uuid.toLowerCase()).digest("hex").slice(0, DIGITS);
