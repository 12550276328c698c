import type { Scope } from "./access.ts";

/** End of the address of a person who signs in by name; no mail is sent to it. */
export const NAME_DOMAIN = "@market-signal.invalid";

/** What a person may do: the owner everything, a member everything in an account of their own, a viewer read. */
export const ROLES = ["owner", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Roles that a person can be invited to. */
export const INVITED_ROLES = ["member", "viewer"] as const satisfies readonly Role[];

/** Scopes that an app may be allowed by a person of each role. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ["read", "write", "trade:paper", "trade:live", "admin"],
  member: ["read", "write", "trade:paper", "trade:live"],
  viewer: ["read"],
};

/** Scopes of a browser's session: pages neither trade nor administrate with them. */
export const SESSION_SCOPES: readonly Scope[] = ["read", "write"];

/** Member `reason` of the error of a change for which a session began too long ago. */
export const RECENT_SIGN_IN = "recent_sign_in";

/** Scopes that an app is offered at first. It asks for others when it needs them. */
export const OFFERED_SCOPES: readonly Scope[] = ["read"];

/** A person who can sign in. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Account of the keyring whose data the person sees. */
  readonly account: string;
}

/** Returns true for a person whose role may trade with money. */
export const mayConfirm = ({ role }: Person): boolean => ROLE_SCOPES[role].includes("trade:live");

/** Whom a link signs in: the person of the account, who is created at the first use. */
export interface Invited {
  readonly account: string;
  readonly role: Role;
  /** Name of the person, which is also their sign-in name. */
  readonly name: string;
}
