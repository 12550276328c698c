import { Kbd } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../api/client.ts";
import { Answer } from "./answer.tsx";
import { ICONS, Icon } from "./icon.tsx";
import { PAGES } from "./page-list.ts";

const [store, controls] = createSpotlight();

/** Finds symbols and pages, and answers questions. */
export default function Search({ close }: { readonly close: () => void }) {
  const [text, setText] = useState("");
  const [question, setQuestion] = useState<string | null>(null);
  const [, open] = useLocation();
  const typed = text.trim();
  const symbols = useSymbols(typed);
  const isMatch = (page: (typeof PAGES)[number]) =>
    `${page.name} ${page.about}`.toLowerCase().includes(typed.toLowerCase());
  const pages = PAGES.filter(isMatch);
  const isQuestion = QUESTION.test(typed);
  useFirstSelected(
    [isQuestion, ...symbols.map(({ symbol }) => symbol), ...pages.map(({ href }) => href)].join(),
  );
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
        <Answer question={question} leave={leave} />
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

/** Selects the first entry whenever the list has changed; without it, a late entry would stand above the selected one. */
function useFirstSelected(entries: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entries are in the document
  useEffect(() => {
    const list = document.getElementById(store.getState().listId);
    list?.querySelector("[data-selected]")?.removeAttribute("data-selected");
    list?.querySelector("[data-action]")?.setAttribute("data-selected", "true");
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [entries]);
}

/** Longest text that is looked up as a name. */
const MAX_NAME = 40;

/** Returns the instruments that a text may name, the most likely first. */
function useSymbols(text: string) {
  const [query] = useDebouncedValue(text, 120);
  const { data } = useQuery({
    queryKey: ["resolve", query],
    enabled: query !== "" && query.length <= MAX_NAME,
    queryFn: () => call("resolve_symbol", { query }),
  });
  if (text === "" || data === undefined) return [];
  return [...(data.match === null ? [] : [data.match]), ...data.alternatives, ...data.candidates].slice(0, 6);
}
