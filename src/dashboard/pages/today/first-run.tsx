import { Button, Card, Code, CopyButton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MARKET_LABELS, type MarketKind } from "../../../lib/market-labels.ts";
import { call } from "../../api/client.ts";
import { Failure } from "../shared/failure.tsx";
import { SymbolPicker } from "./symbol-picker.tsx";
import { useSaveList } from "./watchlists.ts";

/** Name of the list that the first run makes. */
export const FIRST_LIST = "my list";
const WANTED = 3;
const LIVE_COMMAND = "npx market-signal config set MARKET_DATA live";

/** What a newcomer should know of a market besides its words. */
const ABOUT = {
  sample:
    "Stocks, ETFs and crypto, the same in every installation, to try everything; they say nothing about real prices.",
  files: "The bars are those of your folder.",
  live: "Each price comes with the delay of its provider.",
} as const satisfies Record<MarketKind, string>;

/** What a newcomer chooses: which market to look at, and the symbols of the first watchlist. */
export function FirstRun({
  market,
  suggestions,
}: {
  readonly market: MarketKind;
  /** Symbols of this market to choose from. */
  readonly suggestions: readonly string[];
}) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [text, setText] = useState("");
  const typed = text.trim();
  const save = useSaveList();
  const start = useMutation({
    mutationFn: async () => {
      const symbols = typed === "" ? chosen : [...chosen, await symbolOf(typed)];
      return save.mutateAsync({ name: FIRST_LIST, symbols: [...new Set(symbols)] });
    },
  });
  const toggle = (symbol: string) =>
    setChosen((known) =>
      known.includes(symbol) ? known.filter((other) => other !== symbol) : [...known, symbol],
    );
  const { name, meaning, sentence } = MARKET_LABELS[market];
  return (
    <Card withBorder component="section" aria-labelledby="first-run" className="first-run">
      <h2 id="first-run">Start here</h2>
      <ol className="steps">
        <li>
          <h3>Your market</h3>
          <div className="market-choices">
            <div className="choice chosen">
              <b>
                {name}: {meaning}
              </b>
              <span className="muted">
                {sentence}. {ABOUT[market]}
              </span>
              <span className="up">✓ In use</span>
            </div>
            {market !== "live" && <LiveChoice />}
          </div>
        </li>
        <li>
          <h3>Three symbols to watch</h3>
          <div className="chips">
            {[...new Set([...suggestions, ...chosen])].map((symbol) => (
              <button
                key={symbol}
                type="button"
                className="chip"
                aria-pressed={chosen.includes(symbol)}
                onClick={() => toggle(symbol)}
              >
                {chosen.includes(symbol) ? "✓ " : "+ "}
                {symbol}
              </button>
            ))}
            <SymbolPicker
              label="Another symbol"
              text={text}
              onText={setText}
              onPick={(symbol) => setChosen((known) => [...new Set([...known, symbol])])}
            />
          </div>
          <Button
            disabled={chosen.length === 0 && typed === ""}
            loading={start.isPending}
            onClick={() => start.mutate()}
          >
            Start the watchlist ({chosen.length} of {WANTED})
          </Button>
          {start.error !== null && <Failure error={start.error} />}
        </li>
      </ol>
    </Card>
  );
}

/** Returns the symbol that a text names; the text itself if it names none, which the server then refuses. */
const symbolOf = async (text: string): Promise<string> =>
  (await call("resolve_symbol", { query: text })).symbol ?? text;

const LiveChoice = () => (
  <div className="choice">
    <b>
      {MARKET_LABELS.live.name}: {MARKET_LABELS.live.meaning}
    </b>
    <span className="muted">
      Public providers, no key required. The server never switches by itself: run this command, then restart
      the server.
    </span>
    <span className="command">
      <Code>{LIVE_COMMAND}</Code>
      <CopyButton value={LIVE_COMMAND}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" onClick={copy}>
            {copied ? "Copied" : "Copy"}
          </Button>
        )}
      </CopyButton>
    </span>
  </div>
);
