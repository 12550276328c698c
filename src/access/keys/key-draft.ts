import { SCOPES, type Scope } from "../../domain/accounts/access.ts";
import type { KeyRecord } from "../../domain/accounts/keyring-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { hashOf, newKey } from "./key-format.ts";

export interface KeyRequest {
  /** Default: `read`, `write` and `trade:paper`. */
  readonly scopes?: readonly Scope[];
  readonly name?: string;
  /** ISO 8601. Default: the key does not expire. */
  readonly expiresAt?: string;
  /** Default: "live". */
  readonly kind?: KeyRecord["kind"];
}

export interface Draft extends KeyRequest {
  readonly id: string;
  readonly account: string;
  readonly now: string;
}

const DEFAULT_SCOPES: readonly Scope[] = ["read", "write", "trade:paper"];

/** Creates a key and its record. @throws ToolError INVALID_INPUT for impossible scopes or expiry. */
export function draftKey(draft: Draft): { readonly key: string; readonly record: KeyRecord } {
  const { id, account, now, scopes = DEFAULT_SCOPES, name = "agent", expiresAt, kind = "live" } = draft;
  if (scopes.length === 0 || scopes.some((scope) => !SCOPES.includes(scope)))
    throw new ToolError("INVALID_INPUT", `A key needs one or more of the scopes ${SCOPES.join(", ")}`);
  if (kind === "test" && scopes.includes("trade:live"))
    throw new ToolError("INVALID_INPUT", "A test key cannot trade live");
  const key = newKey(kind);
  const record: KeyRecord = {
    id,
    account,
    name,
    kind,
    hash: hashOf(key),
    last4: key.slice(-4),
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    created_at: now,
    expires_at: expiresAt === undefined ? null : futureTime(expiresAt, now),
    revoked_at: null,
    replaced_by: null,
    grace_until: null,
    last_used_at: null,
  };
  return { key, record };
}

/** Options for the replacement of a key: the same name, kind, scopes and lifetime. */
export function renewalOf(old: KeyRecord, now: string): KeyRequest {
  const { name, kind, scopes, created_at, expires_at } = old;
  if (expires_at === null) return { name, kind, scopes };
  const lifetimeMs = Date.parse(expires_at) - Date.parse(created_at);
  return { name, kind, scopes, expiresAt: new Date(Date.parse(now) + lifetimeMs).toISOString() };
}

function futureTime(text: string, now: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time) || time <= Date.parse(now))
    throw new ToolError(
      "INVALID_INPUT",
      "The expiry must be a time in the future, for example 2030-01-31T00:00:00Z",
    );
  return new Date(time).toISOString();
}
