import { createHash } from "node:crypto";

const DIGITS = 20;

/** Twenty hexadecimal digits that stand for a UUID however it is written; another UUID of any version gets others. */
export const idDigits = (uuid: string): string =>
  createHash("sha256").update(uuid.toLowerCase()).digest("hex").slice(0, DIGITS);
