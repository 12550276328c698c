import { setTimeout as sleep } from "node:timers/promises";
import { compile, serveOn } from "../support/compiled.ts";
import { install } from "../support/installation.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { drawsOf } from "../support/trading-world/draw.ts";
import type { Proof } from "./proof.ts";
import { fetchFromServer } from "./proof-server.ts";

const ROUNDS = { quick: 4, full: 200 } as const;
/** One in this many rounds kills a server while calls are in flight. */
const KILLED = 4;
const CALLS = 20;
const TRIES = 50;
const SCOPES = ["read", "write", "trade:paper"] as const;
const COIN = { symbol: "BTC-USD", side: "buy", quantity: "0.001" } as const;

interface SentResponse {
  readonly status: number;
  readonly replayed: boolean;
  readonly text: string;
}

/**
 * Sends one trade many times at once with one idempotency key to two servers on one data folder, one of which may be
 * killed.
 */
export const repeats: Proof = {
  name: "repeats",
  claim:
    "A call under an Idempotency-Key runs once, however often it is sent, over all processes and their crashes",

  async run({ scale, seed, report }) {
    const { dir, remove } = suiteDir();
    const server = await install(dir, "sample");
    const built = await compile();
    const env = { ...server.env, HOME: dir };
    let second = await serveOn(built.product, env);
    const { whole } = drawsOf(seed);
    const broken: string[] = [];
    const count = { calls: 0, ran: 0, again: 0, waiting: 0, lost: 0, kills: 0 };

    async function send(
      url: string,
      key: string,
      name: string,
      path: string,
      body: object,
    ): Promise<SentResponse> {
      count.calls++;
      const response = await fetchFromServer(url, {
        method: "POST",
        path: `/api/broker/${path}`,
        authorization: `Bearer ${key}`,
        headers: { "idempotency-key": name },
        body,
      });
      const replayed = response.headers.get("idempotency-replayed") === "true";
      return { status: response.status, replayed, text: await response.text() };
    }

    async function round(n: number): Promise<void> {
      const { key, account } = await server.key("enterprise", SCOPES);
      const credentials = { api_key: "any-key", api_secret: "any-secret" };
      await send(server.url, key, "connect", "connect-broker", { broker: "paper", credentials });
      const trade = (url: string) => send(url, key, `order ${n}`, "execute-trade", COIN);
      const racing = Array.from({ length: CALLS }, (_, i) =>
        trade([server.url, second.url][i % 2]!).catch(() => null),
      );
      if (n % KILLED === KILLED - 1) {
        await sleep(whole(0, 60));
        second.child.kill("SIGKILL");
        await second.ended;
        count.kills++;
      }
      const responses = (await Promise.all(racing)).flatMap((one) => (one === null ? [] : [one]));
      count.lost += CALLS - responses.length;
      if (n % KILLED === KILLED - 1) {
        second = await serveOn(built.product, env);
        // Avoids waiting until the lock of the killed process expires.
        await server.app.store.db
          .updateTable("idempotency")
          .set({ held_until: 0 })
          .where("account", "=", account)
          .where("status", "is", null)
          .execute();
      }
      let last = await trade(second.url);
      for (let tries = 0; last.status === 409 && tries < TRIES; tries++) {
        await sleep(20);
        last = await trade(server.url);
      }
      const answers = [...responses, last].filter(({ status }) => status === 200);
      count.ran += answers.filter(({ replayed }) => !replayed).length;
      count.again += answers.filter(({ replayed }) => replayed).length;
      count.waiting += responses.filter(({ status }) => status === 409).length;
      for (const { status, text } of [...responses, last])
        if (status !== 200 && status !== 409) broken.push(`round ${n}: ${status} ${text}`);
      const orders = await server.app.ports.tradeRepository!.orders(account, { limit: 10 });
      const ids = new Set(
        answers.map(({ text }) => (JSON.parse(text) as { order: { order_id: string } }).order.order_id),
      );
      if (last.status !== 200 || orders.length !== 1 || ids.size !== 1 || !ids.has(orders[0]!.order_id))
        broken.push(
          `round ${n}: ${orders.length} orders, responses name ${[...ids].join(", ")}, at last ${last.status}`,
        );
      if (new Set(answers.map(({ text }) => text)).size !== 1)
        broken.push(`round ${n}: the answers are not alike`);
    }

    try {
      for (let n = 0; n < ROUNDS[scale]; n++) {
        await round(n);
        if (n % 50 === 49) report(`${n + 1} rounds`);
      }
      return {
        figure: `${ROUNDS[scale]} trades, each sent ${CALLS} times at once to two processes, ${count.kills} of them killed meanwhile: ${count.ran} run, ${count.again} responses again word for word, ${count.waiting} responses to wait, ${count.lost} unanswered; one order each`,
        broken,
      };
    } finally {
      second.child.kill("SIGKILL");
      await second.ended;
      await server.stop();
      built.remove();
      remove();
    }
  },
};
