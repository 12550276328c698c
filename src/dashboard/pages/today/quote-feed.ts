import { client } from "../../api/client.ts";
import type { Output } from "../../api/tools.ts";

/** Newest price of a symbol. */
export type Quote = Pick<
  Output<"stream_quotes">["quotes"][number],
  "symbol" | "price" | "changePercent" | "price_source" | "market_state" | "timestamp" | "source"
>;

type Message =
  | { readonly kind: "quote"; readonly quote: Quote }
  | { readonly kind: "state"; readonly isOpen: boolean };

const RETRY_MS = 20_000;

/**
 * Follows prices until the function it returns is called. One of the tabs that follow the same symbols holds the
 * stream and passes each price on to the others; if it is closed or hidden, the next one opens its own.
 */
export function followQuotes(
  symbols: readonly string[],
  handlers: { onQuote(quote: Quote): void; onState(isOpen: boolean): void },
): () => void {
  const key = `market-signal quotes ${symbols.join(",")}`;
  const stop = new AbortController();
  const { signal } = stop;
  const channel = new BroadcastChannel(key);
  const receive = (message: Message) =>
    message.kind === "quote" ? handlers.onQuote(message.quote) : handlers.onState(message.isOpen);
  channel.onmessage = ({ data }: MessageEvent<Message>) => receive(data);
  const publish = (message: Message) => {
    if (signal.aborted) return;
    receive(message);
    channel.postMessage(message);
  };

  async function lead(): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const { event, data } of streamOf(symbols, signal)) {
          if (event === "hello") publish({ kind: "state", isOpen: true });
          if (event === "quote") publish({ kind: "quote", quote: data });
        }
      } catch {} // prices are polled until the stream opens again
      publish({ kind: "state", isOpen: false });
      await pause(RETRY_MS, signal);
    }
  }

  // browsers share locks only on local and encrypted addresses
  const leading = navigator.locks?.request(key, { signal }, lead) ?? lead();
  leading.catch(() => {});
  return () => {
    stop.abort(new DOMException("The page is closed or hidden", "AbortError"));
    channel.close();
  };
}

interface QuoteEvent {
  readonly event: string;
  readonly data: Quote;
}

const streamOf = (symbols: readonly string[], signal: AbortSignal) =>
  client.stream("stream_quotes", { symbols }, { signal }) as unknown as AsyncGenerator<QuoteEvent>;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
