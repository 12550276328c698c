import type { KeyRecord } from "../../domain/accounts/keyring-port.ts";
import { ToolError } from "../../kernel/errors.ts";

/** `grace`: replaced, but still good until its grace ends. */
export type KeyState = "active" | "grace" | "replaced" | "expired" | "revoked";
export type KeyFault = "missing" | "malformed" | "unknown" | Exclude<KeyState, "active" | "grace">;

/** How a key stands at a moment (ISO 8601 UTC). Whatever ended it for good comes first. */
export function stateOf(key: Omit<KeyRecord, "hash">, now: string): KeyState {
  if (key.revoked_at !== null) return "revoked";
  if (key.expires_at !== null && key.expires_at <= now) return "expired";
  if (key.replaced_by === null) return "active";
  return key.grace_until !== null && now < key.grace_until ? "grace" : "replaced";
}

const MAKE = 'The owner makes one with "market-signal keys create".';
const FAULTS: Readonly<Record<KeyFault, readonly [message: string, hint: string]>> = {
  missing: ["No API key was sent", `Send the header "Authorization: Bearer <key>". ${MAKE}`],
  malformed: [
    "That is not an API key",
    "A key is ms_live_ or ms_test_ and 38 letters and digits; check that all of it was copied.",
  ],
  unknown: ["This API key is not known here", `Check that it belongs to this server. ${MAKE}`],
  expired: ["This API key has expired", MAKE],
  revoked: ["This API key was revoked", MAKE],
  replaced: ["This API key was replaced and its grace is over", "Use the key that was issued in its place."],
};

/** UNAUTHENTICATED, saying to the holder what is wrong with the key; `data.reason` names it for programs. */
export function keyFault(reason: KeyFault): ToolError {
  const [message, hint] = FAULTS[reason];
  return new ToolError("UNAUTHENTICATED", message, { hint, data: { reason } });
}
