import { Kbd, Skeleton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, lazy, Suspense, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../api/client.ts";
import { ICONS, Icon } from "./icon.tsx";
import { shownPages } from "./page-list.ts";

const Answer = lazy(() => import("./answer.tsx"));

const [store, controls] = createSpotlight();

/** Opens the store of the search, so that its first frame has the field. */
export const openSearch = controls.open;

/** Finds symbols and pages, and answers questions. */
export function Search({ close }: { readonly close: () => void }) {
  const [text, setText] = useState("");
  const [question, setQuestion] = useState<string | null>(null);
  const [, open] = useLocation();
  const typed = text.trim();
  const { symbols, isCurrent } = useSymbols(typed);
  const isMatch = (page: ReturnType<typeof shownPages>[number]) =>
    `${page.name} ${page.about}`.toLowerCase().includes(typed.toLowerCase());
  const pages = shownPages().filter(isMatch);
  const isQuestion = QUESTION.test(typed);
  useFirstSelected(
    [isQuestion, ...symbols.map(({ symbol }) => symbol), ...pages.map(({ href }) => href)].join(),
  );
  const wait = useEnter(typed, isCurrent);
  useEffect(() => {
    controls.open();
    return controls.close;
  }, []);
  const leave = (href: string) => {
    controls.close();
    open(href);
  };
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={(value) => {
        setText(value);
        setQuestion(null);
      }}
      onSpotlightClose={close}
      transitionProps={{ duration: 0 }}
      shortcut={null}
      lockScroll={false}
      scrollable
      maxHeight={520}
      size={780}
      overlayProps={{ blur: 0, backgroundOpacity: 0.6 }}
      attributes={{ content: { "aria-label": "Search" } }}
    >
      <Spotlight.Search
        aria-label="Symbol, page or question"
        placeholder="AAPL, bitcoin, screener, or: is NVDA a buy?"
        leftSection={<Icon path={ICONS.search} />}
        maxLength={2_000}
        data-autofocus
        autoFocus
        onKeyDownCapture={question === null ? wait : undefined}
      />
      {question === null ? (
        <Spotlight.ActionsList>
          {isQuestion && <Ask text={typed} onAsk={setQuestion} />}
          {symbols.length > 0 && (
            <Spotlight.ActionsGroup label="Symbols">
              {symbols.map(({ symbol, name, asset_class: kind, in_market: hasData }) => (
                <Spotlight.Action
                  key={symbol}
                  label={symbol}
                  description={`${name}${hasData ? "" : ", no data in this market"}`}
                  rightSection={<span className="muted">{kind}</span>}
                  onClick={() => leave(`/symbol/${encodeURIComponent(symbol)}`)}
                />
              ))}
            </Spotlight.ActionsGroup>
          )}
          {pages.length > 0 && (
            <Spotlight.ActionsGroup label="Pages">
              {pages.map(({ href, name, about, icon }) => (
                <Spotlight.Action
                  key={href}
                  label={name}
                  description={about}
                  leftSection={<Icon path={icon} />}
                  onClick={() => leave(href)}
                />
              ))}
            </Spotlight.ActionsGroup>
          )}
          {!isQuestion && typed !== "" && <Ask text={typed} onAsk={setQuestion} />}
        </Spotlight.ActionsList>
      ) : (
        <Suspense fallback={<Skeleton height={80} role="status" aria-label="Loading the answer" />}>
          <Answer question={question} leave={leave} />
        </Suspense>
      )}
      <Spotlight.Footer className="search-keys">
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> choose <Kbd size="xs">Enter</Kbd> open{" "}
        <Kbd size="xs">Esc</Kbd> close
      </Spotlight.Footer>
    </Spotlight.Root>
  );
}

/** A text that asks rather than names. */
const QUESTION = /\?|\S+\s+\S+\s+\S+/;

const Ask = ({ text, onAsk }: { readonly text: string; readonly onAsk: (text: string) => void }) => (
  <Spotlight.ActionsGroup label="Question">
    <Spotlight.Action
      label={`Ask: ${text}`}
      description="Answered from the figures of this server"
      closeSpotlightOnTrigger={false}
      onClick={() => onAsk(text)}
    />
  </Spotlight.ActionsGroup>
);

const entryList = () => document.getElementById(store.getState().listId);

/** Selects the first entry whenever the list has changed; without it, a late entry would stand above the selected one. */
function useFirstSelected(entries: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entries are in the document
  useEffect(() => {
    const list = entryList();
    list?.querySelector("[data-selected]")?.removeAttribute("data-selected");
    list?.querySelector("[data-action]")?.setAttribute("data-selected", "true");
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [entries]);
}

/**
 * Returns what handles Enter before the list does: while the entries are those of an older text, it waits for those of
 * this one, of which it then runs the first.
 */
function useEnter(text: string, isCurrent: boolean): (event: KeyboardEvent) => void {
  const [entered, setEntered] = useState<string | null>(null);
  useEffect(() => {
    if (entered === null) return;
    if (entered !== text) setEntered(null);
    else if (isCurrent) {
      setEntered(null);
      entryList()?.querySelector<HTMLElement>("[data-selected]")?.click();
    }
  }, [entered, text, isCurrent]);
  return (event) => {
    if (event.key !== "Enter" || isCurrent || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    setEntered(text);
  };
}

/** Longest text that is looked up as a name. */
const MAX_NAME = 40;

/** Returns the instruments that a text may name, the most likely first, and whether they are those of this text. */
function useSymbols(text: string) {
  const [query] = useDebouncedValue(text, 120);
  const isName = text !== "" && text.length <= MAX_NAME;
  const { data, isPending } = useQuery({
    queryKey: ["resolve", query],
    enabled: query !== "" && query.length <= MAX_NAME,
    queryFn: () => call("resolve_symbol", { query }),
  });
  const isCurrent = !isName || (query === text && !isPending);
  if (text === "" || data === undefined) return { symbols: [], isCurrent };
  const all = [...(data.match === null ? [] : [data.match]), ...data.alternatives, ...data.candidates];
  return { symbols: all.slice(0, 6), isCurrent };
}
