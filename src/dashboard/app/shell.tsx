import { ActionIcon, Skeleton, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { Find } from "./find.tsx";
import { MarketBadge } from "./market-badge.tsx";

const Today = lazy(() => import("../pages/today/today.tsx"));
const SymbolPage = lazy(() => import("../pages/symbol/symbol.tsx"));
const Screener = lazy(() => import("../pages/screener/screener.tsx"));
const Connect = lazy(() => import("../pages/connect/connect.tsx"));
const Installation = lazy(() => import("../pages/installation/installation.tsx"));

const LINKS = [
  ["/", "Today"],
  ["/screener", "Screener"],
  ["/connect", "Connect"],
  ["/installation", "Installation"],
] as const;

/** The frame of every page: navigation, search, state of the market. */
export function Shell() {
  const [path] = useLocation();
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="top">
        <Link href="/" className="brand">
          <img src="/icon.svg" alt="" width="22" height="22" />
          Market Signal
        </Link>
        <nav aria-label="Pages">
          {LINKS.map(([href, name]) => (
            <Link key={href} href={href} aria-current={path === href ? "page" : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <div className="top-right">
          <Find />
          <MarketBadge />
          <SchemeToggle />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="page">
        <Suspense fallback={<Skeleton height={480} aria-label="Loading" />}>
          <Switch>
            <Route path="/" component={Today} />
            <Route path="/symbol/:symbol">
              {({ symbol }) => <SymbolPage key={symbol} symbol={decodeURIComponent(symbol)} />}
            </Route>
            <Route path="/screener" component={Screener} />
            <Route path="/connect" component={Connect} />
            <Route path="/installation" component={Installation} />
            <Route>
              <h1>There is no such page</h1>
            </Route>
          </Switch>
        </Suspense>
      </main>
    </>
  );
}

function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const scheme = useComputedColorScheme("dark", { getInitialValueInEffect: false });
  const other = scheme === "dark" ? "light" : "dark";
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={`Switch to ${other} colours`}
      onClick={() => setColorScheme(other)}
    >
      <span aria-hidden="true">{scheme === "dark" ? "☀" : "☾"}</span>
    </ActionIcon>
  );
}
