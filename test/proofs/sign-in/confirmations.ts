import { asToolError } from "../../../src/kernel/errors.ts";
import { executeTrade } from "../../../tools/execute-trade.ts";
import { requestLimits } from "../../../tools/request-limits.ts";
import { liveBroker, TRADING } from "../../support/live-broker.ts";
import type { Answer } from "../../support/oauth-app.ts";
import { mcpCall } from "../proof-server.ts";
import { FOREIGN, type Group, LIMITED, refusedWith } from "./kinds.ts";
import { BEHIND_PROXY, ORIGIN, PASSWORD, type SignInSite, signInSiteOf, text } from "./site.ts";

type Headers = Readonly<Record<string, string>>;

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const REFUSED = [400, 401, 403, 404, 405, 409, 415, 422];
const LIVE = "read write trade:paper trade:live admin";
/** Calls that one key makes, fewer than its limit. */
const CALLS_A_KEY = 25;
/** Time that passes with an order, because calls of the broker have limits; all attempts take less than a ticket waits. */
const ORDER_MS = 2_000;

/** Confirmations of orders and limits: by the agent that asked, other people, other pages, again, and none at all. */
export async function confirmations(_: SignInSite): Promise<Group> {
  const live = liveBroker(BEHIND_PROXY);
  await live.open();
  const site = signInSiteOf(live.site);
  const { app } = live.site;
  const stateOf = (account: string, id: string) => app.confirmations.state(account, id);

  const owner = await site.signedIn();
  const [sam, vera] = [await site.invited("sam"), await site.invited("vera", "viewer")];
  const newKey = async () =>
    (await app.access.create({ account: "owner", plan: "enterprise", scopes: [...TRADING, "admin"] })).key;
  const key = await newKey();
  const keys: Promise<string>[] = [];
  await site.setPassword(owner);
  const lasting = (await site.signInWith("owner", PASSWORD)).cookies[0]!.split(";")[0]!;
  const { access: token } = await site.connected(lasting, { scope: LIVE });
  const ended = (await site.signedIn()).cookie;
  await site.send("/sign-out", { cookie: ended, origin: ORIGIN, "sec-fetch-site": "same-origin" }, "");
  const [old, expired] = [await aged("createdAt"), await aged("expiresAt")];
  /** Returns a session of the owner that began, or ended, more than an hour ago. */
  async function aged(field: "createdAt" | "expiresAt"): Promise<string> {
    const { cookie } = await site.signedIn();
    const sessions = await app.browserSessions.list(decodeURIComponent(cookie.split("=")[1]!));
    await site.db
      .updateTable("auth_sessions")
      .set({ [field]: new Date(live.stage.clock.at() - 3_700_000).toISOString() })
      .where("id", "=", sessions.find(({ current }) => current)!.id)
      .execute();
    return cookie;
  }

  /** Calls a tool with a key of the owner's account. */
  const call = (bearer: string, input: object): Promise<Answer> =>
    site.send("/api/broker/execute-trade", { authorization: `Bearer ${bearer}` }, input);
  async function asked(account = "owner"): Promise<string> {
    const id = await live.ticket(account);
    await live.call(executeTrade, { ticket_id: id }, account).catch(() => {});
    return id;
  }
  const limitsOf = async (account: string, change = "max_notional_usd=900") =>
    (await live.call(requestLimits, { changes: [change] }, account)).request_id;
  /** What waits, by account; no attempt decides it. */
  const waiting = {
    order: ["owner", await asked()],
    limits: ["owner", await limitsOf("owner")],
    ofSam: ["sam", await asked("sam")],
    ofVera: ["vera", await asked("vera")],
    limitsOfVera: ["vera", await limitsOf("vera")],
  } as const;
  const targets = [waiting.order, waiting.limits];
  const decide = (id: string, headers: Headers, body: string | object = "decision=confirm") =>
    site.send(`/confirm/${id}`, { ...(typeof body === "string" && FORM), ...headers }, body);
  const byOwner = (id: string, decision = "confirm") =>
    decide(id, { cookie: owner.cookie, origin: ORIGIN }, `decision=${decision}`);

  /** Judges an answer: refused, and everything still waits. */
  async function isRefused(answer: Answer): Promise<string | null> {
    const wrong = refusedWith(answer, REFUSED);
    if (wrong !== null) return wrong;
    for (const [account, id] of Object.values(waiting)) {
      const state = await stateOf(account, id);
      if (state !== "waiting") return `${id} of ${account} is ${state}`;
    }
    return null;
  }
  /** Ways to send a key or a token. */
  const sent = (secret: string): readonly Headers[] => [
    { authorization: `Bearer ${secret}` },
    { authorization: `Bearer ${secret}`, origin: ORIGIN },
    {
      authorization: `Bearer ${secret}`,
      origin: ORIGIN,
      accept: "text/html",
      "sec-fetch-site": "same-origin",
    },
    { "x-api-key": secret, origin: ORIGIN },
    { cookie: `market_signal_session=${secret}`, origin: ORIGIN },
    { authorization: `Basic ${Buffer.from(`owner:${secret}`).toString("base64")}`, origin: ORIGIN },
  ];
  const [byKey, byToken] = [sent(key), sent(token)];
  let turn: Promise<unknown> = Promise.resolve();
  /** Runs attempts one after another. */
  function inTurn<T>(attempt: () => Promise<T>): Promise<T> {
    const done = turn.then(attempt);
    turn = done.catch(() => {});
    return done;
  }
  const target = (n: number) => targets[n % 2]![1];
  const ofOwner = { cookie: owner.cookie, origin: ORIGIN };
  let orders = 0;
  let limited = 0;

  return {
    name: "confirmations",
    kinds: [
      {
        name: "by the key that asked",
        attempts: 60,
        attempt: async (n) => isRefused(await decide(target(n), byKey[(n >> 1) % byKey.length]!)),
      },
      {
        name: "by an app",
        attempts: 60,
        attempt: async (n) => isRefused(await decide(target(n), byToken[(n >> 1) % byToken.length]!)),
      },
      {
        name: "by a person of another account",
        attempts: 40,
        async attempt(n) {
          const answer =
            n % 4 < 2
              ? decide(target(n), { cookie: sam.cookie, origin: ORIGIN })
              : site.send(`/confirm/${target(n)}`, { cookie: sam.cookie });
          return isRefused(await answer);
        },
      },
      {
        name: "by a viewer of the account",
        attempts: 40,
        attempt: async (n) =>
          isRefused(
            await decide((n % 2 === 0 ? waiting.ofVera : waiting.limitsOfVera)[1], {
              cookie: vera.cookie,
              origin: ORIGIN,
            }),
          ),
      },
      {
        name: "by an old, ended, expired or forged session, or none",
        attempts: 60,
        async attempt(n) {
          const cookie = [old, ended, expired, `${owner.cookie.slice(0, -8)}AAAAA%3D`, ""][(n >> 1) % 5]!;
          return isRefused(await decide(target(n), { ...(cookie && { cookie }), origin: ORIGIN }));
        },
      },
      {
        name: "from a page elsewhere, or without an origin",
        attempts: 90,
        attempt: async (n) =>
          isRefused(
            await decide(target(n), { cookie: owner.cookie, ...FOREIGN[(n >> 1) % FOREIGN.length]! }),
          ),
      },
      {
        name: "in another body, by a link or by another method",
        attempts: 96,
        async attempt(n) {
          const id = target(n);
          const [path, yes] = [`/confirm/${id}`, "decision=confirm"];
          const ways = [
            () => decide(id, ofOwner, ""),
            () => decide(id, ofOwner, "decision=CONFIRM"),
            () => decide(id, ofOwner, "decision[]=confirm"),
            () => decide(id, ofOwner, "decision=confirm%00"),
            () => decide(id, ofOwner, { decision: "confirm" }),
            () => decide(id, ofOwner, `confirm=decision&id=${id}`),
            () => decide(id, ofOwner, `${yes}&x=${"x".repeat(10_000)}`),
            () => site.send(`${path}?${yes}`, ofOwner, ""),
            () => site.send(path, { ...FORM, ...ofOwner }, yes, "PUT"),
            () => site.send(path, { ...FORM, ...ofOwner }, yes, "DELETE"),
            () => site.send(`/confirm?id=${id}&${yes}`, ofOwner, yes),
            () => site.send(`/api/v1${path}`, { ...FORM, ...ofOwner }, yes),
          ];
          const answer = await ways[(n >> 1) % ways.length]!();
          return isRefused(answer.status === 413 ? { ...answer, status: 400 } : answer);
        },
      },
      {
        name: "of what another account asked for, or nobody",
        attempts: 40,
        async attempt(n) {
          const ids = [waiting.ofSam[1], waiting.ofVera[1], waiting.limitsOfVera[1], `tk_${"0".repeat(20)}`];
          const odd = [`cf_${text()}`, "..%2faccount", `${waiting.order[1].toUpperCase()}`, "%00"];
          return isRefused(await byOwner([...ids, ...odd][n % 8]!));
        },
      },
      {
        name: "none: sent by its key, another key or an app",
        attempts: 120,
        async attempt(n) {
          live.stage.clock.move(ORDER_MS);
          const ticket_id = waiting.order[1];
          const inputs = [
            { ticket_id },
            { ticket_id, confirmed: true },
            { ticket_id, confirmation: { id: ticket_id, state: "confirmed" } },
            { ticket_id, idempotency_key: text() },
            { ticket_id, quantity: "100" },
            { ticket_id, account_type: "paper" },
          ];
          const input = inputs[n % inputs.length]!;
          const place = Math.floor(n / CALLS_A_KEY);
          keys[place] ??= newKey();
          const bearer = await keys[place];
          const overMcp = () => {
            const { path, headers, body } = mcpCall("execute_trade", input);
            const who = n % 3 === 1 ? token : bearer;
            return site.send(path, { ...headers, authorization: `Bearer ${who}` }, body as object);
          };
          const answer = await (n % 3 === 0 ? call(bearer, input) : overMcp());
          if (answer.status === 429 || answer.body.includes("RATE_LIMITED")) return LIMITED;
          const isJudged = /not confirmed|INVALID_INPUT|insufficient_scope/.test(answer.body);
          return isJudged
            ? isRefused({ ...answer, status: 422 })
            : `${answer.status} ${answer.body.slice(0, 300)}`;
        },
      },
      {
        name: "again, after it was refused",
        attempts: 30,
        async attempt() {
          live.stage.clock.move(ORDER_MS);
          const id = await asked();
          const [refused, confirmed] = [await byOwner(id, "refuse"), await byOwner(id)];
          const thrown = await live.call(executeTrade, { ticket_id: id }).catch(asToolError);
          return [refused.status, confirmed.status].join() === "303,422" && "code" in thrown
            ? null
            : `${refused.status}, ${confirmed.status}: ${JSON.stringify(thrown)}`;
        },
      },
      {
        name: "twice, and sent many times at once",
        attempts: 12,
        attempt: () =>
          inTurn(async () => {
            live.stage.clock.move(10 * ORDER_MS);
            const id = await asked();
            await Promise.all(Array.from({ length: 4 }, () => byOwner(id)));
            const send = () => live.call(executeTrade, { ticket_id: id }).catch(() => null);
            const results = await Promise.all(Array.from({ length: 4 }, send));
            orders++;
            const first = results.filter((result) => result?.repeated === false).length;
            const { status } = await byOwner(id);
            return first === 1 && status === 409 ? null : `sent ${first} times, then ${status}`;
          }),
      },
      {
        name: "for more than the person saw",
        attempts: 20,
        async attempt() {
          const person = await site.invited(`limited${limited++}`);
          const seen = await limitsOf(person.account);
          const more = await limitsOf(person.account, "max_notional_usd=999999");
          const answer = await decide(seen, { cookie: person.cookie, origin: ORIGIN });
          const { set } = await app.ports.tradeRules.limits(person.account);
          const state = await stateOf(person.account, more);
          return answer.status === 303 && set.max_notional_usd === "900" && state === "waiting"
            ? null
            : `${answer.status}: ${JSON.stringify(set)}, ${state}`;
        },
      },
    ],
    async control() {
      const [, id] = waiting.order;
      for (const [, one] of targets) {
        const { status, body } = await byOwner(one);
        if (status !== 303) return `the right confirmation is answered with ${status}: ${body}`;
      }
      const { set } = await app.ports.tradeRules.limits("owner");
      live.stage.clock.move(60_000);
      const answer = await call(key, { ticket_id: id });
      orders++;
      if (answer.status !== 200 || set.max_notional_usd !== "900")
        return `${JSON.stringify(set)}; the confirmed order is answered with ${answer.status}: ${answer.body}`;
      return live.orders() === orders ? null : `${live.orders()} orders were sent instead of ${orders}`;
    },
    async close() {
      await live.close();
      return site.errors;
    },
  };
}
