import { useDocumentVisibility } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { call } from "../../api/client.ts";
import { followQuotes, type Quote } from "./quote-feed.ts";

/** Limits of get_quotes and of the stream. */
const MAX_QUOTES = 50;
const MAX_STREAMED = 20;
const POLL_MS = 15_000;

export interface Quotes {
  readonly of: (symbol: string) => Quote | undefined;
  /** Why a symbol has no price; undefined with one, and before the first answer. */
  readonly reasonOf: (symbol: string) => string | undefined;
  /** true while prices arrive by stream. */
  readonly isStreamed: boolean;
  readonly isLoading: boolean;
  readonly error: Error | null;
}

/**
 * Returns the prices of up to 50 symbols: one call for all, then one stream for the first 20 of them. Prices are polled
 * while the stream is interrupted, and beyond it; a hidden page requests none.
 */
export function useQuotes(symbols: readonly string[]): Quotes {
  const requested = symbols.slice(0, MAX_QUOTES);
  const [live, setLive] = useState<ReadonlyMap<string, Quote>>(new Map());
  const [isOpen, setOpen] = useState(false);
  const isVisible = useDocumentVisibility() === "visible";
  const mustPoll = !isOpen || requested.length > MAX_STREAMED;
  const { data, error, isPending } = useQuery({
    queryKey: ["quotes", requested],
    enabled: requested.length > 0,
    queryFn: () => call("get_quotes", { symbols: [...requested] }),
    refetchInterval: mustPoll ? POLL_MS : false,
  });
  const priced = data?.quotes.slice(0, MAX_STREAMED).map(({ symbol }) => symbol) ?? [];
  const key = priced.join(",");
  useEffect(() => {
    if (key === "" || !isVisible) return;
    const end = followQuotes(key.split(","), {
      onQuote: (quote) => {
        setLive((known) => new Map(known).set(quote.symbol, quote));
        setOpen(true);
      },
      onState: setOpen,
    });
    return () => {
      end();
      setOpen(false);
    };
  }, [key, isVisible]);
  return useMemo(() => {
    const first = new Map<string, Quote>(data?.quotes.map((quote) => [quote.symbol, quote]));
    const reasons = new Map(data?.errors.map(({ symbol, message }) => [symbol, message]));
    return {
      of: (symbol) => newer(live.get(symbol), first.get(symbol)),
      reasonOf: (symbol) => reasons.get(symbol),
      isStreamed: isOpen,
      isLoading: isPending && requested.length > 0,
      error,
    };
  }, [data, live, isOpen, isPending, requested.length, error]);
}

const newer = (a: Quote | undefined, b: Quote | undefined): Quote | undefined =>
  (a?.timestamp ?? "") >= (b?.timestamp ?? "") ? (a ?? b) : b;
