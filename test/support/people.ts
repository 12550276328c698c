import { randomUUID } from "node:crypto";
import type { Access } from "../../src/access/access.ts";
import { createBrowserSessions } from "../../src/access/sign-in/browser-sessions.ts";
import { createPeopleAdmin, type PeopleAdmin } from "../../src/access/sign-in/people-admin.ts";
import type { Audit } from "../../src/domain/audit/audit-port.ts";
import type { Clock } from "../../src/domain/ports.ts";
import { appRepository } from "../../src/store/accounts/connected-apps.ts";
import { people as openPeople } from "../../src/store/accounts/people.ts";
import { signInRecords } from "../../src/store/accounts/sign-in-records.ts";
import type { Store } from "../../src/store/store.ts";

/** The administration of people over a test store. */
export function testPeople({
  access,
  clock,
  store,
  audit,
}: {
  readonly access: Access;
  readonly clock: Clock;
  readonly store: Pick<Store, "db">;
  readonly audit: Audit;
}): PeopleAdmin {
  const people = openPeople(store.db);
  const records = signInRecords(store.db);
  const browserSessions = createBrowserSessions({
    people,
    records,
    clock,
    ids: { uuid: () => randomUUID() },
    secret: async () => "secret of the test",
    resolvePrincipal: async () => Promise.reject(new Error("not used in this test")),
  });
  return createPeopleAdmin({
    people,
    records,
    appRepository: appRepository(store.db),
    access,
    browserSessions,
    usage: { read: async () => [] },
    audit,
    clock,
  });
}
