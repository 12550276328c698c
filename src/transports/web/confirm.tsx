import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { SIGN_IN_PATH } from "../../access/sign-in/paths.ts";
import { mayConfirm, type Person } from "../../domain/accounts/people.ts";
import { CONFIRM_PATH } from "../../domain/trading/confirmation.ts";
import type { ConfirmationDetails } from "../../domain/trading/confirmations-port.ts";
import { asToolError, hintWithCommand, ToolError } from "../../kernel/errors.ts";
import { textBody } from "../http/body.ts";
import { isOwnRequest } from "../http/browser-caller.ts";
import { methodNotAllowed, PROBLEMS, routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { decisionPage, type NamedConfirmation, noDecisionPage, waitingPage } from "./confirm-pages.tsx";
import { type Reader, readerOf } from "./reader.ts";
import { frameOf } from "./sign-in-frame.tsx";

type C = Context<HttpEnv>;

/** Headers of the pages. Without a referrer, browsers send no origin with a form. */
const PAGE_HEADERS = { "cache-control": "no-store", "referrer-policy": "same-origin" };
/** Maximum size of an answer, bytes. */
const MAX_BODY = 8 * 1024;

const Answer = z.object({
  decision: z.enum(["confirm", "refuse"]),
  api_key: z.string().trim().max(200).default(""),
  api_secret: z.string().trim().max(400).default(""),
});

/**
 * Serves the pages on which a person confirms or refuses what an agent asked for, with the session of a browser only: no
 * key and no grant of an app opens them.
 */
export function confirmRoutes({
  confirmations,
  browserSessions,
  requesterName = async () => null,
  ports,
}: HttpServerDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  if (confirmations === undefined || browserSessions === undefined) return app;
  const frame = frameOf(ports);

  const namedOf = async (person: Person, item: ConfirmationDetails): Promise<NamedConfirmation> => ({
    item,
    requester: item.requestedBy ? await requesterName(person.account, item.requestedBy) : null,
  });
  const html = (c: C, page: string, status = 200) =>
    c.html(page, status as ContentfulStatusCode, PAGE_HEADERS);

  /** Answers with a page for a person who may decide; signs others in first. */
  const forPerson = (task: (c: C, reader: Reader) => Promise<Response>) => async (c: C) => {
    const reader = await readerOf(c, browserSessions, ports.clock);
    if (reader === null) return c.redirect(`${SIGN_IN_PATH}?next=${encodeURIComponent(c.req.path)}`, 303);
    const { person } = reader;
    if (mayConfirm(person)) return task(c, reader);
    const text = `Your role in the account ${person.account} is ${person.role}, which does not trade. ${ASK_FOR_ROLE}`;
    return html(c, noDecisionPage(frame, "You cannot confirm this", text), 403);
  };

  routeGet(
    app,
    CONFIRM_PATH,
    forPerson(async (c, { person }) => {
      const waiting = await confirmations.waiting(person.account);
      const all = await Promise.all(waiting.map((item) => namedOf(person, item)));
      return html(c, waitingPage(frame, person, all));
    }),
  );

  const show = async (c: C, { person, isRecent }: Reader, { fault = null, status = 200 }: Fault = {}) => {
    const item = await confirmations.find(person.account, c.req.param("id") ?? "");
    if (item === null)
      return html(c, noDecisionPage(frame, "Nothing to confirm here", NOT_FOUND(person.account)), 404);
    return html(c, decisionPage(frame, { ...(await namedOf(person, item)), isRecent, fault }), status);
  };
  const path = `${CONFIRM_PATH}/:id`;
  app.post(path, async (c) => {
    if (!isOwnRequest(c))
      throw new ToolError("FORBIDDEN", "Only a page of this server may confirm", {
        hint: `Open ${CONFIRM_PATH} in a browser that is signed in.`,
      });
    const reader = await readerOf(c, browserSessions, ports.clock);
    if (reader !== null && !mayConfirm(reader.person))
      throw new ToolError(
        "FORBIDDEN",
        `The role ${reader.person.role} does not trade, so it confirms nothing`,
        { hint: ASK_FOR_ROLE },
      );
    if (reader === null || !reader.isRecent) {
      if (reader !== null && c.req.header("accept")?.includes("text/html"))
        return show(c, reader, { status: PROBLEMS.UNAUTHENTICATED.status });
      throw new ToolError("UNAUTHENTICATED", "Confirming needs a session that began within the hour", {
        hint: `Sign in at ${SIGN_IN_PATH}.`,
      });
    }
    const { person } = reader;
    const { decision, api_key, api_secret } = await answerOf(c);
    const id = c.req.param("id");
    try {
      if (decision === "refuse") await confirmations.refuse(person.account, id, person.name);
      else {
        const given = api_key !== "" && api_secret !== "" ? [{ api_key, api_secret }] : [];
        await confirmations.confirm(person.account, id, person.name, ...given);
      }
    } catch (thrown) {
      const error = asToolError(thrown);
      if (error.code === "INTERNAL") throw thrown;
      const fault = [`${error.message}.`, hintWithCommand(error)].filter((part) => part !== undefined);
      return show(c, reader, { fault: fault.join(" "), status: PROBLEMS[error.code].status });
    }
    return c.redirect(`${CONFIRM_PATH}/${id}`, 303);
  });
  app.get(path, forPerson(show)).all(path, (c) => methodNotAllowed(c, ["GET", "POST"]));
  return app;
}

interface Fault {
  readonly fault?: string | null;
  readonly status?: number;
}

const NOT_FOUND = (account: string) =>
  `The account ${account} has no such request, or it ended more than a day ago. You may be signed in to another account than the agent's.`;

const ASK_FOR_ROLE = "Ask the owner to change your role.";

async function answerOf(c: C): Promise<z.output<typeof Answer>> {
  const fields = Object.fromEntries(new URLSearchParams(await textBody(c.req.raw, MAX_BODY)));
  const { success, data } = Answer.safeParse(fields);
  if (success) return data;
  throw new ToolError("INVALID_INPUT", "An answer has the field decision, which is confirm or refuse", {
    hint: `Answer on the page under ${CONFIRM_PATH}.`,
  });
}
