import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createAccess } from "../../src/access/access.ts";
import { PLAN_SCHEDULES } from "../../src/access/plans.ts";
import { openKeyring } from "../../src/store/accounts/keyring.ts";
import { auditAt } from "./audit-at.ts";
import type { Line } from "./key-log.ts";
import { openStoreAt } from "./store-at.ts";

/** Prints to stdout before each write and after its acknowledgement, unbuffered. */
const say = (line: Line) => writeSync(1, `${JSON.stringify(line)}\n`);

/** Settings of the server; `pauseMs` limits the load: time between two writes. Default: none. */
const [settings, pauseMs] = process.argv.slice(2) as [string, string?];
await once(process.stdin, "data");
const clock = { now: () => new Date() };
const env = JSON.parse(settings) as Readonly<Record<string, string>>;
const store = await openStoreAt(env);
const { audit } = auditAt(store, env);
const access = createAccess({
  keyring: openKeyring(store.db),
  clock,
  ids: { uuid: () => randomUUID() },
  schedule: PLAN_SCHEDULES.A,
});
const active: string[] = [];
const any = () => active[Math.floor(Math.random() * active.length)]!;
const chosen = () => (active.length < 3 ? 0 : Math.floor(Math.random() * 3));
for (;;) {
  if (pauseMs !== undefined) await sleep(Number(pauseMs));
  switch (chosen()) {
    case 0: {
      say({ begin: "create" });
      const made = await access.create();
      await audit.write(made.account, "key_created", { key_id: made.id });
      active.push(made.id);
      say({ done: "create", id: made.id, key: made.key });
      break;
    }
    case 1: {
      const id = any();
      say({ begin: "revoke", id });
      await access.revoke(id);
      active.splice(active.indexOf(id), 1);
      say({ done: "revoke", id });
      break;
    }
    default: {
      const id = any();
      say({ begin: "rotate", id });
      const next = await access.rotate(id);
      active.splice(active.indexOf(id), 1, next.id);
      say({ done: "rotate", id, next: next.id, key: next.key });
    }
  }
}
