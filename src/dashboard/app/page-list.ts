import { isOwner } from "../api/rights.ts";

/** A page that the navigation leads to. */
interface PageLink {
  readonly href: string;
  readonly name: string;
  readonly about: string;
  /** Key that opens it after g. */
  readonly key: string;
  /** Path of its icon in a box of 24 by 24. */
  readonly icon: string;
}

/** Returns the pages that the person who is signed in can use. */
export const shownPages = (): readonly PageLink[] =>
  isOwner() ? PAGES : PAGES.filter(({ href }) => href !== "/installation");

export const PAGES: readonly PageLink[] = [
  {
    href: "/",
    name: "Today",
    about: "Your symbols, the index, what changed",
    key: "t",
    icon: "M4 18l5-6 4 4 7-10",
  },
  {
    href: "/screener",
    name: "Screener",
    about: "Every symbol of the market, filtered and sorted",
    key: "s",
    icon: "M4 6h16M7 12h10M10 18h4",
  },
  {
    href: "/connect",
    name: "Connect",
    about: "Connect assistants, editors and programs",
    key: "c",
    icon: "M9 7V3M15 7V3M7 7h10v4a5 5 0 0 1-10 0zM12 16v5",
  },
  {
    href: "/installation",
    name: "Installation",
    about: "Keys, providers, nightly runs, backups, log, settings",
    key: "i",
    icon: "M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01",
  },
];
