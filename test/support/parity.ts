import { afterAll, beforeAll, expect } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import {
  createClaim,
  createConnection,
  createReceipt,
  createSubscription,
  createTradingFixture,
  type OwnIds,
  prepareAgents,
  withOwnIds,
} from "./account-fixtures.ts";
import { saveAllowedApp } from "./connected-apps.ts";
import { type Installation, install, writeBars } from "./installation.ts";
import { movingClock } from "./store.ts";
import { suiteDir } from "./temp-dir.ts";
import { type Answer, openTransportClients, type TransportClient } from "./transport-clients.ts";

export const TOOLS: readonly Tool[] = Object.values(catalogue);

const NOW = "2026-07-01T14:00:00.000Z";
const MINUTE_MS = 60_000;
const DAILY_SYMBOLS = ["AAPL", "MSFT", "NVDA", "TSLA", "SPY", "QQQ", "AMD", "BTC-USD", "ETH-USD"];

/**
 * Fields bound to one call or its caller. All other fields are equal over every transport, since the clock is fixed.
 */
const CALL_FIELDS = new Set([
  "request_id",
  "latency_ms",
  "windows",
  "plan",
  "scopes",
  "client_order_id",
  "account_mask",
]);
/** Id of what a person decides on, which is also in an address and a hint; each account has its own. */
const CONFIRMATION_ID = /\bcf_[0-9a-f]{20}\b/g;
const withoutCallFields = (value: unknown): unknown => {
  if (typeof value === "string") return value.replace(CONFIRMATION_ID, "cf_");
  if (Array.isArray(value)) return value.map(withoutCallFields);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !CALL_FIELDS.has(key))
      .map(([key, field]) => [key, withoutCallFields(field)]),
  );
};

/** The one response of all transports, and the call's cost in burst and daily quota. */
export interface SharedAnswer {
  readonly answer: Answer;
  readonly burst: number;
  readonly day: number;
}

/** Clients of every transport over one installation. */
export interface Parity {
  readonly installation: () => Installation;
  readonly clients: () => readonly TransportClient[];
  /**
   * Calls the tool over every transport and expects the same response and cost. `prepared`: ids in the input are
   * replaced by objects of each account; false for input that is rejected before its ids are read.
   */
  callEverywhere(
    tool: Tool,
    input: Readonly<Record<string, unknown>>,
    options?: { readonly prepared?: boolean },
  ): Promise<SharedAnswer>;
}

export const isTrading = ({ toolset }: Tool): boolean => toolset === "trading";

/**
 * Opens an installation over a folder of bars or the simulated market, with clients, for the calling suite. `names`: those
 * that call; default: all.
 */
export function useParity(market: "files" | "sample", names?: readonly string[]): Parity {
  const suite = suiteDir();
  const clock = movingClock(new Date(NOW)); // still during one question, so that answers may hold the time
  let installation: Installation;
  let clients: readonly TransportClient[];

  beforeAll(async () => {
    const bars = [...DAILY_SYMBOLS.map((symbol) => [symbol, "1d"] as const), ["BTC-USD", "4h"] as const];
    const marketData = market === "files" ? `files:${await writeBars(suite.dir, bars)}` : market;
    installation = await install(suite.dir, marketData, {}, { clock });
    await installation.app.engine.run({ universe: { name: "all" } });
    const opened = await openTransportClients(installation);
    const isCalled = ({ name }: TransportClient) => names === undefined || names.includes(name);
    clients = opened.filter(isCalled);
    await Promise.all(opened.filter((one) => !isCalled(one)).map((one) => one.close()));
    const stored = { symbol: "AAPL", strategy: "buy_hold", picture: false } as const; // examples ask for it again
    for (const { principal } of clients)
      await invoke(catalogue.runBacktest, stored, {
        ports: installation.app.ports,
        principal,
        transport: "test",
      });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await installation.stop();
    suite.remove();
  });

  async function remaining(principal: Principal) {
    const windows = await installation.app.ports.meters.usage(principal);
    return Object.fromEntries(windows.map(({ name, remaining }) => [name, remaining]));
  }

  async function callOne(client: TransportClient, tool: Tool, input: Record<string, unknown>) {
    const before = await remaining(client.principal);
    const text = JSON.stringify(await client.call(tool, input));
    const answer = JSON.parse(
      text
        .replaceAll(`--account ${client.principal.account}`, "--account mine")
        .replace(/\b(tk|or|cn|cl|rc|sb|ag|ru)_[0-9a-f]{20}\b/g, "$1_mine")
        .replace(/"signature":"[\w-]{86}"/g, '"signature":"mine"'), // signs the receipt's own id
    ) as Answer;
    const after = await remaining(client.principal);
    return { answer, burst: before.burst! - after.burst!, day: before.daily! - after.daily! };
  }

  /** Trading fixtures by account, reused while calls only read. */
  let trading: { readonly withOrder: boolean; readonly ids: readonly OwnIds[] } | null = null;
  async function tradingIds({ effect }: Tool, input: object): Promise<readonly OwnIds[]> {
    const withOrder = effect === "read" || "ticket_id" in input || "order_id" in input;
    const usable = trading !== null && (trading.withOrder || !withOrder) ? trading.ids : null;
    const create = withOrder ? createTradingFixture : createConnection;
    const ids = usable ?? (await forEachAccount(create));
    trading = effect === "read" ? { withOrder, ids } : null;
    return ids;
  }

  async function forEachAccount(create: typeof createConnection): Promise<readonly OwnIds[]> {
    const created: OwnIds[] = [];
    for (const { principal } of clients) created.push(await create(installation.app.ports, principal));
    return created;
  }

  async function ownIds(tool: Tool, input: object): Promise<readonly OwnIds[]> {
    const names = (field: string) => tool.examples.some((example) => field in example.input);
    const lists = [
      isTrading(tool) ? await tradingIds(tool, input) : [],
      names("receipt_id") ? await forEachAccount(createReceipt) : [],
      names("claim_id") ? await forEachAccount(createClaim) : [],
      names("subscription_id") ? await forEachAccount(createSubscription) : [],
    ];
    return clients.map((_, i) => Object.assign({}, ...lists.map((ids) => ids[i])));
  }

  return {
    installation: () => installation,
    clients: () => clients,
    async callEverywhere(tool, input, { prepared = true } = {}) {
      clock.pass(MINUTE_MS); // a fresh burst window for each question
      const ids = prepared ? await ownIds(tool, input) : [];
      const full = {
        ...input,
        ...("detail" in tool.input.shape && !("detail" in input) && { detail: "full" }),
        ...("full" in tool.input.shape && { full: true }), // by default, what is read depends on the last call
        ...("force" in tool.input.shape && { force: true }), // the fixture has a working order
      };
      const answers = [];
      for (const [i, client] of clients.entries()) {
        if (tool.needs.includes("automation"))
          await prepareAgents(tool, installation.app.ports, client.principal);
        const { account } = client.principal;
        if (tool.needs.includes("connectedApps"))
          await saveAllowedApp(installation.app.store.db, { account, client: "abc", at: NOW });
        answers.push(await callOne(client, tool, withOwnIds(full, ids[i] ?? {})));
      }
      const compared = answers.map(({ answer, ...cost }) => ({ answer: withoutCallFields(answer), ...cost }));
      for (const [i, other] of compared.entries())
        expect(other, `${clients[i]!.name} compared with ${clients[0]!.name}`).toEqual(compared[0]);
      return answers[0]!;
    },
  };
}

/** Published examples as test cases; `perTool` limits how many of each tool. Default: all. */
export const exampleCases = (perTool?: number) =>
  TOOLS.flatMap((tool) =>
    tool.examples
      .slice(0, perTool)
      .map(({ ask, input }) => ({ tool, question: ask, input: input as object, name: tool.name })),
  );

export const toolsTaking = (field: string): readonly Tool[] =>
  TOOLS.filter(({ input }) => field in input.shape);

/** Required fields of a tool, with the values of its first example. */
export const requiredInput = ({ input, examples }: Tool): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(examples[0]!.input).filter(
      ([name]) => input.shape[name]?.safeParse(undefined).success === false,
    ),
  );
