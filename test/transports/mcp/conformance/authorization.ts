import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../support/free-port.ts";
import { allowApp, sendTo } from "../../../support/oauth-app.ts";
import { type Check, passes } from "./judge.ts";
import { NODE, SUITE } from "./suite.ts";

/** Revisions for which the suite judges an authorization server. */
const AUTHORIZATION_REVISIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;

/** Number of scenarios that every revision has. */
export const AUTHORIZATION_SCENARIOS = 2;

/** Results of the authorization scenarios for one revision. */
type AuthorizationRun = ReadonlyMap<string, readonly Check[]>;

/** The suite ends by itself long before; a person would have five minutes. */
const MAX_MS = 120_000;

/** Registers a public client of the suite and returns its id. */
async function registerSuite(origin: string, port: number): Promise<string> {
  const answer = await sendTo(
    origin,
    "/auth/oauth2/register",
    {},
    {
      client_name: "MCP conformance",
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
  );
  if (answer.status !== 201) throw new Error(`The suite cannot be registered: ${answer.body}`);
  return JSON.parse(answer.body).client_id;
}

/** Allows what the suite asks for, and sends its person back. */
async function allow(origin: string, cookie: string, address: string): Promise<void> {
  const { origin: suite, pathname, search } = new URL(await allowApp(origin, cookie, address));
  // the suite waits until every connection to it is closed
  await sendTo(suite, `${pathname}${search}`, { connection: "close" });
}

/**
 * Runs the authorization scenarios of one revision against a server, whose person allows what is asked for. Rejects if
 * the suite does not run to its end.
 */
async function runAuthorization({
  origin,
  cookie,
  client,
  port,
  revision,
}: {
  readonly origin: string;
  readonly cookie: string;
  readonly client: string;
  readonly port: number;
  readonly revision: string;
}): Promise<AuthorizationRun> {
  const dir = mkdtempSync(join(tmpdir(), "conformance-"));
  const options = {
    "--url": `${origin}/auth`,
    "--client-id": client,
    "--resource": `${origin}/api/mcp`,
    "--port": String(port),
    "--spec-version": revision,
    "--output-dir": dir,
  };
  const packages = ["--yes", "--package", NODE, "--package", SUITE];
  const child = spawn(
    "npx",
    [...packages, "conformance", "authorization", ...Object.entries(options).flat()],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
      timeout: MAX_MS,
    },
  );
  const allowed = new Set<string>();
  let said = "";
  const visits: Promise<void>[] = [];
  const read = (text: string) => {
    said += text;
    for (const [address] of said.matchAll(/^http\S+\/auth\/oauth2\/authorize\?\S+(?=\n)/gm)) {
      if (allowed.has(address)) continue;
      allowed.add(address);
      visits.push(allow(origin, cookie, address));
    }
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", read);
  try {
    const code = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    await Promise.all(visits);
    const results = new Map(
      readdirSync(dir).map((folder) => {
        const checks = readFileSync(join(dir, folder, "checks.json"), "utf8");
        return [
          folder.replace(/^authorization-server-(.+?)-\d{4}-\d\d-\d\dT.*$/, "$1"),
          JSON.parse(checks) as readonly Check[],
        ] as const;
      }),
    );
    if (results.size === 0)
      throw new Error(`${SUITE} did not run to its end (${code}):\n${said.slice(-2_000)}`);
    return results;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Result of the authorization scenarios for one revision. */
export interface AuthorizationFinding {
  readonly revision: string;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** Runs the authorization scenarios of every revision, as the person whom a link signs in. */
export async function judgeAuthorization(
  origin: string,
  link: string,
): Promise<readonly AuthorizationFinding[]> {
  const { cookies } = await sendTo(origin, new URL(link).pathname);
  const cookie = cookies[0]?.split(";")[0];
  if (cookie === undefined) throw new Error("The link of the server signs nobody in");
  const port = await freePort();
  const client = await registerSuite(origin, port);
  const findings: AuthorizationFinding[] = [];
  for (const revision of AUTHORIZATION_REVISIONS) {
    const run = await runAuthorization({ origin, cookie, client, port, revision });
    const names = [...run.keys()].sort();
    const isPassed = (name: string) => passes(run.get(name)!);
    findings.push({
      revision,
      passed: names.filter(isPassed),
      failed: names.filter((name) => !isPassed(name)),
    });
  }
  return findings;
}
