import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import type { BrowserSessions } from "../../access/sign-in/browser-sessions.ts";
import { SESSION_COOKIE, SIGN_IN_PATH } from "../../access/sign-in/paths.ts";
import { isLocalOwner, type Principal } from "../../domain/accounts/access.ts";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { clientSetup, exampleRequestPath, REAL_DATA_COMMAND } from "../connect.ts";
import { routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { serveStatic } from "../http/static-file.ts";
import type { AgentCall, AgentCallMonitor } from "./agent-calls.ts";
import { dashboardFileRoutes, dashboardPage, isBuilt, PAGE_PATHS } from "./dashboard.ts";
import { loadCard } from "./demo-card.ts";
import { Card, type CardResult, UtcTime } from "./home-card.tsx";
import { Connect, Snippet } from "./home-connect.tsx";
import { HOME_CSS } from "./home-css.ts";
import { HOME_JS } from "./home-js.ts";
import { pageOf } from "./page.tsx";

/** Functions that return the server state shown on the home page. */
interface HomeDeps {
  readonly ready: () => boolean;
  readonly arrivals: Pick<AgentCallMonitor, "latest">;
}

/** Body of /status; contains no callers and no symbols. */
interface Status {
  readonly version: string;
  readonly market: "sample" | "files" | "live";
  /** true if providers are called at replacement URLs. */
  readonly replaced: boolean;
  readonly ready: boolean;
  /** ISO 8601 UTC. */
  readonly started_at: string;
  readonly providers: readonly { readonly name: string; readonly healthy: boolean }[];
  readonly agent: AgentCall | null;
}

/** Serves the home page at /, its style and script, and /status, which the page polls. */
export function homeRoutes(server: HttpServerDeps, { ready, arrivals }: HomeDeps): Hono<HttpEnv> {
  const { registry, ports, settings, browserSessions, signIn } = server;
  const startedAt = ports.clock.now().toISOString();
  const example = exampleRequestPath(registry, ports.market);
  const to = clientSetup({ url: settings.publicUrl, example });
  /** `account`: whose agent calls are shown. Default: any. */
  const status = async (account?: string): Promise<Status> => ({
    version: settings.version,
    market: ports.market.mode,
    replaced: ports.market.replaced === true,
    ready: ready(),
    started_at: startedAt,
    providers: (ports.providerHealth?.current() ?? []).map(({ name, healthy }) => ({ name, healthy })),
    agent: await arrivals.latest(account),
  });
  const app = new Hono<HttpEnv>({ strict: false });
  const files = ports.dashboard;
  if (isBuilt(files))
    for (const path of PAGE_PATHS)
      routeGet(app, path, async (c) => {
        const caller = await sessionOf(c, browserSessions);
        if (caller !== null) return dashboardPage(c, files, caller);
        const { pathname, search } = new URL(c.req.url);
        const next = encodeURIComponent(`${pathname}${search}`);
        return c.redirect(signIn === undefined ? "/" : `${SIGN_IN_PATH}?next=${next}`, 303);
      });
  app.route("/", dashboardFileRoutes(files));
  routeGet(app, "/", async (c) => {
    const caller = isBuilt(files) ? await sessionOf(c, browserSessions) : null;
    if (isBuilt(files) && caller !== null) return dashboardPage(c, files, caller);
    const shown = await loadCard(server, c);
    const page = pageOf({
      title: "Market Signal",
      style: "/home.css",
      script: "/home.js",
      children: (
        <Home status={await status()} shown={shown} to={to} mayLink={browserSessions !== undefined} />
      ),
    });
    return c.html(page, 200, NO_STORE_HEADERS);
  });
  routeGet(app, "/status", async (c) => {
    const caller = await sessionOf(c, browserSessions);
    // other people see only whether their own agents have called
    const account = caller === null || isLocalOwner(caller) ? undefined : caller.account;
    return c.json(await status(account), 200, NO_STORE_HEADERS);
  });
  routeGet(
    app,
    "/home.css",
    serveStatic("text/css; charset=utf-8", () => HOME_CSS),
  );
  routeGet(
    app,
    "/home.js",
    serveStatic("text/javascript; charset=utf-8", () => HOME_JS),
  );
  return app;
}

const NO_STORE_HEADERS = { "cache-control": "no-store" };

/** Resolves the caller of a browser's session; null without one that has not ended. */
async function sessionOf(
  c: Context<HttpEnv>,
  sessions: BrowserSessions | undefined,
): Promise<Principal | null> {
  const token = getCookie(c, SESSION_COOKIE);
  if (token === undefined || sessions === undefined) return null;
  return sessions.resolve(token).catch(() => null);
}

function Home({
  status,
  shown,
  to,
  mayLink,
}: {
  status: Status;
  shown: CardResult;
  to: ReturnType<typeof clientSetup>;
  /** true: a link signs a browser in here. */
  mayLink: boolean;
}) {
  const simulated = status.market === "sample";
  return (
    <>
      <header>
        <h1>
          Market Signal <small>{status.version}</small>
        </h1>
        <nav aria-label="References">
          <a href="/docs">Docs</a> <a href="/openapi.json">OpenAPI</a>{" "}
          <a href="/.well-known/agent-card.json">Agent card</a>
        </nav>
      </header>
      {simulated && (
        <aside class="sample" aria-label="Simulated data">
          <p>
            <strong>{SAMPLE_LABEL}</strong>: all prices here are simulated. For real prices:
          </p>
          <Snippet text={REAL_DATA_COMMAND} what="command that runs real data" />
        </aside>
      )}
      {mayLink && <Browser />}
      <main>
        <Connect to={to} agent={status.agent} />
        <div>
          <Card shown={shown} label={simulated ? SAMPLE_LABEL : null} />
          <StatusPanel status={status} />
        </div>
      </main>
    </>
  );
}

/** Says where the link lies that signs this browser in. */
const Browser = () => (
  <aside id="browser" aria-label="This browser">
    <p>
      This browser is not signed in. The link that signs it in is in the terminal of the server and in{" "}
      <code>open-link.txt</code> in its data folder; <code>npx market-signal open</code> prints a new one.
    </p>
    <p>
      <a href={SIGN_IN_PATH}>Sign in with a password or a passkey</a>
    </p>
  </aside>
);

const MARKET = {
  sample: `${SAMPLE_LABEL}, simulated market`,
  files: "files: closes of your own bars; no live prices",
  live: "live: real prices from the providers below",
} as const satisfies Record<Status["market"], string>;
const REPLACED = "live, but providers are called at replacement URLs: not a real market";

const StatusPanel = ({ status }: { readonly status: Status }) => (
  <section class="panel" aria-labelledby="status-title">
    <h2 id="status-title">Status</h2>
    <dl>
      <div>
        <dt>Market</dt>
        <dd>{status.replaced ? REPLACED : MARKET[status.market]}</dd>
      </div>
      <div>
        <dt>Server</dt>
        <dd id="ready" data-ready={String(status.ready)}>
          {status.ready ? "ready" : "shutting down"}
        </dd>
      </div>
      <div>
        <dt>Running since</dt>
        <dd id="since">
          <UtcTime time={status.started_at} />
        </dd>
      </div>
      <div>
        <dt>Data providers</dt>
        <dd id="providers">{formatProviders(status.providers)}</dd>
      </div>
    </dl>
  </section>
);

const formatProviders = (providers: Status["providers"]): string =>
  providers.length === 0
    ? "no requests yet"
    : providers.map(({ name, healthy }) => `${name} ${healthy ? "available" : "failing"}`).join(", ");
