import { beforeEach, describe, expect, it } from "vitest";
import { asToolError, type ToolError } from "../../../src/kernel/errors.ts";
import { connectBroker } from "../../../tools/connect-broker.ts";
import { executeTrade } from "../../../tools/execute-trade.ts";
import { requestLimits } from "../../../tools/request-limits.ts";
import { FAKE_ALPACA_KEY } from "../../support/fake-alpaca.ts";
import { useLiveBroker } from "../../support/live-broker.ts";
import { sendTo } from "../../support/oauth-app.ts";

const live = useLiveBroker();
const get = (path: string, cookie: string, headers: Record<string, string> = {}) =>
  sendTo(live.site.url, path, { cookie, accept: "text/html", ...headers });
/** Answers on the page of a request, as a browser does. */
const decide = (
  id: string,
  cookie: string,
  fields: Record<string, string> = { decision: "confirm" },
  headers = {},
) =>
  sendTo(
    live.site.url,
    `/confirm/${id}`,
    { cookie, origin: live.site.url, "content-type": "application/x-www-form-urlencoded", ...headers },
    new URLSearchParams(fields).toString(),
  );
const execute = async (ticket_id: string) =>
  live.call(executeTrade, { ticket_id }).catch((thrown: unknown) => asToolError(thrown));
const audited = async (event: string) => {
  const rows = await live.site.app.store.db.selectFrom("audit_log").selectAll().execute();
  return rows.filter((row) => row.event === event).length;
};

describe("a live order", () => {
  let owner: string;
  beforeEach(async () => {
    owner = await live.signIn("owner");
  });

  it("is refused with the address of its page, waits a quarter of an hour, and is sent once when confirmed", async () => {
    const id = await live.ticket();
    const refused = await execute(id);
    expect(refused).toMatchObject({
      code: "REFUSED",
      message: "This live trade is not confirmed",
      hint: `Until 2026-01-15T17:15:00.000Z a person of this account confirms it at ${live.site.url}/confirm/${id}, or the owner in the terminal of the server; then call execute_trade.`,
      command: `market-signal trades confirm ${id}`,
      data: {
        ticket_id: id,
        confirmation: {
          id,
          url: `${live.site.url}/confirm/${id}`,
          expires_at: "2026-01-15T17:15:00.000Z",
        },
      },
    });
    const list = await get("/confirm", owner);
    expect(list.body).toContain(`href="/confirm/${id}"`);
    const page = await get(`/confirm/${id}`, owner);
    for (const text of ["AAPL", "Buy", "IN42, live, real money", "Worst loss", "No stop or target"])
      expect(page.body).toContain(text);
    expect([page.status, live.orders()]).toEqual([200, 0]);
    expect(await decide(id, owner)).toMatchObject({ status: 303, headers: { location: `/confirm/${id}` } });
    expect((await get(`/confirm/${id}`, owner)).body).toContain("This was confirmed.");
    expect(await execute(id)).toMatchObject({ order: { state: "accepted" }, repeated: false });
    expect(await execute(id)).toMatchObject({ repeated: true });
    expect(live.orders()).toBe(1);
  });

  it("is not confirmed by a key, another page, an old session, a viewer or a person of another account", async () => {
    const id = await live.ticket();
    await execute(id);
    const { key } = await live.site.key("pro", ["read", "write", "trade:paper", "trade:live"]);
    const viewer = await live.signIn("vera", "viewer");
    const stranger = await live.signIn("sam", "member");
    const bearer = { authorization: `Bearer ${key}` };
    const attempts = [
      await decide(id, "", undefined, bearer),
      await decide(id, owner, undefined, { origin: "http://evil.example" }),
      await decide(id, owner, undefined, { "sec-fetch-site": "cross-site" }),
      await decide(id, viewer),
      await decide(id, stranger),
      await decide(id, `${owner}x`),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([401, 403, 403, 403, 404, 401]);
    expect((await get(`/confirm/${id}`, viewer)).status).toBe(403);
    const others = await get(`/confirm/${id}`, stranger);
    expect([others.status, others.body.includes("AAPL")]).toEqual([404, false]);
    expect(await get(`/confirm/${id}`, "")).toMatchObject({
      status: 303,
      headers: { location: `/sign-in?next=${encodeURIComponent(`/confirm/${id}`)}` },
    });
    expect(await live.site.app.confirmations.state("owner", id)).toBe("waiting");
    live.stage.clock.move(61 * 60_000);
    const aged = await live.ticket();
    expect((await decide(aged, owner)).status).toBe(401);
    expect((await get(`/confirm/${aged}`, owner)).body).toContain("Sign in again");
    expect(await live.site.app.confirmations.state("owner", aged)).toBe("waiting");
    expect(live.orders()).toBe(1);
  });

  it("stays refused in a second tab, and is never sent", async () => {
    const id = await live.ticket();
    await execute(id);
    const [first, second] = [await decide(id, owner, { decision: "refuse" }), await decide(id, owner)];
    expect([first.status, second.status]).toEqual([303, 422]);
    expect(second.body).toContain("A person of this account refused this trade");
    expect(await execute(id)).toMatchObject({
      code: "REFUSED",
      message: /^A person of this account refused/,
    });
    expect(live.orders()).toBe(1);
  });

  it("can be refused after it was confirmed, while it is not sent", async () => {
    const id = await live.ticket();
    await execute(id);
    await decide(id, owner);
    expect((await decide(id, owner, { decision: "refuse" })).status).toBe(303);
    expect((await get(`/confirm/${id}`, owner)).body).toContain("This was refused.");
    expect(await execute(id)).toMatchObject({ code: "REFUSED" });
  });

  it("is confirmed once by answers at the same time", async () => {
    const id = await live.ticket();
    await execute(id);
    const before = await audited("ticket_confirmed");
    const answers = await Promise.all(Array.from({ length: 8 }, () => decide(id, owner)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(303));
    expect((await audited("ticket_confirmed")) - before).toBe(1);
    const orders = await Promise.all(Array.from({ length: 4 }, () => execute(id)));
    expect(orders.filter((one) => "repeated" in one && !one.repeated)).toHaveLength(1);
    expect(live.orders()).toBe(2);
  });

  it("expires a quarter of an hour after a person was asked", async () => {
    const id = await live.ticket();
    await execute(id);
    live.stage.clock.move(15 * 60_000);
    expect((await get(`/confirm/${id}`, owner)).body).toContain("This has expired.");
    expect((await decide(id, owner)).status).toBe(422);
    expect(await audited("ticket_confirmed")).toBeGreaterThan(0);
  });
});

describe("the credentials of a broker", () => {
  it("are typed by a person on the page, and the agent gets the connection without them", async () => {
    const owner = await live.signIn("ben", "member");
    const ask = () =>
      live
        .call(connectBroker, { broker: "alpaca", account_type: "live" }, "ben")
        .catch((thrown: unknown) => asToolError(thrown));
    const refused = await ask();
    expect(refused).toMatchObject({ code: "REFUSED", message: /which a person types on a page$/ });
    const { id } = (refused as ToolError).data!.confirmation as { id: string };
    const page = await get(`/confirm/${id}`, owner);
    expect(page.body).toContain("live, real money");
    const wrong = { decision: "confirm", api_key: FAKE_ALPACA_KEY.api_key, api_secret: "not-the-secret" };
    expect((await decide(id, owner, wrong)).status).toBe(422);
    expect((await decide(id, owner)).status).toBe(400);
    expect(await decide(id, owner, { decision: "confirm", ...FAKE_ALPACA_KEY })).toMatchObject({
      status: 303,
    });
    const connected = await ask();
    expect(connected).toMatchObject({ connection: { broker: "alpaca", account_type: "live" } });
    expect(JSON.stringify([connected, refused, page.body])).not.toContain(FAKE_ALPACA_KEY.api_secret);
    expect((await decide(id, owner, { decision: "refuse" })).status).toBe(409);
  });
});

describe("the credentials of a broker, answered twice at the same time", () => {
  it("are taken or refused, and the connection exists only if they were taken", async () => {
    const owner = await live.signIn("dora", "member");
    const refused = await live
      .call(connectBroker, { broker: "alpaca", account_type: "live" }, "dora")
      .catch((thrown: unknown) => asToolError(thrown));
    const { id } = (refused as ToolError).data!.confirmation as { id: string };
    const [confirmed, declined] = await Promise.all([
      decide(id, owner, { decision: "confirm", ...FAKE_ALPACA_KEY }),
      decide(id, owner, { decision: "refuse" }),
    ]);
    expect([confirmed.status, declined.status].sort()).toEqual([303, 409]);
    const connections = await live.site.app.ports.connections.list("dora");
    const made = connections.filter(({ broker }) => broker === "alpaca");
    expect(made).toHaveLength(confirmed.status === 303 ? 1 : 0);
    expect(await audited("connection_confirmed")).toBeGreaterThan(0);
  });
});

describe("a change of limits", () => {
  it("applies when a person confirms it, who sees both values and the words of the agent as text", async () => {
    const owner = await live.signIn("cleo", "member");
    const reason = "<script>alert(1)</script>";
    const asked = await live.call(requestLimits, { changes: ["max_notional_usd=900"], reason }, "cleo");
    expect((await get("/confirm", owner)).body).toContain("<p>max_notional_usd: 25000 → 900</p>");
    const page = await get(`/confirm/${asked.request_id}`, owner);
    expect(page.body).toContain("25000 → 900");
    expect([page.body.includes("&lt;script&gt;"), page.body.includes("<script>")]).toEqual([true, false]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => decide(asked.request_id, owner)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array(7).fill(409)]);
    expect(await audited("limits")).toBe(1);
    const { set } = await live.site.app.ports.tradeRules.limits("cleo");
    expect(set).toEqual({ max_notional_usd: "900" });
  });
});
