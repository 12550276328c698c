import { type Context, Hono } from "hono";
import { z } from "zod";
import { PLAN_RANK, type Plan, type Principal } from "../../domain/accounts/access.ts";
import type { PlanChange } from "../../domain/accounts/accounts-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { authorizePlan } from "../../kernel/invoke.ts";
import { jsonBody } from "../http/body.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { rateLimitHeaders } from "../http/rate-limit-headers.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";

/** Path of the administration of accounts. */
export const ACCOUNTS_PATH = "/api/v1/accounts";

const PLANS = Object.keys(PLAN_RANK) as [Plan, ...Plan[]];
const PlanBody = z.strictObject({ plan: z.enum(PLANS).optional(), terms: z.string().nullable().optional() });

/** Serves the administration of accounts to keys with the admin scope. */
export function accountRoutes({
  accounts,
  ports,
}: Pick<HttpServerDeps, "accounts" | "ports">): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  if (accounts === undefined) return app;

  const headersFor = async (principal: Principal) => ({
    "cache-control": "no-store",
    ...(await rateLimitHeaders(ports.meters, principal)),
  });

  /** Returns a handler that runs the task for an administrator; the task gets the account, and who acts. */
  const handle =
    (task: (account: string, by: string, c: Context<HttpEnv>) => Promise<object>) =>
    async (c: Context<HttpEnv>): Promise<Response> => {
      const principal = c.get("principal");
      authorizeAdmin(principal);
      const result = await task(c.req.param("account") ?? "", principal.keyId ?? principal.account, c);
      return c.json({ ok: true, ...result }, 200, await headersFor(principal));
    };

  const one = `${ACCOUNTS_PATH}/:account`;
  return app
    .get(
      ACCOUNTS_PATH,
      handle(async () => ({ accounts: await accounts.list() })),
    )
    .all(ACCOUNTS_PATH, (c) => methodNotAllowed(c, ["GET"]))
    .get(
      one,
      handle((account) => accounts.show(account)),
    )
    .delete(
      one,
      handle(async (account, by) => ({ account, deleted: await accounts.delete(account, by) })),
    )
    .all(one, (c) => methodNotAllowed(c, ["GET", "DELETE"]))
    .put(
      `${one}/plan`,
      handle(async (account, by, c) => accounts.setPlan(account, await planChange(c.req.raw), by)),
    )
    .all(`${one}/plan`, (c) => methodNotAllowed(c, ["PUT"]))
    .post(
      `${one}/suspend`,
      handle((account, by) => accounts.suspend(account, by)),
    )
    .all(`${one}/suspend`, (c) => methodNotAllowed(c, ["POST"]))
    .post(
      `${one}/resume`,
      handle((account, by) => accounts.resume(account, by)),
    )
    .all(`${one}/resume`, (c) => methodNotAllowed(c, ["POST"]))
    .get(`${one}/export`, async (c) => {
      const principal = c.get("principal");
      authorizeAdmin(principal);
      const parts = await accounts.export(c.req.param("account"), principal.keyId ?? principal.account);
      return new Response(streamOf(parts), {
        headers: { "content-type": "application/json", ...(await headersFor(principal)) },
      });
    })
    .all(`${one}/export`, (c) => methodNotAllowed(c, ["GET"]));
}

/** Throws UNAUTHENTICATED without a key, SCOPE_REQUIRED without the admin scope. */
function authorizeAdmin(principal: Principal): void {
  authorizePlan("The administration of accounts", "member", principal);
  if (principal.scopes.includes("admin")) return;
  throw new ToolError("SCOPE_REQUIRED", 'The administration of accounts needs the "admin" scope', {
    hint: 'Use a key with the "admin" scope.',
    command: "market-signal keys create --account owner --scopes read,admin",
    data: { required_scope: "admin" },
  });
}

/** Parses the body of a change of plan. Throws INVALID_INPUT. */
async function planChange(request: Request): Promise<PlanChange> {
  const read = PlanBody.safeParse(await jsonBody(request));
  const { plan, terms } = read.data ?? {};
  if (!read.success || (plan === undefined && terms === undefined))
    throw new ToolError("INVALID_INPUT", "The body has no valid plan or terms", {
      hint: `Send {"plan": "pro"}, with one of ${PLANS.join(", ")}, or {"terms": <row of the plan schedule, or null>}, or both.`,
    });
  return { ...(plan !== undefined && { plan }), ...(terms !== undefined && { terms }) };
}

/** Returns a stream of text that is read only as fast as the client takes it. */
function streamOf(parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
