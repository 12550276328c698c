import type { Principal } from "../../domain/accounts/access.ts";
import type { SignalChange } from "../../domain/alerts/changes.ts";
import type { SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Symbols } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { variablesOf } from "../../kernel/followable.ts";
import { authorize, type RuntimePorts } from "../../kernel/invoke.ts";
import { readInput } from "../../kernel/read-input.ts";
import type { Registry } from "../../kernel/registry.ts";
import { plainText } from "../../lib/plain-text.ts";
import type { ConnectionTools } from "./connection-tools.ts";
import { type ResourceTool, resolveResource, resourceTools } from "./resources.ts";

/** Maximum number of subscriptions of one connection. */
export const MAX_SUBSCRIPTIONS = 100;
/**
 * Maximum number of pending notifications of one connection. Above it, further notifications for a resource that
 * already has one pending are dropped.
 */
const MAX_PENDING_NOTIFICATIONS = 1_000;
/** `_meta` field of a notification with the id of the change. */
const CHANGE_ID = "market-signal/change_id";
/** Template variables that identify a series. */
const SERIES_VARIABLES = ["symbol", "timeframe"] as const;

interface SubscriptionDeps {
  readonly registry: Registry;
  readonly ports: RuntimePorts;
  readonly tools: ConnectionTools;
}

/** Notifies a client that a resource has changed. */
type SendUpdate = (updated: {
  readonly uri: string;
  readonly _meta: Readonly<Record<string, string>>;
}) => Promise<void>;

/** Resource subscriptions of one connection. */
export interface Subscriptions {
  setSender(send: SendUpdate): void;
  /** Subscribes to all resources, or to none if one is refused. Rejects with a ToolError. */
  add(uris: readonly string[], principal: Principal): Promise<void>;
  remove(uris: readonly string[]): void;
  count(): number;
  /** Throws if the caller may no longer read a subscribed resource. */
  recheck(principal: Principal): void;
  clear(): void;
}

/** Returns true if a connection can subscribe to any resource. */
export const canSubscribe = ({ registry, ports, tools }: SubscriptionDeps): boolean =>
  ports.changes !== undefined && seriesTools({ registry, tools }).length > 0;

const seriesTools = (scope: Pick<SubscriptionDeps, "registry" | "tools">): readonly ResourceTool[] =>
  resourceTools(scope).filter(({ resource }) => {
    const names = variablesOf(resource);
    return SERIES_VARIABLES.every((name) => names.includes(name));
  });

/**
 * Creates an empty set of subscriptions. Sends each change once per subscribed URI of its series, with the URI as the
 * client wrote it.
 */
export function createSubscriptions(deps: SubscriptionDeps): Subscriptions {
  const { changes, symbols } = deps.ports;
  const subscribed = new Map<
    string,
    { readonly key: string; readonly tool: ResourceTool; unfollow(): void }
  >();
  const pending = new Map<string, number>();
  let send: SendUpdate = async () => {};
  let stopListening: (() => void) | null = null;

  const notify = (uri: string, { change_id }: SignalChange) => {
    const count = pending.get(uri) ?? 0;
    const total = [...pending.values()].reduce((sum, each) => sum + each, 0);
    if (count > 0 && total >= MAX_PENDING_NOTIFICATIONS) return;
    pending.set(uri, count + 1);
    const settle = () => {
      const remaining = (pending.get(uri) ?? 1) - 1;
      if (remaining === 0) pending.delete(uri);
      else pending.set(uri, remaining);
    };
    // a failed notification needs no handling: a disconnected client ends the connection
    send({ uri, _meta: { [CHANGE_ID]: change_id } }).then(settle, settle);
  };
  const onChanges = (arrived: readonly SignalChange[]) => {
    for (const change of arrived)
      for (const [uri, { key }] of subscribed) if (key === seriesKey(change)) notify(uri, change);
  };
  const drop = (uri: string) => {
    subscribed.get(uri)?.unfollow();
    subscribed.delete(uri);
    if (subscribed.size > 0) return;
    stopListening?.();
    stopListening = null;
  };

  return {
    setSender(sender) {
      send = sender;
    },
    async add(uris, principal) {
      if (changes === undefined || symbols === undefined)
        throw new ToolError("NOT_CONNECTED", "This server sends no resource updates");
      const found = [...new Set(uris)]
        .filter((uri) => !subscribed.has(uri))
        .map((uri) => ({ uri, ...resolveSeries(uri, deps, symbols) }));
      for (const { tool } of found) authorize(tool, principal);
      if (subscribed.size + found.length > MAX_SUBSCRIPTIONS) throw tooManyError();
      for (const { uri, tool, series } of found) {
        subscribed.set(uri, { key: seriesKey(series), tool, unfollow: changes.follow([series]) });
        stopListening ??= changes.listen(onChanges);
      }
    },
    remove(uris) {
      for (const uri of uris) drop(uri);
    },
    count: () => subscribed.size,
    recheck(principal) {
      for (const { tool } of subscribed.values()) authorize(tool, principal);
    },
    clear() {
      for (const uri of [...subscribed.keys()]) drop(uri);
    },
  };
}

const seriesKey = ({ symbol, timeframe }: SeriesKey): string => `${symbol} ${timeframe}`;

/** Resolves a URI to its series and tool. Throws INVALID_INPUT or UNKNOWN_SYMBOL. */
function resolveSeries(
  uri: string,
  scope: SubscriptionDeps,
  symbols: Symbols,
): { readonly tool: ResourceTool; readonly series: SeriesKey } {
  const found = resolveResource(uri, scope);
  const known = seriesTools(scope);
  if (found === null || !known.includes(found.tool))
    throw new ToolError("INVALID_INPUT", `"${plainText(uri, 200)}" is not a resource that sends updates`, {
      hint: `Subscribe to ${known.map(({ resource }) => resource.template).join(" or ")}, such as ${known.map(exampleOf).join(" or ")}.`,
    });
  const { tool, input } = found;
  const { symbol, timeframe } = readInput(tool, input, { clock: scope.ports.clock })
    .input as unknown as SeriesKey;
  const { instrument, alternatives } = symbols.resolve(symbol);
  if (alternatives.length > 0) {
    const candidates = [instrument, ...alternatives];
    const choices = candidates.map((candidate) => `${candidate.symbol} (${candidate.name})`).join(", ");
    throw new ToolError("INVALID_INPUT", `"${plainText(symbol, 40)}" may mean ${choices}`, {
      hint: `Subscribe to one of them: ${candidates.map((candidate) => fillTemplate(tool, candidate.symbol, timeframe)).join(" or ")}.`,
      data: { symbol, candidates: candidates.map((candidate) => candidate.symbol) },
    });
  }
  return { tool, series: { symbol: instrument.symbol, timeframe } };
}

const fillTemplate = ({ resource }: ResourceTool, symbol: string, timeframe: string): string =>
  resource.template
    .replace("{symbol}", encodeURIComponent(symbol))
    .replace("{timeframe}", encodeURIComponent(timeframe));

const exampleOf = (tool: ResourceTool): string => fillTemplate(tool, "AAPL", "1d");

const tooManyError = (): ToolError =>
  new ToolError("RATE_LIMITED", `A connection may be subscribed to at most ${MAX_SUBSCRIPTIONS} resources`, {
    hint: "Unsubscribe from one, or open another connection.",
    data: { limit: MAX_SUBSCRIPTIONS },
  });
