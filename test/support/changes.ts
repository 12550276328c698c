import { z } from "zod";
import { SignalChange } from "../../src/domain/alerts/changes.ts";
import type { Changes, SeriesKey } from "../../src/domain/alerts/changes-port.ts";
import type { Timeframe } from "../../src/domain/market/bars.ts";
import { Timeframe as TimeframeField } from "../../src/domain/market/bars.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { defineTool } from "../../src/kernel/tool.ts";

/** Changes kept in memory, noticed when a test says so. */
export function recordingChanges() {
  const kept: SignalChange[] = [];
  const listeners = new Set<(changes: readonly SignalChange[]) => void>();
  const followed = new Map<string, number>();
  const nameOf = ({ symbol, timeframe }: SeriesKey) => `${symbol} ${timeframe}`;
  const placeOf = (after: string) => {
    const [, seq] = /^cu_(\d+)$/.exec(after) ?? [];
    const named = kept.findIndex(({ change_id }) => change_id === after);
    if (seq === undefined && named === -1)
      throw new ToolError("INVALID_INPUT", "The cursor is none of this market");
    return seq === undefined ? named + 1 : Number(seq);
  };
  const changes: Changes = {
    follow(series) {
      for (const name of series.map(nameOf)) followed.set(name, (followed.get(name) ?? 0) + 1);
      return () => {
        for (const name of series.map(nameOf)) {
          const left = followed.get(name)! - 1;
          if (left === 0) followed.delete(name);
          else followed.set(name, left);
        }
      };
    },
    listen(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    async since({ series, after, from = 0, limit }) {
      const names = series.map(nameOf);
      const place = after === undefined ? 0 : placeOf(after);
      const found = [...kept.entries()].filter(
        ([i, change]) =>
          i >= place && names.includes(nameOf(change)) && Date.parse(change.noticed_at) >= from,
      );
      const told = found.slice(0, limit);
      const more = found.length > limit;
      return {
        changes: told.map(([, change]) => change),
        cursor: `cu_${more ? told.at(-1)![0] + 1 : kept.length}`,
        more,
      };
    },
    now: async () => `cu_${kept.length}`,
    observedRanges: async (series) => series.map(() => null),
  };
  return {
    changes,
    kept,
    followed,
    listeners,
    /** Writes a change down and tells whoever listens. */
    notice(symbol: string, timeframe: Timeframe = "1d"): SignalChange {
      const change: SignalChange = {
        change_id: `sc_${kept.length + 1}`,
        symbol,
        timeframe,
        noticed_at: "2026-01-15T14:30:00.000Z",
        decided_at: "2026-01-14T21:00:00.000Z",
        changed: ["direction"],
        before: { direction: "WAIT", grade: "C", score: 55 },
        after: { direction: "LONG", grade: "B", score: 70 },
        drivers: [{ id: "trend", from: 0, to: 0.5 }],
        price: 100,
        source: "test",
        model_version: "1",
      };
      kept.push(change);
      for (const heard of [...listeners]) heard([change]);
      return change;
    },
  };
}

const plain = { toolset: "market", plan: "pro", effect: "read" } as const;

/** A tool whose answer has an address: what was asked, and by whom. */
export const stateTool = defineTool({
  ...plain,
  name: "tell_state",
  title: "Tell a state",
  description: "Tells the state of a symbol. Use tell_changes for what changed.",
  route: "GET /api/v1/state/:symbol",
  resource: {
    template: "signal://{symbol}/{timeframe}",
    title: "State of a symbol",
    description: "What a symbol says on bars of one length.",
  },
  needs: ["symbols"],
  input: z.object({
    symbol: z.string().describe("Ticker"),
    timeframe: TimeframeField.default("1d"),
    detail: z.enum(["concise", "full"]).optional().describe("How much"),
  }),
  output: z.object({ symbol: z.string(), timeframe: z.string(), detail: z.string().optional() }),
  examples: [{ ask: "State?", input: { symbol: "AAPL" } }],
  handler: ({ symbol, ...rest }, { symbols }) => ({
    ...rest,
    symbol: symbols.resolve(symbol).instrument.symbol,
  }),
});

/** A tool with a stream, over the symbols that it is asked about; `lists` are read anew at each call. */
export const changesTool = (lists: Readonly<Record<string, readonly string[]>> = {}) =>
  defineTool({
    ...plain,
    name: "tell_changes",
    title: "Tell changes",
    description: "Tells what changed. Use tell_state for what is.",
    route: "GET /api/v1/told",
    http: {
      stream: {
        route: "GET /api/v1/told/stream",
        title: "Changes as they are noticed",
        description: "Tells each change once.",
      },
    },
    needs: ["symbols", "changes"],
    input: z.object({
      symbols: z.array(z.string()).optional().describe("Tickers"),
      list: z.string().optional().describe("A list of them"),
      timeframe: TimeframeField.default("1d"),
      after: z.string().optional().describe("Cursor"),
      since: z.string().optional().describe("Time"),
      limit: z.number().int().min(1).default(3).describe("At most"),
    }),
    output: z.object({
      changes: z.array(SignalChange),
      cursor: z.string(),
      more: z.boolean(),
      watching: z.array(z.object({ symbol: z.string(), timeframe: TimeframeField })),
    }),
    examples: [{ ask: "What changed?", input: { symbols: ["AAPL"] } }],
    async handler({ symbols: texts, list, timeframe, after, since, limit }, { symbols, changes, signal }) {
      const names = texts ?? lists[list ?? ""] ?? [];
      const watching = names.map((text) => ({
        symbol: symbols.resolve(text).instrument.symbol,
        timeframe,
      }));
      const page = await changes.since({
        series: watching,
        limit,
        signal,
        ...(after !== undefined && { after }),
        ...(since !== undefined && { from: Date.parse(since) }),
      });
      return { ...page, changes: [...page.changes], watching };
    },
  });
