import { Hono } from "hono";
import { z } from "zod";
import type { IssuedToken } from "../../access/sign-in/browser-sessions.ts";
import { SIGN_IN_PATH } from "../../access/sign-in/paths.ts";
import { OWNER_ACCOUNT, PLAN_RANK, type Plan } from "../../domain/accounts/access.ts";
import { INVITED_ROLES } from "../../domain/accounts/people.ts";
import { ToolError } from "../../kernel/errors.ts";
import { ACCOUNT_PATH, INVITED_PATH, PEOPLE_PATH } from "../connect.ts";
import { routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { peoplePage } from "./people-page.tsx";
import { readerOf } from "./reader.ts";
import { changesOf, NO_STORE } from "./sign-in-change.ts";
import { frameOf } from "./sign-in-frame.tsx";

const account = z.string().min(1).max(100);
const role = z.enum(INVITED_ROLES);
const AccountBody = z.strictObject({ account });
const RoleBody = z.strictObject({ account, role });
const InviteBody = z.strictObject({
  account,
  role,
  plan: z.enum(Object.keys(PLAN_RANK) as [Plan, ...Plan[]]).optional(),
});
const OWNERS = { ownerOnly: true } as const;

/** Serves the page on which the owner manages people, and its changes. */
export function peopleRoutes({
  peopleAdmin: people,
  accounts,
  browserSessions,
  ports,
  settings: { publicUrl },
}: HttpServerDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  if (people === undefined || accounts === undefined || browserSessions === undefined) return app;
  const frame = frameOf(ports);
  routeGet(app, PEOPLE_PATH, async (c) => {
    const reader = await readerOf(c, browserSessions, ports.clock);
    if (reader === null) return c.redirect(`${SIGN_IN_PATH}?next=${PEOPLE_PATH}`, 303);
    if (reader.person.role !== "owner") return c.redirect(ACCOUNT_PATH, 303);
    const page = {
      people: await people.list(),
      invitations: await people.invitations(),
      isRecent: reader.isRecent,
    };
    return c.html(peoplePage(frame, page), 200, NO_STORE);
  });

  const linkTo = ({ token, expires_at }: IssuedToken) => ({
    url: `${publicUrl}${INVITED_PATH}/${token}`,
    expires_at,
  });
  const change = changesOf(app, browserSessions);
  change(
    "invite",
    InviteBody,
    async ({ person, body }) => linkTo(await people.invite(body, person.account)),
    OWNERS,
  );
  change(
    "end-invitation",
    AccountBody,
    ({ person, body }) => people.endInvitation(body.account, person.account),
    // what takes a right away needs no recent sign-in
    { ...OWNERS, age: "person" },
  );
  change(
    "reset",
    AccountBody,
    async ({ person, body }) => {
      if (body.account === OWNER_ACCOUNT)
        throw new ToolError(
          "INVALID_INPUT",
          "The sign-in of the owner is reset on the machine of the server",
          {
            command: "market-signal accounts reset-sign-in owner",
          },
        );
      return linkTo(await people.resetSignIn(body.account, person.account));
    },
    OWNERS,
  );
  change(
    "role",
    RoleBody,
    ({ person, body }) => people.setRole(body.account, body.role, person.account),
    OWNERS,
  );
  change(
    "suspend",
    AccountBody,
    async ({ person, body }) => void (await accounts.suspend(body.account, person.account)),
    OWNERS,
  );
  change(
    "resume",
    AccountBody,
    async ({ person, body }) => void (await accounts.resume(body.account, person.account)),
    OWNERS,
  );
  return app;
}
