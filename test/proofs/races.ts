import { sql } from "kysely";
import { NAME_DOMAIN } from "../../src/domain/accounts/people.ts";
import { MAX_WAITING } from "../../src/domain/trading/confirmation.ts";
import { insertRows } from "../../src/store/queries.ts";
import { intent } from "../providers/broker-contract.ts";
import { alertOf } from "../support/alerts.ts";
import { compile } from "../support/compiled.ts";
import { createDatabase, POSTGRES_URL } from "../support/postgres.ts";
import { launch } from "../support/program.ts";
import { suiteDir } from "../support/temp-dir.ts";
import type { Proof } from "./proof.ts";
import {
  AT,
  ATTEMPTS,
  codeHash,
  connectionId,
  LATER,
  linkHash,
  MARKET,
  openRaceStore,
  PROCESSES,
  raceSubscription,
  TRADER,
  ticketId,
  verification,
} from "./race-store.ts";
import type { RaceResult } from "./race-worker.ts";

const SIZES = { quick: { rounds: 5, pauseMs: 200 }, full: { rounds: 20, pauseMs: 300 } } as const;
const WORKER = "test/proofs/race-worker.ts";
/** Accounts with alerts to deliver. */
const OWNERS = 20;

type Race = Awaited<ReturnType<typeof openRaceStore>>;

/** Runs concurrent operations of several processes on one database, of which only one may succeed. */
export const races: Proof = {
  name: "races",
  claim: "What may happen once happens once, and limits are exact, when four processes share a database",

  async run({ scale, report }) {
    const { rounds, pauseMs } = SIZES[scale];
    const { dir, remove } = suiteDir();
    const database = POSTGRES_URL === null ? dir : await createDatabase(POSTGRES_URL);
    const built = await compile({ scripts: [WORKER] });
    const race = await openRaceStore(database, "setup");
    const deliveries = PROCESSES * ATTEMPTS * rounds;
    await prepare(race, rounds, deliveries);
    const programs = Array.from({ length: PROCESSES }, (_, n) =>
      launch([...built.script(WORKER), database, `${n}`, `${rounds}`, `${pauseMs}`], {}),
    );
    try {
      await Promise.all(programs.map(({ says }) => says(/ready/)));
      const begunAt = performance.now();
      for (const { child } of programs) child.stdin.write(`${Date.now() + 50}\n`);
      await Promise.all(programs.map(({ ended }) => ended));
      const ms = Math.round(performance.now() - begunAt);
      const results = programs.map(({ seen }) => resultOf(seen));
      const { figure, broken } = await judge(race, results, { rounds, deliveries });
      report(`${JSON.stringify(results.map(({ refused }) => refused))}`);
      return {
        figure: `${POSTGRES_URL === null ? "SQLite" : "PostgreSQL"}, ${rounds} rounds in ${ms} ms: ${figure}`,
        broken,
      };
    } finally {
      for (const { child } of programs) child.kill("SIGKILL");
      await race.store.close();
      built.remove();
      remove();
    }
  },
};

function resultOf({ out, err }: { readonly out: string; readonly err: string }): RaceResult {
  const line = out.split("\n").find((text) => text.startsWith("{"));
  if (line === undefined) throw new Error(`A process of the race failed: ${err}`);
  return JSON.parse(line) as RaceResult;
}

async function prepare(race: Race, rounds: number, deliveries: number): Promise<void> {
  const { db, trades, subscriptions, alerts, verifications, signIn } = race;
  const account = { plan: "pro", overrides: null, created_at: AT, suspended_at: null };
  await insertRows(db, "accounts", [
    { ...account, id: TRADER },
    { ...account, id: "coder" },
  ]);
  const coder = {
    id: "coder",
    name: "coder",
    email: `coder${NAME_DOMAIN}`,
    role: "member",
    account: "coder",
  };
  const times = { createdAt: AT, updatedAt: AT };
  await insertRows(db, "auth_users", [
    { ...coder, emailVerified: 0, image: null, lastSignInAt: null, ...times },
  ]);
  const codes = Array.from({ length: rounds }, (_, n) => ({ id: codeHash(n), hash: codeHash(n) }));
  await signIn.replaceCodes("coder", codes, AT);
  for (let round = 0; round < rounds; round++) {
    const paper = { broker: "paper", account_type: "paper", account_mask: "", sealed: "s" } as const;
    const times = { connected_at: AT, checked_at: AT };
    await insertRows(db, "connections", [
      { account: TRADER, market: MARKET, id: connectionId(round), ...paper, ...times },
    ]);
    const ticket = { connection: connectionId(round), market: MARKET, intent: intent("AAPL"), shown: {} };
    const state = { createdAt: AT, expiresAt: LATER, order: null, confirmedAt: null };
    for (let n = 0; n < PROCESSES * ATTEMPTS; n++)
      await trades.saveTicket(TRADER, { ...ticket, ...state, id: ticketId(round, n) });
    const link = {
      hash: linkHash(round),
      account: TRADER,
      role: "owner",
      name: TRADER,
      used_at: null,
    } as const;
    await insertRows(db, "browser_links", [{ ...link, created_at: AT, expires_at: LATER }]);
    await verifications.createVerificationValue({
      identifier: verification(round),
      value: "v",
      expiresAt: new Date(LATER),
    });
  }
  for (let n = 0; n < deliveries; n++) {
    const account = `own ${n % OWNERS}`;
    const subscription = raceSubscription(1_000_000 + n);
    await subscriptions.add(account, { subscription, seen: {} });
    const alert = alertOf(subscription.subscription_id);
    await alerts.add([{ account, alert }], Date.parse(AT));
  }
}

/** Compares the results of the processes with the database. */
async function judge(
  { db }: Race,
  results: readonly RaceResult[],
  { rounds, deliveries }: { readonly rounds: number; readonly deliveries: number },
) {
  const broken = results.flatMap(({ failed }) => failed);
  const figures: string[] = [];
  const expectExactly = (what: string, found: number, expected: number): void => {
    figures.push(`${found} of ${expected} ${what}`);
    if (found !== expected) broken.push(`${found} ${what}, where ${expected} are right`);
  };
  const each = (name: "begun" | "ordered" | "taken" | "linked" | "recovered" | "consumed" | "changed") =>
    results.flatMap((result) => result[name]);
  const count = async (table: string, where = sql`1 = 1`): Promise<number> => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*) as n from ${sql.table(table)} where ${where}`.execute(db);
    return Number(rows[0]!.n);
  };
  expectExactly("orders", await count("trade_orders"), rounds);
  expectExactly("orders acknowledged", each("ordered").length, rounds);
  expectExactly("idempotent calls begun", each("begun").length, rounds);
  expectExactly("deliveries handed out", each("taken").length, deliveries);
  expectExactly("different deliveries", new Set(each("taken")).size, deliveries);
  expectExactly("signal changes", each("changed").length, rounds);
  expectExactly("links used", each("linked").length, rounds);
  expectExactly("recovery codes used", each("recovered").length, rounds);
  expectExactly("verifications consumed", each("consumed").length, rounds);
  expectExactly("sessions", await count("auth_sessions"), 2 * rounds);
  expectExactly(
    "first keys",
    results.reduce((sum, { firstKeys }) => sum + firstKeys, 0),
    1,
  );
  const requested = Math.min(PROCESSES * ATTEMPTS, MAX_WAITING.requester) * rounds;
  expectExactly("requests within their limit", await count("confirmation_requests"), requested);
  expectExactly(
    "requests acknowledged",
    results.reduce((sum, result) => sum + result.requested, 0),
    requested,
  );
  const audited = PROCESSES * ATTEMPTS * rounds;
  expectExactly(
    "audit entries acknowledged",
    results.reduce((sum, result) => sum + result.audited, 0),
    audited,
  );
  expectExactly("audit entries", await count("audit_log"), audited);
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from audit_log a join audit_log b on b.seq = a.seq + 1 where b.previous = a.mac`.execute(
    db,
  );
  expectExactly("links of the audit log", Number(rows[0]!.n), audited - 1);
  return { figure: figures.join(", "), broken };
}
