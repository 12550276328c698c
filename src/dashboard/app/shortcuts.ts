import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { shownPages } from "./page-list.ts";

/** Time in which the second key of a pair must follow the first. */
const PAIR_MS = 1_200;
const TYPING = "input, textarea, select, [contenteditable=true]";

/** Handles the keyboard shortcuts that every page has. */
export function useShortcuts(actions: {
  /** Opens the search. */
  readonly search: () => void;
  /** Shows the list of shortcuts. */
  readonly list: () => void;
}): void {
  const [, open] = useLocation();
  const pressedG = useRef(0);
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    const actionOf = (event: KeyboardEvent): (() => void) | null => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") return current.current.search;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
      if (event.target instanceof Element && event.target.closest(TYPING) !== null) return null;
      const follows = event.timeStamp - pressedG.current < PAIR_MS;
      pressedG.current = event.key === "g" ? event.timeStamp : 0;
      const page = follows ? shownPages().find(({ key }) => key === event.key) : undefined;
      if (page !== undefined) return () => open(page.href);
      return event.key === "/" ? current.current.search : event.key === "?" ? current.current.list : null;
    };
    const onKey = (event: KeyboardEvent) => {
      const act = actionOf(event);
      if (act === null) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [open]);
}
