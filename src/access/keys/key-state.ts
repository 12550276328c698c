import type { KeyRecord } from "../../domain/accounts/keyring-port.ts";
import { ToolError, type ToolErrorOptions } from "../../kernel/errors.ts";

/** `grace`: replaced, still valid until the end of its grace period. */
export type KeyState = "active" | "grace" | "replaced" | "expired" | "revoked";
export type KeyFault = "missing" | "malformed" | "unknown" | Exclude<KeyState, "active" | "grace">;

/** Returns the state of a key at a time (ISO 8601 UTC). Revocation outranks expiry, expiry outranks replacement. */
export function stateOf(key: Omit<KeyRecord, "hash">, now: string): KeyState {
  if (key.revoked_at !== null) return "revoked";
  if (key.expires_at !== null && key.expires_at <= now) return "expired";
  if (key.replaced_by === null) return "active";
  return key.grace_until !== null && now < key.grace_until ? "grace" : "replaced";
}

export const isValid = (state: KeyState): state is "active" | "grace" =>
  state === "active" || state === "grace";

/** Advice for a caller who needs a new key. */
const CREATE = {
  hint: "The owner of the server creates keys.",
  command: "market-signal keys create",
} as const;
const FAULTS: Readonly<Record<KeyFault, Pick<ToolError, "message"> & ToolErrorOptions>> = {
  missing: {
    message: "No API key was sent",
    ...CREATE,
    hint: `Send the header "Authorization: Bearer <key>". ${CREATE.hint}`,
  },
  malformed: {
    message: "This is not an API key",
    hint: "A key is ms_live_ or ms_test_ followed by 38 letters and digits; check that it was copied completely.",
  },
  unknown: {
    message: "Unknown API key",
    ...CREATE,
    hint: `Check that it belongs to this server. ${CREATE.hint}`,
  },
  expired: { message: "This API key has expired", ...CREATE },
  revoked: { message: "This API key was revoked", ...CREATE },
  replaced: {
    message: "This API key was replaced and its grace period is over",
    hint: "Use the key that was issued in its place.",
  },
};

/** Returns the FORBIDDEN error for the keys of a suspended account. */
export const suspendedError = (account: string): ToolError =>
  new ToolError("FORBIDDEN", "This account is suspended", {
    hint: "The owner of the server suspended it and can resume it.",
    command: `market-signal accounts resume ${account}`,
    data: { reason: "suspended" },
  });

/** Returns an UNAUTHENTICATED error for the holder of the key; `data.reason` is the machine-readable reason. */
export function keyFault(reason: KeyFault): ToolError {
  const { message, ...advice } = FAULTS[reason];
  return new ToolError("UNAUTHENTICATED", message, { ...advice, data: { reason } });
}
