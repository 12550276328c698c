import type { Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { z } from "zod";
import {
  type BrowserSessions,
  type IssuedToken,
  LINK_SESSION_MS,
} from "../../access/sign-in/browser-sessions.ts";
import { SESSION_COOKIE, SIGN_IN_PATH } from "../../access/sign-in/paths.ts";
import type { Person } from "../../domain/accounts/people.ts";
import { ToolError } from "../../kernel/errors.ts";
import { ACCOUNT_PATH, PEOPLE_PATH } from "../connect.ts";
import { jsonBody } from "../http/body.ts";
import { isOwnRequest } from "../http/browser-caller.ts";
import { methodNotAllowed } from "../http/problem.ts";
import type { HttpEnv } from "../http/server-deps.ts";

type C = Context<HttpEnv>;

/** Where a person changes how they sign in, with the session of a browser only. */
export const SIGN_IN_API = "/api/v1/sign-in";
export const NO_STORE = { "cache-control": "no-store" };
/** Body of a change that needs no field. */
export const EmptyBody = z.strictObject({});

/** Returns the cookie of a browser's session. Throws UNAUTHENTICATED without one. */
export function cookieOf(c: C): string {
  const cookie = getCookie(c, SESSION_COOKIE);
  if (cookie !== undefined) return cookie;
  throw new ToolError("UNAUTHENTICATED", "This address needs a browser that is signed in", {
    hint: `Sign in at ${SIGN_IN_PATH}.`,
  });
}

/** Ends the session that a browser had, and gives it another. */
export async function beginSession(
  c: C,
  { token }: IssuedToken,
  { browserSessions, publicUrl }: { readonly browserSessions: BrowserSessions; readonly publicUrl: string },
): Promise<void> {
  const before = getCookie(c, SESSION_COOKIE);
  if (before !== undefined) await browserSessions.end(before);
  setCookie(c, SESSION_COOKIE, token, { ...cookieOptions(publicUrl), maxAge: LINK_SESSION_MS / 1_000 });
  c.header("cache-control", "no-store");
}

/** Returns the attributes of the cookie of a session. */
export const cookieOptions = (publicUrl: string) =>
  ({ httpOnly: true, sameSite: "Lax", path: "/", secure: publicUrl.startsWith("https:") }) as const;

/** Serves `POST /api/v1/sign-in/<name>`: a change by a page of this server. An object of the task is part of the answer. */
export type ServeChange = <S extends z.ZodObject>(
  name: string,
  body: S,
  task: (change: {
    readonly person: Person;
    readonly body: z.output<S>;
    readonly cookie: string;
  }) => Promise<unknown>,
  options?: {
    /** Default: the session began within the hour. */
    readonly age?: "person" | "recentPerson";
    /** Only the owner of the server may do it. Default: everybody. */
    readonly ownerOnly?: boolean;
  },
) => void;

/** Returns a function that serves changes. */
export const changesOf =
  (app: Hono<HttpEnv>, browserSessions: BrowserSessions): ServeChange =>
  (name, schema, task, { age = "recentPerson", ownerOnly = false } = {}) => {
    const path = `${SIGN_IN_API}/${name}`;
    app.post(path, async (c) => {
      if (!isOwnRequest(c))
        throw new ToolError("FORBIDDEN", "Only a page of this server may change that", {
          hint: `Open ${ACCOUNT_PATH} in a browser that is signed in.`,
        });
      const cookie = cookieOf(c);
      const person = await browserSessions[age](cookie);
      if (ownerOnly && person.role !== "owner")
        throw new ToolError("FORBIDDEN", "Only the owner of this server manages people", {
          hint: `Ask the owner to do it on ${PEOPLE_PATH}.`,
        });
      const result = await task({ person, body: await bodyOf(c, schema), cookie });
      return c.json({ ok: true, ...(result as object | undefined) }, 200, NO_STORE);
    });
    app.all(path, (c) => methodNotAllowed(c, ["POST"]));
  };

/** Parses the body of a request. Throws INVALID_INPUT. */
export async function bodyOf<S extends z.ZodObject>(c: C, schema: S): Promise<z.output<S>> {
  const fields = Object.keys(schema.shape);
  const { success, data } = schema.safeParse(await jsonBody(c.req.raw));
  if (success) return data;
  throw new ToolError(
    "INVALID_INPUT",
    "The body lacks a field, has one too many, or one with a wrong value",
    {
      hint: fields.length === 0 ? "Send {}." : `Its fields are ${fields.join(", ")}.`,
    },
  );
}
