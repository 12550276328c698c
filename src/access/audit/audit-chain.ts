import { createHmac, randomBytes } from "node:crypto";
import type { AuditHead } from "../../domain/audit/audit.ts";
import type { AuditEntry } from "../../domain/audit/audit-port.ts";

/** Creates a random key for the audit log, base64url. */
export const newAuditKey = (): string => randomBytes(32).toString("base64url");

/** Returns the id of a key, 16 hexadecimal digits; reveals nothing about the key. */
export const auditKeyId = (key: string): string => hmac(key, "market-signal audit key").slice(0, 16);

/**
 * Returns the code of an entry: HMAC-SHA256 in hex over the JSON array of its fields and the code of the previous
 * entry. JSON keeps numbers and strings distinct, so that different entries never give the same text.
 */
export const macOf = (
  key: string,
  { key: id, seq, at, account, market, event, about, previous }: Omit<AuditEntry, "mac">,
): string => hmac(key, JSON.stringify([id, seq, at, account, market, event, about, previous]));

/** Returns the code of the head in the head file. It differs from the code of every entry. */
export const headCodeOf = (key: string, { seq, mac }: AuditHead): string =>
  hmac(key, JSON.stringify(["market-signal audit head", seq, mac]));

const hmac = (key: string, text: string): string =>
  createHmac("sha256", Buffer.from(key, "base64url")).update(text, "utf8").digest("hex");
