import type { KeyRecord } from "../../domain/accounts/keyring-port.ts";
import { ToolError } from "../../kernel/errors.ts";

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

const CREATE_HINT = "The owner of the server creates keys.";
const FAULTS: Readonly<Record<KeyFault, readonly [message: string, hint: string]>> = {
  missing: ["No API key was sent", `Send the header "Authorization: Bearer <key>". ${CREATE_HINT}`],
  malformed: [
    "This is not an API key",
    "A key is ms_live_ or ms_test_ followed by 38 letters and digits; check that it was copied completely.",
  ],
  unknown: ["Unknown API key", `Check that it belongs to this server. ${CREATE_HINT}`],
  expired: ["This API key has expired", CREATE_HINT],
  revoked: ["This API key was revoked", CREATE_HINT],
  replaced: [
    "This API key was replaced and its grace period is over",
    "Use the key that was issued in its place.",
  ],
};

/** Returns an UNAUTHENTICATED error for the holder of the key; `data.reason` is the machine-readable reason. */
export function keyFault(reason: KeyFault): ToolError {
  const [message, hint] = FAULTS[reason];
  const command = hint.endsWith(CREATE_HINT) ? { command: "market-signal keys create" } : {};
  return new ToolError("UNAUTHENTICATED", message, { hint, ...command, data: { reason } });
}
