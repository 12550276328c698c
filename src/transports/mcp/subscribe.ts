import type { Principal } from "../../domain/accounts/access.ts";
import type { SignalChange } from "../../domain/alerts/changes.ts";
import type { Changes, SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Symbols } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { variablesOf } from "../../kernel/followable.ts";
import { authorize, parse, type RuntimePorts } from "../../kernel/invoke.ts";
import type { Registry } from "../../kernel/registry.ts";
import { plainText } from "../../lib/plain-text.ts";
import type { ConnectionTools } from "./connection-tools.ts";
import { type ResourceTool, resolveResource, resourceTools } from "./resources.ts";

/** Resources that one connection may be subscribed to. */
export const MAX_SUBSCRIPTIONS = 100;
/** Notifications on their way; of a client that takes none, what would only repeat one of them is left out. */
const MAX_PENDING_NOTIFICATIONS = 1_000;
/** What names a change in the notification of it. */
const CHANGE_ID = "market-signal/change_id";
/** The variables by which an address names a series. */
const SERIES_VARIABLES = ["symbol", "timeframe"] as const;

interface SubscriptionDeps {
  readonly registry: Registry;
  readonly ports: RuntimePorts;
  readonly tools: ConnectionTools;
}

/** Tells a client that a resource has changed. */
type SendUpdate = (updated: {
  readonly uri: string;
  readonly _meta: Readonly<Record<string, string>>;
}) => Promise<void>;

/** The resources whose changes one connection is told of. */
export interface Subscriptions {
  /** By which way changes are told from now on. */
  setSender(tell: SendUpdate): void;
  /** Adds resources, all of them or, where one is refused, none. Rejects with ToolError that says what to do. */
  add(uris: readonly string[], who: Principal): Promise<void>;
  remove(uris: readonly string[]): void;
  count(): number;
  /** Rejects where this caller may no longer be told of a resource that is followed. */
  recheck(who: Principal): void;
  /** Forgets all of them. */
  clear(): void;
}

/** Whether a connection can subscribe to anything. */
export const canSubscribe = ({ registry, ports, tools }: SubscriptionDeps): boolean =>
  ports.changes !== undefined && seriesTools({ registry, tools }).length > 0;

const seriesTools = (scope: Pick<SubscriptionDeps, "registry" | "tools">): readonly ResourceTool[] =>
  resourceTools(scope).filter(({ resource }) => {
    const names = variablesOf(resource);
    return SERIES_VARIABLES.every((name) => names.includes(name));
  });

/** No subscriptions yet. Every change is told once per address that means its series, as the client wrote it. */
export function createSubscriptions(deps: SubscriptionDeps): Subscriptions {
  const { changes, symbols, meters } = deps.ports;
  const held = new Map<string, { readonly about: string; readonly tool: ResourceTool; unfollow(): void }>();
  const waiting = new Map<string, number>();
  let tell: SendUpdate = async () => {};
  let deaf: (() => void) | null = null;

  const told = (uri: string, { change_id }: SignalChange) => {
    const already = waiting.get(uri) ?? 0;
    const all = [...waiting.values()].reduce((sum, count) => sum + count, 0);
    if (already > 0 && all >= MAX_PENDING_NOTIFICATIONS) return;
    waiting.set(uri, already + 1);
    const over = () => {
      const left = (waiting.get(uri) ?? 1) - 1;
      if (left === 0) waiting.delete(uri);
      else waiting.set(uri, left);
    };
    tell({ uri, _meta: { [CHANGE_ID]: change_id } }).then(over, over); // a client that has gone ends the connection
  };
  const hear = (noticed: readonly SignalChange[]) => {
    for (const change of noticed)
      for (const [uri, { about }] of held) if (about === seriesKey(change)) told(uri, change);
  };
  const drop = (uri: string) => {
    held.get(uri)?.unfollow();
    held.delete(uri);
    if (held.size > 0) return;
    deaf?.();
    deaf = null;
  };

  return {
    setSender(way) {
      tell = way;
    },
    async add(uris, who) {
      const fresh = [...new Set(uris)].filter((uri) => !held.has(uri));
      const lent = requireChangePorts(changes, symbols);
      const found = fresh.map((uri) => ({ uri, ...resolveSeries(uri, deps, lent.symbols) }));
      for (const { tool } of found) authorize(tool, who);
      if (held.size + found.length > MAX_SUBSCRIPTIONS) throw tooMany();
      await meters.burst(who);
      for (const { uri, tool, series } of found) {
        if (held.has(uri)) continue; // asked for twice at once
        const unfollow = lent.changes.follow([series]);
        held.set(uri, { about: seriesKey(series), tool, unfollow });
        deaf ??= lent.changes.listen(hear);
      }
    },
    remove(uris) {
      for (const uri of uris) drop(uri);
    },
    count: () => held.size,
    recheck(who) {
      for (const { tool } of held.values()) authorize(tool, who);
    },
    clear() {
      for (const uri of [...held.keys()]) drop(uri);
    },
  };
}

const seriesKey = ({ symbol, timeframe }: SeriesKey): string => `${symbol} ${timeframe}`;

function requireChangePorts(changes: Changes | undefined, symbols: Symbols | undefined) {
  if (changes === undefined || symbols === undefined)
    throw new ToolError("NOT_CONNECTED", "Changes of resources are not told here");
  return { changes, symbols };
}

/** The series that an address means, and the tool that tells its signal. Throws INVALID_INPUT or UNKNOWN_SYMBOL. */
function resolveSeries(
  uri: string,
  scope: SubscriptionDeps,
  symbols: Symbols,
): { readonly tool: ResourceTool; readonly series: SeriesKey } {
  const found = resolveResource(uri, scope);
  const known = seriesTools(scope);
  if (found === null || !known.includes(found.tool))
    throw new ToolError("INVALID_INPUT", `"${plainText(uri, 200)}" is no resource that tells its changes`, {
      hint: `Subscribe to ${known.map(({ resource }) => resource.template).join(" or ")}, such as ${known.map(exampleOf).join(" or ")}.`,
    });
  const { tool, input } = found;
  const { symbol, timeframe } = parse(tool, input) as unknown as SeriesKey;
  const { instrument, alternatives } = symbols.resolve(symbol);
  if (alternatives.length > 0) {
    const others = [instrument, ...alternatives];
    const choices = others.map((one) => `${one.symbol} (${one.name})`).join(", ");
    throw new ToolError("INVALID_INPUT", `"${plainText(symbol, 40)}" may mean ${choices}`, {
      hint: `Write which one: ${others.map((one) => fillTemplate(tool, one.symbol, timeframe)).join(" or ")}.`,
      data: { symbol, candidates: others.map((one) => one.symbol) },
    });
  }
  return { tool, series: { symbol: instrument.symbol, timeframe } };
}

const fillTemplate = ({ resource }: ResourceTool, symbol: string, timeframe: string): string =>
  resource.template
    .replace("{symbol}", encodeURIComponent(symbol))
    .replace("{timeframe}", encodeURIComponent(timeframe));

const exampleOf = (tool: ResourceTool): string => fillTemplate(tool, "AAPL", "1d");

const tooMany = (): ToolError =>
  new ToolError("RATE_LIMITED", `A connection may be subscribed to at most ${MAX_SUBSCRIPTIONS} resources`, {
    hint: "Unsubscribe from one, or open another connection.",
    data: { limit: MAX_SUBSCRIPTIONS },
  });
