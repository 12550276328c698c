import { ActionIcon, Menu, Skeleton, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { lazy, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Link, Route, Switch, useLocation } from "wouter";
import { useSessionEnded } from "../api/session.ts";
import { ICONS, Icon } from "./icon.tsx";
import { MarketBadge } from "./market-badge.tsx";
import { PAGES } from "./page-list.ts";
import { openSearch, Search } from "./search.tsx";
import { SearchButton } from "./search-button.tsx";
import { SessionEnded } from "./session-ended.tsx";
import { useShortcuts } from "./shortcuts.ts";

const Today = lazy(() => import("../pages/today/today.tsx"));
const SymbolPage = lazy(() => import("../pages/symbol/symbol.tsx"));
const Screener = lazy(() => import("../pages/screener/screener.tsx"));
const Connect = lazy(() => import("../pages/connect/connect.tsx"));
// loaded when they are opened for the first time
const Shortcuts = lazy(() => import("./shortcut-list.tsx"));
const Installation = lazy(() => import("../pages/installation/installation.tsx"));

/** The frame of every page: navigation, search, state of the market. */
export function Shell() {
  const [path] = useLocation();
  const isEnded = useSessionEnded();
  const [overlay, setOverlay] = useState<"search" | "keys" | null>(null);
  const focused = useRef<Element | null>(null);
  // the field has the focus before the next key is pressed
  const search = () => {
    if (overlay === "search") return;
    focused.current = document.activeElement;
    openSearch();
    flushSync(() => setOverlay("search"));
  };
  useShortcuts({ search, list: () => setOverlay("keys") });
  const close = () => setOverlay(null);
  const closeSearch = () => {
    close();
    if (focused.current instanceof HTMLElement) focused.current.focus({ preventScroll: true });
  };
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="top">
        <Link href="/" className="brand" aria-label="Market Signal">
          <img src="/icon.svg" alt="" width="22" height="22" />
          <span>Market Signal</span>
        </Link>
        <nav aria-label="Pages">
          {PAGES.map(({ href, name, icon }) => (
            <Link key={href} href={href} aria-current={path === href ? "page" : undefined}>
              <Icon path={icon} />
              {name}
            </Link>
          ))}
        </nav>
        <div className="top-right">
          <SearchButton open={search} />
          <MarketBadge />
          <SchemeToggle />
          <More showKeys={() => setOverlay("keys")} />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="page">
        {isEnded ? <SessionEnded /> : <Pages />}
      </main>
      {overlay === "search" && <Search close={closeSearch} />}
      <Suspense>{overlay === "keys" && <Shortcuts close={close} />}</Suspense>
    </>
  );
}

const Pages = () => (
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
);

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
      <Icon path={scheme === "dark" ? ICONS.sun : ICONS.moon} size={18} />
    </ActionIcon>
  );
}

/** What is needed seldom: keys, references, sign-out. */
const More = ({ showKeys }: { readonly showKeys: () => void }) => (
  <Menu position="bottom-end" keepMounted={false}>
    <Menu.Target>
      <ActionIcon variant="default" size="lg" aria-label="More">
        <Icon path={ICONS.more} size={18} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={showKeys} rightSection="?">
        Keys
      </Menu.Item>
      <Menu.Item component="a" href="/docs">
        Reference of the API
      </Menu.Item>
      <Menu.Divider />
      <form method="post" action="/sign-out">
        <Menu.Item type="submit">Sign out</Menu.Item>
      </form>
    </Menu.Dropdown>
  </Menu>
);
