import { newKey } from "../../src/access/keys/key-format.ts";
import {
  PLAN_RANK,
  type Plan,
  type Principal,
  SCOPES,
  type Scope,
} from "../../src/domain/accounts/access.ts";
import { SCOPE_OF } from "../../src/kernel/tool.ts";
import { anonymousCaller, type ProofServer } from "./proof-server.ts";

/** One way to authenticate, valid or not. */
export interface Credential {
  readonly name: string;
  /** The Authorization header; null without one. */
  readonly header: string | null;
  /** Expected `reason` of the rejection; null for a valid credential and without a credential. */
  readonly fault: string | null;
  /** The principal that would be charged. */
  readonly caller: Principal;
}

const SECOND_MS = 1_000;
const bearer = (key: string): string => `Bearer ${key}`;

/** Every invalid kind of credential, one per plan, and full-access accounts that each lack one scope. */
export async function createCredentials(
  server: ProofServer,
  address: string,
): Promise<readonly Credential[]> {
  const { access } = server.app;
  const anonymous = anonymousCaller(address);
  const create = async (name: string, plan: Plan, scopes: readonly Scope[]): Promise<Credential> => {
    const { key, account } = await access.create({ plan, scopes });
    return { name, header: bearer(key), fault: null, caller: { account, plan, scopes } };
  };
  const createEnded = async (fault: string, end: (id: string) => Promise<unknown>, expiresAt?: string) => {
    const { credential, id } = await (async () => {
      const issued = await access.create({ plan: "enterprise", ...(expiresAt && { expiresAt }) });
      const caller: Principal = { account: issued.account, plan: "enterprise", scopes: issued.scopes };
      return { id: issued.id, credential: { name: fault, header: bearer(issued.key), fault, caller } };
    })();
    await end(id);
    return credential;
  };
  const soon = new Date(server.clock.now().getTime() + SECOND_MS).toISOString();
  const good = newKey("live");
  const misspelt = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0");
  const invalid = (name: string, header: string, fault: string): Credential => ({
    name,
    header,
    fault,
    caller: anonymous,
  });
  const credentials = [
    { name: "no key", header: null, fault: null, caller: anonymous },
    invalid("not a bearer", "Basic bWU6c2VjcmV0", "none"),
    invalid("an empty bearer", "Bearer", "none"),
    invalid("a wrong checksum", bearer(misspelt), "malformed"),
    invalid("unknown", bearer(newKey("live")), "unknown"),
    await createEnded("revoked", (id) => access.revoke(id)),
    await createEnded("replaced", (id) => access.rotate(id, { graceMs: 0 })),
    await createEnded("expired", async () => server.clock.pass(SECOND_MS), soon),
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
  return credentials;
}
