import { Hono } from "hono";
import { z } from "zod";
import { CONSENT_PATH, RECOVERY_PATH, SIGN_IN_PATH } from "../../access/sign-in/paths.ts";
import { ToolError } from "../../kernel/errors.ts";
import { ACCOUNT_PATH } from "../connect.ts";
import { isOwnRequest } from "../http/browser-caller.ts";
import { methodNotAllowed, routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { askingQuery } from "./page-address.ts";
import { beginSession, bodyOf, changesOf, EmptyBody, NO_STORE, SIGN_IN_API } from "./sign-in-change.ts";
import { type Frame, framedPage, frameOf, SCRIPT, Status } from "./sign-in-frame.tsx";

const CodeBody = z.strictObject({
  name: z.string().max(320),
  code: z.string().max(100),
  /** Query of the page, if an app asks for access. */
  oauth_query: z.string().max(8_000).optional(),
});
/** Page on which somebody who signed in with a code sets a password. */
const AFTERWARDS = `${ACCOUNT_PATH}?recovered=1`;

/** Serves recovery codes: making them, and signing in with one. */
export function recoveryRoutes({
  recoveryCodes,
  peopleAdmin: people,
  browserSessions,
  ports,
  settings: { publicUrl },
}: HttpServerDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  if (recoveryCodes === undefined || people === undefined || browserSessions === undefined) return app;
  const frame = frameOf(ports);
  routeGet(app, RECOVERY_PATH, (c) => c.html(recoveryPage(frame, askingQuery(c)), 200, NO_STORE));

  const path = `${SIGN_IN_API}/recovery`;
  app.post(path, async (c) => {
    if (!isOwnRequest(c))
      throw new ToolError("FORBIDDEN", "Only a page of this server may sign a person in", {
        hint: `Sign in at ${SIGN_IN_PATH}.`,
      });
    const { name, code, oauth_query: query } = await bodyOf(c, CodeBody);
    const { session, person } = await recoveryCodes.signIn(name, code, c.req.header("user-agent") ?? null);
    await people.recordChange(person, "recovery_code_used");
    await beginSession(c, session, { browserSessions, publicUrl });
    const url = query === undefined ? AFTERWARDS : `${CONSENT_PATH}?${new URLSearchParams(query)}`;
    return c.json({ ok: true, url });
  });
  app.all(path, (c) => methodNotAllowed(c, ["POST"]));

  changesOf(app, browserSessions)("recovery-codes", EmptyBody, async ({ person }) => {
    const codes = await recoveryCodes.make(person);
    await people.recordChange(person, "recovery_codes_made");
    return { codes };
  });
  return app;
}

/** Renders the page that takes a recovery code. `query`: query of the page if an app asks for access; else empty. */
const recoveryPage = (frame: Frame, query: string): string =>
  framedPage({
    frame,
    title: "recovery code",
    script: SCRIPT,
    children: (
      <>
        <Status />
        <section class="card">
          <h1>Sign in with a recovery code</h1>
          <p>Each code that you made on the page of your account works once.</p>
          <form data-send={`${SIGN_IN_API}/recovery`} method="post">
            <div class="field">
              <label for="name">Name</label>
              <input
                id="name"
                name="name"
                autocomplete="username"
                autocapitalize="none"
                spellcheck={false}
                required
              />
            </div>
            <div class="field">
              <label for="code">Recovery code</label>
              <input
                id="code"
                name="code"
                autocomplete="off"
                autocapitalize="none"
                spellcheck={false}
                placeholder="xxxx-xxxx-xxxx-xxxx"
                required
              />
            </div>
            {query !== "" && <input type="hidden" name="oauth_query" value={query.slice(1)} />}
            <button class="primary wide" type="submit">
              Sign in
            </button>
          </form>
          <div class="foot quiet">
            <p>
              Without a code, ask the person who invited you for a new link; the owner prints one on the
              machine of the server by <code>npx market-signal open</code>.
            </p>
            <p>
              <a href={`${SIGN_IN_PATH}${query}`}>Sign in with a password or a passkey</a>
            </p>
          </div>
        </section>
      </>
    ),
  });
