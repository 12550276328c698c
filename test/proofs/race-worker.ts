import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { NAME_DOMAIN } from "../../src/domain/accounts/people.ts";
import type { SignalChange } from "../../src/domain/alerts/changes.ts";
import type { ConfirmationProposal } from "../../src/domain/trading/confirmation.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { intent } from "../providers/broker-contract.ts";
import {
  AT,
  ATTEMPTS,
  codeHash,
  connectionId,
  LATER,
  linkHash,
  MARKET,
  openRaceStore,
  orderId,
  raceSession,
  requester,
  TRADER,
  ticketId,
  verification,
} from "./race-store.ts";

/** Deliveries that one process takes in a round. */
const TAKEN = 3;

/** What the calls of one process returned; it is compared with the database. */
export interface RaceResult {
  readonly begun: string[];
  readonly ordered: string[];
  readonly taken: string[];
  readonly linked: string[];
  readonly recovered: string[];
  readonly consumed: string[];
  readonly changed: string[];
  audited: number;
  requested: number;
  firstKeys: number;
  /** Refusals of the rules, by code. */
  readonly refused: Record<string, number>;
  /** Unexpected errors. */
  readonly failed: string[];
}

const [database, number, rounds, pauseMs] = process.argv.slice(2) as [string, string, string, string];
const race = await openRaceStore(database, `p${number}`);
const result: RaceResult = {
  begun: [],
  ordered: [],
  taken: [],
  linked: [],
  recovered: [],
  consumed: [],
  changed: [],
  audited: 0,
  requested: 0,
  firstKeys: 0,
  refused: {},
  failed: [],
};

async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (cause instanceof ToolError && (cause.code === "REFUSED" || cause.code === "CONFLICT"))
      result.refused[cause.code] = (result.refused[cause.code] ?? 0) + 1;
    else result.failed.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
}

async function order(round: number, n: number): Promise<void> {
  const order = {
    order_id: orderId(round, n),
    ticket_id: ticketId(round, n),
    connection_id: connectionId(round),
    client_order_id: `ms-${round}-${n}`,
    intent: intent("AAPL"),
    state: "submitting",
    broker_status: null,
    filled_quantity: "0",
    average_price: null,
    fees: "0",
    reason: null,
    market: MARKET,
    created_at: AT,
    updated_at: AT,
  } as const;
  if (await race.trades.begin(TRADER, order, { after: null, type: "paper" }))
    result.ordered.push(order.order_id);
}

async function call(round: number): Promise<void> {
  const call = { account: TRADER, key: `key ${round}`, route: "POST /x", input: {}, deadlineMs: 600_000 };
  if ((await race.idempotent.begin(call)).state === "begun") result.begun.push(call.key);
}

async function signIn(round: number, n: number): Promise<void> {
  const id = `${number}-${round}-${n}`;
  if (await race.people.useLink(linkHash(round), raceSession(`link ${id}`), `person ${id}`))
    result.linked.push(linkHash(round));
  const code = codeHash(round);
  if ((await race.signIn.useCode(`coder${NAME_DOMAIN}`, code, raceSession(`code ${id}`))) !== null)
    result.recovered.push(code);
  if ((await race.verifications.consumeVerificationValue(verification(round))) !== null)
    result.consumed.push(verification(round));
}

async function notice(round: number): Promise<void> {
  const series = { symbol: `S${round}`, timeframe: "1d" } as const;
  const change = { ...series, change_id: `sc_${round}`, decided_at: AT, noticed_at: AT };
  const update = { series, at: Date.parse(AT), state: { before: null, now: "x" }, alerts: [], seen: [] };
  const { changed } = await race.changes.save({ ...update, change: change as unknown as SignalChange });
  if (changed) result.changed.push(series.symbol);
}

async function audit(): Promise<void> {
  const head = { at: AT, account: TRADER, market: MARKET, event: "limits", about: "{}", key: "k" } as const;
  await race.audit.append(({ last }) => ({
    entry: { ...head, seq: last.seq + 1, previous: last.mac, mac: race.ids.uuid() },
    newKey: null,
    codeOf: () => "",
  }));
  result.audited++;
}

async function firstKey(): Promise<void> {
  const owner = { id: "owner", plan: "pro", terms: null, created_at: AT, suspended_at: null } as const;
  const ended = {
    expires_at: null,
    revoked_at: null,
    replaced_by: null,
    grace_until: null,
    last_used_at: null,
  };
  const key = {
    id: `key ${number}`,
    account: "owner",
    name: "n",
    kind: "live",
    hash: number,
    last4: "",
  } as const;
  if (await race.keyring.addFirstKey(owner, { ...key, ...ended, scopes: [], created_at: AT }))
    result.firstKeys++;
}

/** Asks a person to confirm something, of which an account has at most 10 open. */
async function request(round: number): Promise<void> {
  const request = {
    id: race.ids.uuid(),
    proposal: { kind: "test" } as unknown as ConfirmationProposal,
    requestedBy: "test",
    requestedAt: AT,
    expiresAt: LATER,
    decision: null,
    decidedBy: null,
    decidedAt: null,
    connection: null,
  } as const;
  await race.requests.add(requester(round), request, { outdated: [], page: "/confirm" });
  result.requested++;
}

async function runRound(round: number): Promise<void> {
  const works: (() => Promise<void>)[] = [() => notice(round)];
  for (let n = 0; n < ATTEMPTS; n++) {
    const place = Number(number) * ATTEMPTS + n;
    works.push(
      () => order(round, place),
      () => call(round),
      () => signIn(round, n),
      () => request(round),
      audit,
    );
  }
  works.push(async () => {
    result.taken.push(...(await race.queue.take(Date.now(), TAKEN, 600_000)).map(({ id }) => id));
  });
  if (round === 0) works.push(firstKey);
  await Promise.all(works.map(attempt));
}

process.stdout.write("ready\n");
const [start] = (await once(process.stdin, "data")) as [Buffer];
for (let round = 0; round < Number(rounds); round++) {
  await sleep(Math.max(0, Number(start.toString()) + round * Number(pauseMs) - Date.now()));
  await runRound(round);
}
process.stdout.write(`${JSON.stringify(result)}\n`);
await race.store.close();
process.exit(0);
