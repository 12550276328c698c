import { type RefObject, useEffect } from "react";

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };
const TYPING = "input, textarea, select, [contenteditable], [role=menu], [role=dialog]";

/** Moves the focus by j and k over the links of a table's rows, which Enter opens. */
export function useRowKeys(body: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
      if (step === undefined || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const links = [...(body.current?.querySelectorAll<HTMLElement>("a[data-row]") ?? [])];
      const at = links.indexOf(document.activeElement as HTMLElement);
      const next = at < 0 ? links[0] : links[Math.min(links.length - 1, Math.max(0, at + step))];
      next?.focus();
      next?.closest("tr")?.scrollIntoView({ block: "nearest" });
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [body]);
}
