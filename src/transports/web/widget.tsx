import { type Context, Hono } from "hono";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { plainText } from "../../lib/plain-text.ts";
import { queryFields } from "../http/paths.ts";
import { routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { serveStatic } from "../http/static-file.ts";
import { loadCard } from "./demo-card.ts";
import { Card } from "./home-card.tsx";
import { HOME_CSS } from "./home-css.ts";
import { pageOf } from "./page.tsx";

export const WIDGET_PATH = "/widget";
/** Query parameters by which a frame could ask for another symbol. */
const SYMBOL_PARAMETERS = ["sym", "symbol"] as const;
/** Headers of a page that pages of any origin may frame. */
const FRAMED_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-ancestors *; base-uri 'none'; form-action 'none'",
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * Serves /widget: the card of the public demo's symbol, for a frame in a page of any origin. It needs no session and
 * shows no other symbol; a request for one is refused before any tool is called.
 */
export function widgetRoutes(server: HttpServerDeps): Hono<HttpEnv> {
  const { settings, ports } = server;
  const app = new Hono<HttpEnv>({ strict: false });
  const simulated = ports.market.mode === "sample";
  routeGet(app, WIDGET_PATH, async (c) => {
    // the only page without this header; older browsers know no frame-ancestors
    delete c.get("headers")["X-Frame-Options"];
    const other = otherSymbol(c, ports.market.demo);
    const card = other === null ? await loadCard(server, c) : null;
    const page = pageOf({
      title: "Market Signal",
      style: "/widget.css",
      script: "/widget.js",
      children: (
        <main>
          {other === null ? (
            <Card shown={card} label={simulated ? SAMPLE_LABEL : null} />
          ) : (
            <Refusal symbol={other} demo={ports.market.demo} />
          )}
          <p class="quiet">
            <a href={settings.publicUrl} target="_blank" rel="noopener">
              Market Signal
            </a>
          </p>
        </main>
      ),
    });
    return c.html(page, other === null ? 200 : 403, FRAMED_HEADERS);
  });
  routeGet(
    app,
    "/widget.css",
    serveStatic("text/css; charset=utf-8", () => WIDGET_CSS),
  );
  return routeGet(
    app,
    "/widget.js",
    serveStatic("text/javascript; charset=utf-8", () => WIDGET_JS),
  );
}

/** Returns the symbol that a request names besides that of the demo; null if it names none. */
function otherSymbol(c: Context<HttpEnv>, demo: string | undefined): string | null {
  const fields = queryFields(c.req.url);
  const named = SYMBOL_PARAMETERS.flatMap((name) => fields.get(name) ?? []);
  return named.find((symbol) => symbol.toUpperCase() !== demo?.toUpperCase()) ?? null;
}

const Refusal = ({ symbol, demo }: { readonly symbol: string; readonly demo: string | undefined }) => (
  <section class="panel" id="card" aria-labelledby="card-title">
    <h2 id="card-title">Not shown here</h2>
    <p>
      This widget shows {demo ?? "one fixed symbol"} only, not {plainText(symbol, 40)}: only the data of that
      symbol may be shown to everyone. The owner of the server chooses it with DEMO_SYMBOL.
    </p>
  </section>
);

/** Replaces the card every minute while the frame is visible. */
const WIDGET_JS = `"use strict";
(() => {
  const REFRESH_MS = 60000;
  const refresh = async () => {
    if (document.hidden) return;
    const response = await fetch(location.href, { cache: "no-store" });
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const card = page.getElementById("card");
    if (card !== null) document.getElementById("card").replaceWith(document.adoptNode(card));
  };
  setInterval(() => refresh().catch(() => {}), REFRESH_MS);
})();
`;

const WIDGET_CSS = `${HOME_CSS}body { padding: .5rem; max-width: 26rem; margin: 0 auto; font-size: .9rem; }
main { display: block; margin: 0; }
.panel { margin: 0 0 .5rem; padding: .75rem 1rem; }
.price { font-size: 1.6rem; }
dl { margin: .5rem 0; }
`;
