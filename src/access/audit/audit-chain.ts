import { createHmac, randomBytes } from "node:crypto";
import type { AuditHead } from "../../domain/audit/audit.ts";
import type { AuditEntry } from "../../domain/audit/audit-port.ts";

/** A new key of a chain, as it is sealed. */
export const newAuditKey = (): string => randomBytes(32).toString("base64url");

/** Names a key and tells nothing of it: 16 hexadecimal digits. */
export const auditKeyId = (key: string): string => hmac(key, "market-signal audit key").slice(0, 16);

/**
 * The code of an entry: HMAC-SHA256 in hex over the JSON list of its fields and of the code before it. In such a list no
 * two different entries read alike, a number and its digits as text neither.
 */
export const macOf = (
  key: string,
  { key: id, seq, at, account, market, event, about, previous }: Omit<AuditEntry, "mac">,
): string => hmac(key, JSON.stringify([id, seq, at, account, market, event, about, previous]));

/** The code by which a head is noted beside the store: no entry has the same. */
export const noteCodeOf = (key: string, { seq, mac }: AuditHead): string =>
  hmac(key, JSON.stringify(["market-signal audit head", seq, mac]));

const hmac = (key: string, text: string): string =>
  createHmac("sha256", Buffer.from(key, "base64url")).update(text, "utf8").digest("hex");
