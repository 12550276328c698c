import { OWNER_ACCOUNT, type Plan } from "../../domain/accounts/access.ts";
import { INVITED_ROLES, type Person } from "../../domain/accounts/people.ts";
import type { People } from "../../domain/accounts/people-port.ts";
import type { ListedPerson, SignInRecords, UnusedLink } from "../../domain/accounts/sign-in-port.ts";
import type { Audit } from "../../domain/audit/audit-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Access } from "../access.ts";
import type { BrowserSessions, IssuedToken } from "./browser-sessions.ts";
import { type AppsAdmin, type AppsAdminDeps, createAppsAdmin } from "./connected-apps.ts";

/** A person to invite. */
export interface Invitation {
  /** Id of the account, and the name that the person signs in with. */
  readonly account: string;
  readonly role: (typeof INVITED_ROLES)[number];
  /** Plan of a new account. Default: "pro". */
  readonly plan?: Plan | undefined;
}

/** A change of how a person signs in, as the audit log names it. */
export type SignInChange =
  | "password_set"
  | "passkey_added"
  | "passkey_removed"
  | "identity_connected"
  | "identity_disconnected"
  | "recovery_codes_made"
  | "recovery_code_used";

/** Administration of people and their apps. `by` names who acts; the audit log has an entry for each change. */
export interface PeopleAdmin extends AppsAdmin {
  /** Returns a link that signs the person in once. Rejects with INVALID_INPUT for the account or the role of the owner. */
  invite(invitation: Invitation, by: string): Promise<IssuedToken>;
  /**
   * Ends every session and app of an account's people, deletes their passwords and passkeys, and returns a link that signs
   * the first of them in once. Rejects with NOT_FOUND if the account has no people.
   */
  resetSignIn(account: string, by: string): Promise<IssuedToken>;
  /** Returns everybody who signs in, by account. */
  list(): Promise<readonly ListedPerson[]>;
  /** Returns the links of people other than the owner that were not opened yet, by account. */
  invitations(): Promise<readonly UnusedLink[]>;
  /** Ends the unused link of an account. Rejects with NOT_FOUND if there is none. */
  endInvitation(account: string, by: string): Promise<void>;
  /** Changes the role of an account's people at once. Rejects with INVALID_INPUT for the owner, or NOT_FOUND. */
  setRole(account: string, role: Invitation["role"], by: string): Promise<void>;
  /** Records that a person changed how they sign in. */
  recordChange(person: Person, change: SignInChange): Promise<void>;
}

/** Creates the administration of people. */
export const createPeopleAdmin = ({
  people,
  records,
  access,
  browserSessions,
  audit,
  ...deps
}: Omit<AppsAdminDeps, "people"> & {
  readonly people: People;
  readonly records: Pick<SignInRecords, "people" | "setRole" | "invitations" | "endInvitation">;
  readonly access: Pick<Access, "openAccount">;
  readonly browserSessions: Pick<BrowserSessions, "issueLink">;
  readonly audit: Audit;
}): PeopleAdmin => ({
  ...createAppsAdmin({ people, audit, ...deps }),
  async invite({ account, role, plan }, by) {
    if (account === OWNER_ACCOUNT)
      throw new ToolError("INVALID_INPUT", "The account `owner` takes no other people", {
        hint: "Invite into another account. The owner signs in by the link of the server.",
        command: "market-signal open",
      });
    if (/\.\.|\.$/.test(account))
      throw new ToolError(
        "INVALID_INPUT",
        "A sign-in name has no two dots in a row and does not end with one",
      );
    if (!INVITED_ROLES.includes(role))
      throw new ToolError("INVALID_INPUT", `The role is ${INVITED_ROLES.join(" or ")}`);
    await access.openAccount(account, plan);
    await audit.write(account, "person_invited", { by, role });
    return browserSessions.issueLink({ account, role, name: account });
  },
  async resetSignIn(account, by) {
    const [person] = await people.resetSignIn(account);
    if (person === undefined) throw noPersonError(account);
    await audit.write(account, "sign_in_reset", { by });
    return browserSessions.issueLink(person);
  },
  list: () => records.people(),
  invitations: () => records.invitations(deps.clock.now().toISOString()),
  async endInvitation(account, by) {
    if (!(await records.endInvitation(account, deps.clock.now().toISOString())))
      throw new ToolError("NOT_FOUND", `The account "${account}" has no unused link`, {
        hint: "It was opened, has expired or was ended. Load the page again.",
      });
    await audit.write(account, "invitation_ended", { by });
  },
  async setRole(account, role, by) {
    if (account === OWNER_ACCOUNT || !INVITED_ROLES.includes(role))
      throw new ToolError("INVALID_INPUT", "The owner's role cannot be changed or given to others", {
        hint: `The role is ${INVITED_ROLES.join(" or ")}, of an account other than "${OWNER_ACCOUNT}".`,
      });
    if (!(await people.hasPerson(account))) throw noPersonError(account);
    await audit.write(account, "role_changed", { by, role });
    await records.setRole(account, role);
  },
  recordChange: ({ account, name }, change) => audit.write(account, "sign_in_changed", { by: name, change }),
});

const noPersonError = (account: string): ToolError =>
  new ToolError("NOT_FOUND", `No person signs in to the account "${account}"`, {
    hint: "Invite a person first.",
    command: "market-signal accounts invite <account>",
  });
