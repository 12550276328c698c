import { ToolError } from "./errors.ts";
import type { FollowCall } from "./follow.ts";
import { invoke } from "./invoke.ts";
import type { Tool } from "./tool.ts";
import { createWakeUp } from "./wake-up.ts";

/** The newest price of a symbol as the followed tool returns it. */
export type QuoteEvent = Readonly<Record<string, unknown>> & {
  readonly symbol: string;
  /** Time of the trade, ISO 8601 UTC; null without a price. */
  readonly timestamp: string | null;
};

/**
 * An event of a stream of quotes. `watching`: the symbols, once at the start; `quotes`: the prices that changed since
 * the last event, at first all; `unavailable`: no symbol has a price now, once per outage.
 */
export type QuoteStep =
  | { readonly kind: "watching"; readonly watching: readonly string[] }
  | { readonly kind: "quotes"; readonly quotes: readonly QuoteEvent[] }
  | { readonly kind: "unavailable"; readonly error: ToolError };

interface Page {
  readonly quotes: readonly QuoteEvent[];
  readonly watching: readonly string[];
}

/**
 * Calls a tool that has a stream of quotes, again after each price of an open provider stream and each time `wake` is
 * called, and yields what has changed until `signal` aborts. The first call is metered; each later one checks the
 * caller's key again. Prices that arrive while the reader is busy are skipped for newer ones. Throws the errors of the
 * tool, except for outages after the first call.
 */
export async function* followQuotes(
  followed: Tool,
  raw: unknown,
  { refreshPrincipal, registerWake, ...call }: FollowCall<"quoteStreams" | "symbols">,
): AsyncGenerator<QuoteStep, void> {
  const tool = { ...followed, dropsUnknown: false }; // as in `follow`
  const { quoteStreams, symbols } = call.ports;
  const listener = createWakeUp(call.signal);
  const leaves: (() => void)[] = [];
  const sent = new Map<string, string>();
  try {
    let input: unknown;
    const begin = async () => {
      input = typeof raw === "function" ? await raw() : raw;
      return input;
    };
    let page = (await invoke(tool, begin, call)) as unknown as Page;
    for (const symbol of page.watching) {
      const found = symbols.find(symbol)?.instrument;
      if (found?.symbol === symbol) leaves.push(quoteStreams.subscribe(found, listener.wake));
    }
    registerWake?.(listener.wake);
    yield { kind: "watching", watching: page.watching };
    let isDown = false;
    for (;;) {
      const quotes = page.quotes.filter((quote) => {
        const text = JSON.stringify(quote);
        const isNew = sent.get(quote.symbol) !== text;
        sent.set(quote.symbol, text);
        return isNew;
      });
      if (quotes.length > 0) yield { kind: "quotes", quotes };
      await listener.next();
      if (call.signal.aborted) return;
      const principal = await refreshPrincipal();
      try {
        page = (await invoke(tool, input, { ...call, principal, nested: true })) as unknown as Page;
        isDown = false;
      } catch (cause) {
        if (!isOutage(cause) || call.signal.aborted) throw cause;
        page = { ...page, quotes: [] };
        sent.clear();
        if (!isDown) yield { kind: "unavailable", error: cause };
        isDown = true;
      }
    }
  } catch (cause) {
    if (!call.signal.aborted) throw cause;
  } finally {
    for (const leave of leaves) leave();
    listener.end();
  }
}

const isOutage = (cause: unknown): cause is ToolError =>
  cause instanceof ToolError && (cause.code === "UPSTREAM_UNAVAILABLE" || cause.code === "DEADLINE");
