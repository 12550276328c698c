import { newKey } from "../../src/access/keys/key-format.ts";
import {
  PLAN_RANK,
  type Plan,
  type Principal,
  SCOPES,
  type Scope,
} from "../../src/domain/accounts/access.ts";
import { SCOPE_OF } from "../../src/kernel/tool.ts";
import { anonymousCaller, type ProofServer, type SiteRequest } from "./proof-server.ts";

/** What a credential is to a request. */
export interface Standing {
  /** The principal that would be charged. */
  readonly caller: Principal;
  /** Expected rejection; `reason` null if it has none. Null for a valid credential and without a credential. */
  readonly fault: { readonly code: "UNAUTHENTICATED" | "FORBIDDEN"; readonly reason: string | null } | null;
  /** Scopes that its person may still allow. Default: none. */
  readonly grantable?: readonly Scope[];
}
/** One way to authenticate, valid or not. */
export interface Credential {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  at(request: Pick<SiteRequest, "method" | "path">): Standing;
}

/** A credential that is the same to every request. */
export const everywhere = (name: string, headers: Credential["headers"], standing: Standing): Credential => ({
  name,
  headers,
  at: () => standing,
});
export const refused = (
  caller: Principal,
  reason: string | null = null,
  code: "UNAUTHENTICATED" | "FORBIDDEN" = "UNAUTHENTICATED",
): Standing => ({ caller, fault: { code, reason } });

const SECOND_MS = 1_000;
export const bearer = (key: string): Credential["headers"] => ({ authorization: `Bearer ${key}` });

/** Every invalid kind of credential, one per plan, and full-access accounts that each lack one scope. */
export async function createCredentials(
  server: ProofServer,
  address: string,
): Promise<readonly Credential[]> {
  const { access, accounts } = server.app;
  const anonymous = anonymousCaller(address);
  const create = async (name: string, plan: Plan, scopes: readonly Scope[]): Promise<Credential> => {
    const { key, account, id: keyId } = await access.create({ plan, scopes });
    return everywhere(name, bearer(key), { caller: { account, plan, scopes, keyId }, fault: null });
  };
  const createEnded = async (
    reason: string,
    end: (key: { readonly id: string; readonly account: string }) => Promise<unknown>,
    { expiresAt, code }: { readonly expiresAt?: string; readonly code?: "FORBIDDEN" } = {},
  ) => {
    const issued = await access.create({ plan: "enterprise", ...(expiresAt && { expiresAt }) });
    await end(issued);
    const caller: Principal = { account: issued.account, plan: "enterprise", scopes: issued.scopes };
    return everywhere(reason, bearer(issued.key), refused(caller, reason, code));
  };
  const soon = new Date(server.clock.now().getTime() + SECOND_MS).toISOString();
  const good = newKey("live");
  const misspelt = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0");
  const invalid = (name: string, authorization: string, reason: string | null) =>
    everywhere(name, { authorization }, refused(anonymous, reason));
  return [
    everywhere("no key", {}, { caller: anonymous, fault: null }),
    invalid("not a bearer", "Basic bWU6c2VjcmV0", null),
    invalid("an empty bearer", "Bearer", null),
    invalid("a wrong checksum", `Bearer ${misspelt}`, "malformed"),
    invalid("unknown", `Bearer ${newKey("live")}`, "unknown"),
    await createEnded("revoked", ({ id }) => access.revoke(id)),
    await createEnded("replaced", ({ id }) => access.rotate(id, { graceMs: 0 })),
    await createEnded("expired", async () => server.clock.pass(SECOND_MS), { expiresAt: soon }),
    await createEnded("suspended", ({ account }) => accounts.suspend(account, "proof"), {
      code: "FORBIDDEN",
    }),
    ...(await Promise.all(
      (Object.keys(PLAN_RANK) as Plan[]).map((plan) => create(`plan ${plan}`, plan, SCOPES)),
    )),
    ...(await Promise.all(
      Object.values(SCOPE_OF).map((lacking) =>
        create(
          `without the scope ${lacking}`,
          "enterprise",
          SCOPES.filter((scope) => scope !== lacking),
        ),
      ),
    )),
  ];
}
