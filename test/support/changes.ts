import { z } from "zod";
import { SignalChange } from "../../src/domain/alerts/changes.ts";
import type { Changes, SeriesKey } from "../../src/domain/alerts/changes-port.ts";
import type { Timeframe } from "../../src/domain/market/bars.ts";
import { Timeframe as TimeframeField } from "../../src/domain/market/bars.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { defineTool } from "../../src/kernel/tool.ts";

/** In-memory changes; tests add them with `notice`. */
export function recordingChanges() {
  const stored: SignalChange[] = [];
  const listeners = new Set<(changes: readonly SignalChange[]) => void>();
  const followed = new Map<string, number>();
  const nameOf = ({ symbol, timeframe }: SeriesKey) => `${symbol} ${timeframe}`;
  const placeOf = (after: string) => {
    const [, seq] = /^cu_(\d+)$/.exec(after) ?? [];
    const named = stored.findIndex(({ change_id }) => change_id === after);
    if (seq === undefined && named === -1)
      throw new ToolError("INVALID_INPUT", "The cursor belongs to another market");
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
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async since({ series, after, from = 0, limit }) {
      const names = series.map(nameOf);
      const place = after === undefined ? 0 : placeOf(after);
      const found = [...stored.entries()].filter(
        ([i, change]) =>
          i >= place && names.includes(nameOf(change)) && Date.parse(change.noticed_at) >= from,
      );
      const page = found.slice(0, limit);
      const more = found.length > limit;
      return {
        changes: page.map(([, change]) => change),
        cursor: `cu_${more ? page.at(-1)![0] + 1 : stored.length}`,
        more,
      };
    },
    now: async () => `cu_${stored.length}`,
    observedRanges: async (series) => series.map(() => null),
  };
  return {
    changes,
    stored,
    followed,
    listeners,
    /** Stores a change and calls the listeners. */
    notice(symbol: string, timeframe: Timeframe = "1d"): SignalChange {
      const change: SignalChange = {
        change_id: `sc_${stored.length + 1}`,
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
      stored.push(change);
      for (const listener of [...listeners]) listener([change]);
      return change;
    },
  };
}

const plain = { toolset: "market", plan: "pro", effect: "read" } as const;

/** A tool with a resource template. */
export const stateTool = defineTool({
  ...plain,
  name: "read_state",
  title: "Read a state",
  description: "Returns the state of a symbol. Use read_changes for what changed.",
  route: "GET /api/v1/state/:symbol",
  resource: {
    template: "signal://{symbol}/{timeframe}",
    title: "State of a symbol",
    description: "State of a symbol on bars of one length.",
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

/** A tool with a stream over the given symbols; `lists` are read at every call. */
export const changesTool = (lists: Readonly<Record<string, readonly string[]>> = {}) =>
  defineTool({
    ...plain,
    name: "read_changes",
    title: "Read changes",
    description: "Returns what changed. Use read_state for the current state.",
    route: "GET /api/v1/state-changes",
    http: {
      stream: {
        route: "GET /api/v1/state-changes/stream",
        title: "Changes as they are noticed",
        description: "Sends each change once.",
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
