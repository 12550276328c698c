import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { paperConnection } from "../../src/features/trading/connect.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { listPositions } from "../../tools/list-positions.ts";
import { previewTrade } from "../../tools/preview-trade.ts";
import { startAgent } from "../../tools/start-agent.ts";
import { syncPositions } from "../../tools/sync-positions.ts";
import type { Proof } from "./proof.ts";
import { openProofServer, type ProofServer, requestOf, sendRequest } from "./proof-server.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Jumps of the clock; a negative one sets it back. */
const JUMPS = {
  quick: [30 * DAY, -5 * HOUR],
  full: [HOUR, DAY, 30 * DAY, 400 * DAY, -HOUR, -5 * HOUR, -2 * DAY],
} as const;
/** Time for which the clock is wrong. */
const WRONG_MS = 4_000;
const COIN = { symbol: "BTC-USD", side: "buy", quantity: "0.001" } as const;
const ORDERS_A_MINUTE = 10;
/** Fields with the time of a figure, which is never in the future. */
const TIMES = /"(as_of|data_as_of|price_as_of|timestamp|traded_at)":"(\d{4}-[^"]+Z)"/g;
/** Tools that return what was recorded, with the time of the record. */
const RECORDED: readonly string[] = [
  "get_agent_runs",
  "get_backtest",
  "render_backtest",
  "list_positions",
  "review_portfolio",
];
const READS = Object.values<Tool>(catalogue).filter(
  ({ name, effect, plan, role, examples }) =>
    effect === "read" &&
    plan !== "open" &&
    role === undefined &&
    examples.length > 0 &&
    !RECORDED.includes(name),
);

/** Sets the clock of a server wrong for four seconds, uses everything meanwhile, and sets it right. */
export const clock: Proof = {
  name: "clock",
  claim:
    "Once a clock that was wrong for seconds is right again, no caller is blocked and no figure has a future time",

  async run({ scale, report }) {
    const broken: string[] = [];
    let requests = 0;
    for (const jump of JUMPS[scale]) {
      const server = await openProofServer();
      try {
        const found = await faultsOf(server, jump, () => ++requests);
        broken.push(...found.map((fault) => `${jump / HOUR} h: ${fault}`));
        broken.push(...server.errors.map((error) => `${jump / HOUR} h: ${error}`));
        report(`${jump / HOUR} h: ${found.length} faults`);
      } finally {
        await server.stop();
      }
    }
    return {
      figure: `${JUMPS[scale].length} jumps of the clock, ${requests} requests`,
      broken,
    };
  },
};

async function faultsOf(server: ProofServer, jump: number, count: () => number): Promise<readonly string[]> {
  const { app, clock } = server;
  const faults: string[] = [];
  const { key, account } = await server.key("enterprise", ["read", "write", "trade:paper"]);
  const caller = await app.access.identify(key);
  const spender = await app.access.identify((await server.key("member")).key);
  await paperConnection(caller, app.ports);
  const call = <Name extends Tool>(tool: Name, input: object): Promise<any> =>
    invoke(tool, input, { ports: app.ports, principal: caller, transport: "proof" });
  const codeOf = (work: Promise<unknown>): Promise<string | null> =>
    work.then(
      () => null,
      ({ code }) => String(code),
    );
  const readAll = async () => {
    const responses = new Map<string, { readonly status: number; readonly text: string }>();
    for (const { name, route, examples } of READS) {
      count();
      const given = requestOf(route, examples[0]!.input);
      const response = await sendRequest(server, { ...given, authorization: `Bearer ${key}` });
      responses.set(name, { status: response.status, text: await response.text() });
    }
    return responses;
  };
  const trade = () => call(executeTrade, { ...COIN, idempotency_key: `order ${count()}` });

  const before = await readAll();
  const { agent } = await call(startAgent, { agent: "momentum", every: "1h", symbols: ["BTC-USD"] });
  await app.scheduler.runDue();

  clock.pass(jump);
  await spendAll(spender, server);
  const { ticket_id } = await call(previewTrade, COIN);
  for (let sent = 0; sent < ORDERS_A_MINUTE; sent++) await trade();
  await call(syncPositions, {});
  await app.scheduler.runDue();
  await readAll();
  clock.pass(WRONG_MS - jump);

  const now = clock.now().getTime();
  if (jump > 0)
    for (const { name, quota, remaining } of await app.ports.meters.usage(spender))
      if (remaining !== quota) faults.push(`${remaining} of ${quota} calls are left in "${name}"`);
  const after = await readAll();
  for (const [name, { status, text }] of after) {
    if (status !== before.get(name)!.status)
      faults.push(`${name} answers ${status} instead of ${before.get(name)!.status}: ${text.slice(0, 200)}`);
    for (const [, field, time] of text.matchAll(TIMES))
      if (Date.parse(time!) > now + HOUR) faults.push(`${name} has ${field} ${time}`);
  }
  if (jump > 0 && (await codeOf(call(executeTrade, { ticket_id }))) !== "REFUSED")
    faults.push("a ticket of the wrong time was sent");
  const code = await codeOf(trade());
  if (code !== null) faults.push(`an order is refused: ${code}`);
  await call(syncPositions, {});
  const { synced, positions, hint } = await call(listPositions, {});
  if (synced[0]?.synced_at !== clock.now().toISOString())
    faults.push(`the positions are those of ${synced[0]?.synced_at}`);
  if (!positions.every(({ since }: { since: string }) => Date.parse(since) <= clock.now().getTime()))
    faults.push("a position is held since a time in the future");
  if (/filled after/.test(hint ?? "")) faults.push(`list_positions says: ${hint}`);
  for (let tick = 0; tick < 2; tick++) await app.scheduler.runDue();
  const [running] = await app.ports.automation.instances({ ...caller, account });
  const next = Date.parse(running?.next_run ?? "");
  if (!(next > now - HOUR && next <= now + HOUR))
    faults.push(`the agent ${agent?.agent_id} is due at ${running?.next_run}, ${running?.reason}`);
  return faults;
}

/** Uses up every window of the caller. */
async function spendAll(caller: Principal, { app }: ProofServer): Promise<void> {
  const { countBurst, countDaily, usage } = app.ports.meters;
  for (const { name, remaining } of await usage(caller)) {
    const spend = name === "burst" ? countBurst : countDaily;
    await Promise.all(Array.from({ length: remaining }, () => spend(caller)));
  }
}
