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

/** One way to stand at a door. */
export interface Credential {
  readonly name: string;
  /** The Authorization header; null without one. */
  readonly header: string | null;
  /** Why it is worth nothing, as `reason` says it; null where it is good, or where there is none. */
  readonly fault: string | null;
  /** Who would be debited. */
  readonly caller: Principal;
}

const SECOND_MS = 1_000;
const bearer = (key: string): string => `Bearer ${key}`;

/** Every way to be refused, every plan, and an all-powerful account without each of the scopes that tools ask for. */
export async function createCredentials(house: ProofServer, address: string): Promise<readonly Credential[]> {
  const { access } = house.app;
  const nobody = anonymousCaller(address);
  const made = async (name: string, plan: Plan, scopes: readonly Scope[]): Promise<Credential> => {
    const { key, account } = await access.create({ plan, scopes });
    return { name, header: bearer(key), fault: null, caller: { account, plan, scopes } };
  };
  const ended = async (fault: string, end: (id: string) => Promise<unknown>, expiresAt?: string) => {
    const { badge, id } = await (async () => {
      const issued = await access.create({ plan: "enterprise", ...(expiresAt && { expiresAt }) });
      const caller: Principal = { account: issued.account, plan: "enterprise", scopes: issued.scopes };
      return { id: issued.id, badge: { name: fault, header: bearer(issued.key), fault, caller } };
    })();
    await end(id);
    return badge;
  };
  const soon = new Date(house.clock.now().getTime() + SECOND_MS).toISOString();
  const good = newKey("live");
  const misspelt = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0");
  const wrong = (name: string, header: string, fault: string): Credential => ({
    name,
    header,
    fault,
    caller: nobody,
  });
  const badges = [
    { name: "no key", header: null, fault: null, caller: nobody },
    wrong("not a bearer", "Basic bWU6c2VjcmV0", "none"),
    wrong("an empty bearer", "Bearer", "none"),
    wrong("a wrong checksum", bearer(misspelt), "malformed"),
    wrong("unknown", bearer(newKey("live")), "unknown"),
    await ended("revoked", (id) => access.revoke(id)),
    await ended("replaced", (id) => access.rotate(id, { graceMs: 0 })),
    await ended("expired", async () => house.clock.pass(SECOND_MS), soon),
    ...(await Promise.all(
      (Object.keys(PLAN_RANK) as Plan[]).map((plan) => made(`plan ${plan}`, plan, SCOPES)),
    )),
    ...(await Promise.all(
      Object.values(SCOPE_OF).map((lacking) =>
        made(
          `without the scope ${lacking}`,
          "enterprise",
          SCOPES.filter((scope) => scope !== lacking),
        ),
      ),
    )),
  ];
  return badges;
}
