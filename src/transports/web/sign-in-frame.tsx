import type { Child } from "hono/jsx";
import { MARKET_LABELS, type MarketKind } from "../../lib/market-labels.ts";
import type { HttpServerDeps } from "../http/server-deps.ts";
import { isBuilt } from "./dashboard.ts";
import { pageOf } from "./page.tsx";

/** Path of the script of the pages of sign-in. */
export const SCRIPT = "/sign-in.js";

/** What every page of sign-in shows of the server. */
export interface Frame {
  readonly market: MarketKind;
  /** Path of the script that sets the colours which a person chose in the dashboard; null before a build. */
  readonly scheme: string | null;
}

/** Returns what the pages of sign-in of a server show of it. */
export function frameOf({ market, dashboard }: HttpServerDeps["ports"]): Frame {
  const scheme = isBuilt(dashboard) && dashboard.paths().find((path) => /^assets\/scheme-.*\.js$/.test(path));
  return { market: market.mode, scheme: scheme ? `/${scheme}` : null };
}

interface FramedPage {
  readonly frame: Frame;
  readonly title: string;
  readonly script?: string;
  /** Default: as narrow as a form. */
  readonly isWide?: boolean;
  readonly children: Child;
}

/** Renders a page of sign-in to HTML. */
export function framedPage({
  frame: { market, scheme },
  title,
  script,
  isWide = false,
  children,
}: FramedPage): string {
  const { name, sentence } = MARKET_LABELS[market];
  return pageOf({
    title: `Market Signal: ${title}`,
    style: "/sign-in.css",
    ...(script !== undefined && { script }),
    ...(scheme !== null && { first: scheme, icon: "/icon.svg" }),
    children: (
      <>
        <header>
          <a class="brand" href="/">
            {scheme !== null && <img src="/icon.svg" alt="" width="22" height="22" />}
            Market Signal
          </a>
          <span class={`badge ${market}`} title={sentence}>
            {name}
          </span>
        </header>
        <main class={isWide ? "wider" : ""}>{children}</main>
      </>
    ),
  });
}

/** Where a script says what became of a request. */
export const Status = () => <p id="status" role="status"></p>;
