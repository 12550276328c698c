import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { lazy, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Link, useLocation } from "wouter";
import { mayWrite } from "../api/rights.ts";
import { useSessionEnded } from "../api/session.ts";
import { Boundary } from "../views/boundary.tsx";
import { ICONS, Icon } from "./icon.tsx";
import { MarketBadge } from "./market-badge.tsx";
import { PageFailed } from "./page-failed.tsx";
import { PAGES, shownPages } from "./page-list.ts";
import { decoded, Pages, SYMBOL_PATH } from "./pages.tsx";
import { openSearch, Search } from "./search.tsx";
import { SearchButton } from "./search-button.tsx";
import { SessionEnded } from "./session-ended.tsx";
import { useShortcuts } from "./shortcuts.ts";

const Shortcuts = lazy(() => import("./shortcut-list.tsx"));

/** The frame of every page: navigation, search, state of the market. */
export function Shell() {
  const [path] = useLocation();
  useDocumentTitle(titleOf(path));
  const isEnded = useSessionEnded();
  const [overlay, setOverlay] = useState<"search" | "shortcuts" | null>(null);
  const focused = useRef<Element | null>(null);
  // the field has the focus before the next key is pressed
  const search = () => {
    if (overlay === "search") return;
    focused.current = document.activeElement;
    openSearch();
    flushSync(() => setOverlay("search"));
  };
  useShortcuts({ search, list: () => setOverlay("shortcuts") });
  const close = () => setOverlay(null);
  const closeSearch = () => {
    close();
    if (focused.current instanceof HTMLElement) focused.current.focus({ preventScroll: true });
  };
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="top">
        <Link href="/" className="brand" aria-label="Market Signal">
          <img src="/icon.svg" alt="" width="22" height="22" />
          <span>Market Signal</span>
        </Link>
        <nav aria-label="Pages">
          {shownPages().map(({ href, name, icon }) => (
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
          <More showShortcuts={() => setOverlay("shortcuts")} />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="page">
        {isEnded ? (
          <SessionEnded />
        ) : (
          <Boundary key={path} fallback={<PageFailed />}>
            <Pages />
          </Boundary>
        )}
      </main>
      <Boundary key={overlay} fallback={null}>
        {overlay === "search" && <Search close={closeSearch} />}
        <Suspense>{overlay === "shortcuts" && <Shortcuts close={close} />}</Suspense>
      </Boundary>
    </>
  );
}

/** Returns the title of a page for the tab and the history of the browser. */
function titleOf(path: string): string {
  const page = PAGES.find(({ href }) => href === path)?.name ?? "Page not found";
  const name = path.startsWith(SYMBOL_PATH) ? decoded(path.slice(SYMBOL_PATH.length)) : page;
  return `${name} · Market Signal`;
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
      <Icon path={scheme === "dark" ? ICONS.sun : ICONS.moon} size={18} />
    </ActionIcon>
  );
}

/** Menu of what is rarely needed: keyboard shortcuts, API reference, sign-out. */
const More = ({ showShortcuts }: { readonly showShortcuts: () => void }) => (
  <Menu position="bottom-end" keepMounted={false}>
    <Menu.Target>
      <ActionIcon variant="default" size="lg" aria-label="More">
        <Icon path={ICONS.more} size={18} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={showShortcuts} rightSection="?">
        Keyboard shortcuts
      </Menu.Item>
      <Menu.Item component="a" href="/account">
        Sign-in and apps
      </Menu.Item>
      {mayWrite() && (
        <Menu.Item component="a" href="/confirm">
          Confirmations
        </Menu.Item>
      )}
      <Menu.Item component="a" href="/docs">
        API reference
      </Menu.Item>
      <Menu.Divider />
      <form method="post" action="/sign-out">
        <Menu.Item type="submit">Sign out</Menu.Item>
      </form>
    </Menu.Dropdown>
  </Menu>
);
