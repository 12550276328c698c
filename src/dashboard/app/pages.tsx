import { Skeleton } from "@mantine/core";
import { type ComponentType, type ReactElement, useEffect, useState } from "react";
import { Route, Switch } from "wouter";

/** A page whose code is loaded when it is first needed. */
interface PageChunk<P> {
  /** Null until it is loaded. */
  page: ComponentType<P> | null;
  readonly load: () => Promise<void>;
}

function pageChunk<P>(fetch: () => Promise<{ readonly default: ComponentType<P> }>): PageChunk<P> {
  const chunk: PageChunk<P> = {
    page: null,
    load: async () => {
      chunk.page = (await fetch()).default;
    },
  };
  return chunk;
}

const today = pageChunk(() => import("../pages/today/today.tsx"));
const symbolPage = pageChunk(() => import("../pages/symbol/symbol.tsx"));
const screener = pageChunk(() => import("../pages/screener/screener.tsx"));
const connect = pageChunk(() => import("../pages/connect/connect.tsx"));
const installation = pageChunk(() => import("../pages/installation/installation.tsx"));

export const SYMBOL_PATH = "/symbol/";

const CHUNKS: Readonly<Record<string, Pick<PageChunk<never>, "load">>> = {
  "/": today,
  "/screener": screener,
  "/connect": connect,
  "/installation": installation,
};

/** Starts to load the code of the page at a path. A failure is shown where the page is drawn, which loads it again. */
export function preloadPage(path: string): void {
  const chunk = path.startsWith(SYMBOL_PATH) ? symbolPage : CHUNKS[path];
  chunk?.load().catch(() => undefined);
}

/** The page at the current path. */
export const Pages = () => (
  <Switch>
    <Route path="/">
      <Loaded chunk={today} draw={(Page) => <Page />} />
    </Route>
    <Route path={`${SYMBOL_PATH}:symbol`}>
      {({ symbol }) => (
        <Loaded chunk={symbolPage} draw={(Page) => <Page key={symbol} symbol={decoded(symbol)} />} />
      )}
    </Route>
    <Route path="/screener">
      <Loaded chunk={screener} draw={(Page) => <Page />} />
    </Route>
    <Route path="/connect">
      <Loaded chunk={connect} draw={(Page) => <Page />} />
    </Route>
    <Route path="/installation">
      <Loaded chunk={installation} draw={(Page) => <Page />} />
    </Route>
    <Route>
      <h1>Page not found</h1>
    </Route>
  </Switch>
);

/**
 * A page as soon as its code is there. It does without Suspense, which keeps what stands in for a page on the screen for
 * 300 ms even if the page is there after 50.
 */
function Loaded<P>({
  chunk,
  draw,
}: {
  readonly chunk: PageChunk<P>;
  readonly draw: (Page: ComponentType<P>) => ReactElement;
}) {
  const [loading, setLoading] = useState<"yes" | "no" | Error>("yes");
  useEffect(() => {
    if (chunk.page === null) chunk.load().then(() => setLoading("no"), setLoading);
  }, [chunk]);
  if (chunk.page !== null) return draw(chunk.page);
  if (loading instanceof Error) throw loading;
  return <Skeleton height={480} role="status" aria-label="Loading" />;
}

/** Returns a part of a path without percent encoding; as it is if its encoding is invalid. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
