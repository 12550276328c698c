import { open } from "node:fs/promises";
import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { z } from "zod";
import { SESSION_COOKIE } from "../../access/sign-in/paths.ts";
import { isLocalOwner, type Principal } from "../../domain/accounts/access.ts";
import { PAGE_KEY_SCOPES } from "../../domain/installation/installation-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { authorizePlan } from "../../kernel/invoke.ts";
import { plainText } from "../../lib/plain-text.ts";
import { jsonBody } from "../http/body.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { rateLimitHeaders } from "../http/rate-limit-headers.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";

/** Path of what the owner sees and does on the page of the installation. */
export const INSTALLATION_PATH = "/api/v1/installation";

const MAX_NAME = 60;
const CHUNK_BYTES = 256 * 1024;
const KeyBody = z.strictObject({
  name: z.string().trim().min(1).max(MAX_NAME),
  scopes: z.array(z.enum(PAGE_KEY_SCOPES)).min(1).max(PAGE_KEY_SCOPES.length).default(["read"]),
});
const BackupBody = z.strictObject({ with_keys: z.boolean().default(false) });

type C = Context<HttpEnv>;

/** Serves the installation to browser sessions of the owner, and to keys with the admin scope. */
export function installationRoutes({
  installation,
  browserSessions,
  ports,
}: Pick<HttpServerDeps, "installation" | "browserSessions" | "ports">): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  if (installation === undefined) return app;
  const { keys } = installation;

  const headersFor = async (principal: Principal) => ({
    "cache-control": "no-store",
    ...(await rateLimitHeaders(ports.meters, principal)),
  });

  /** Returns a handler that runs the task for the owner; the task gets the id of the caller, for the audit log. */
  const handle =
    (task: (c: C, by: string) => Promise<object> | object) =>
    async (c: C): Promise<Response> => {
      const principal = authorizeOwner(c);
      const result = await task(c, principal.keyId ?? "browser");
      return c.json({ ok: true, ...result }, 200, await headersFor(principal));
    };

  /** Like `handle`, but a browser must have signed in within the hour. */
  const handleRecent = (task: (c: C, by: string) => Promise<object>) =>
    handle(async (c, by) => {
      const cookie = getCookie(c, SESSION_COOKIE);
      if (c.get("principal").keyId === undefined && cookie !== undefined)
        await browserSessions?.recentPerson(cookie);
      return task(c, by);
    });

  const at = (name: string) => `${INSTALLATION_PATH}/${name}`;
  return app
    .get(
      at("keys"),
      handle(async () => ({ keys: await keys.list() })),
    )
    .post(
      at("keys"),
      handleRecent(async (c, by) => keys.create(await keyRequest(c.req.raw), by)),
    )
    .all(at("keys"), (c) => methodNotAllowed(c, ["GET", "POST"]))
    .delete(
      at("keys/:id"),
      handleRecent(async (c, by) => {
        const id = c.req.param("id") ?? "";
        await keys.revoke(id, by);
        return { id, revoked: true };
      }),
    )
    .all(at("keys/:id"), (c) => methodNotAllowed(c, ["DELETE"]))
    .get(
      at("providers"),
      handle(async () => ({ market: ports.market.mode, providers: await installation.providers() })),
    )
    .all(at("providers"), (c) => methodNotAllowed(c, ["GET"]))
    .get(
      at("runs"),
      handle(async () => ({ runs: await installation.runs() })),
    )
    .all(at("runs"), (c) => methodNotAllowed(c, ["GET"]))
    .get(
      at("backups"),
      handle(() => installation.backups()),
    )
    .post(
      at("backups"),
      handle(async (c) => installation.backUp({ withKeys: await withKeys(c.req.raw) })),
    )
    .all(at("backups"), (c) => methodNotAllowed(c, ["GET", "POST"]))
    .get(at("backups/:name"), async (c) => {
      const principal = authorizeOwner(c);
      const name = c.req.param("name") ?? "";
      const { path, bytes } = installation.backupFile(name);
      return new Response(fileStream(path), {
        headers: {
          "content-type": "application/octet-stream",
          "content-disposition": `attachment; filename="${name}"`,
          "content-length": String(bytes),
          ...(await headersFor(principal)),
        },
      });
    })
    .all(at("backups/:name"), (c) => methodNotAllowed(c, ["GET"]))
    .get(
      at("log"),
      handle(async () => ({ lines: await installation.log() })),
    )
    .all(at("log"), (c) => methodNotAllowed(c, ["GET"]))
    .get(
      at("settings"),
      handle(() => ({ settings: installation.settings() })),
    )
    .all(at("settings"), (c) => methodNotAllowed(c, ["GET"]));
}

/**
 * Returns the caller if it is the owner's browser, whose session alone acts as the owner without a key over HTTP, or has
 * a key with the admin scope. Throws UNAUTHENTICATED without a key or session, SCOPE_REQUIRED for any other.
 */
function authorizeOwner(c: C): Principal {
  const principal = c.get("principal");
  authorizePlan("The page of the installation", "member", principal);
  if (isLocalOwner(principal) || principal.scopes.includes("admin")) return principal;
  throw new ToolError("SCOPE_REQUIRED", "The installation is open to the owner's browser and to admin keys", {
    hint: "Open a new link in a browser on the machine of the server.",
    command: "market-signal open",
    data: { required_scope: "admin" },
  });
}

/** Parses the body of a new key. Throws INVALID_INPUT. */
async function keyRequest(request: Request): Promise<z.output<typeof KeyBody>> {
  const read = KeyBody.safeParse(await jsonBody(request));
  const name = plainText(read.data?.name ?? "", MAX_NAME);
  if (!read.success || name === "" || !read.data.scopes.includes("read"))
    throw new ToolError("INVALID_INPUT", "The body is not that of a key that can be created here", {
      hint: `Send {"name": "my assistant", "scopes": ["read"]}, also with "trade:paper". Other keys are created on the machine of the server.`,
      command: "market-signal keys create --account owner",
    });
  return { name, scopes: read.data.scopes };
}

/** Parses the body of a backup. Throws INVALID_INPUT. */
async function withKeys(request: Request): Promise<boolean> {
  const read = BackupBody.safeParse(await jsonBody(request));
  if (read.success) return read.data.with_keys;
  throw new ToolError("INVALID_INPUT", "The body is not a valid backup request", {
    hint: 'Send {} or {"with_keys": true}. A passphrase is never sent: it is BACKUP_PASSPHRASE.',
  });
}

/** Returns a file that is opened when the client reads it, and read only as fast as it does. */
function fileStream(path: string): ReadableStream<Uint8Array> {
  async function* read() {
    const file = await open(path);
    try {
      const buffer = new Uint8Array(CHUNK_BYTES);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
        if (bytesRead === 0) return;
        yield buffer.slice(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }
  const chunks = read();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
}
