import type { Principal } from "../domain/accounts/access.ts";
import type { Changes, SeriesKey } from "../domain/alerts/changes-port.ts";
import type { Ports } from "../domain/ports.ts";
import { type BoundedCache, createBoundedCache } from "../lib/bounded-cache.ts";
import { AFTER_FIELD, SINCE_FIELD } from "./followable.ts";
import { authorize, type Call, invoke, type RuntimePorts } from "./invoke.ts";
import type { Tool } from "./tool.ts";
import { createWakeUp } from "./wake-up.ts";

/** A change as the followed tool returns it. */
export type ChangeEvent = Readonly<Record<string, unknown>> & { readonly change_id: string };

/**
 * An event of a stream. `watching`: the watched series, at the start and whenever they change; `change`: every change
 * once, in order. Resuming after `cursor` loses nothing; it is null if no cursor is known yet, as at the start of a
 * stream with `since`.
 */
export type FollowStep =
  | { readonly kind: "watching"; readonly watching: readonly SeriesKey[]; readonly cursor: string | null }
  | { readonly kind: "change"; readonly change: ChangeEvent; readonly cursor: string };

/** Pages by query and cursor, until the next change: streams that read the same page read it once. */
export type SharedPages = BoundedCache<string, Promise<Page>>;
/** Creates an empty set of pages for the streams of one transport. */
export const createSharedPages = (): SharedPages =>
  createBoundedCache({ name: "pages of streams", max: MAX_SHARED_PAGES });

/** A call that follows; `Needed` are the ports that supply what is followed. */
export interface FollowCall<Needed extends keyof Ports = "changes">
  extends Pick<Call, "transport" | "requestId" | "detail"> {
  readonly ports: RuntimePorts & Pick<Ports, Needed>;
  readonly principal: Principal;
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** Returns the current principal of the caller. Rejects once its key is no longer valid. */
  readonly refreshPrincipal: () => Promise<Principal>;
  /** Receives a function that forces the next read, for example after a followed watchlist may have changed. */
  readonly registerWake?: (wake: () => void) => void;
  /** Pages that the streams of a transport share. Default: each stream reads its own. */
  readonly pages?: SharedPages | undefined;
}

/** Maximum number of pages that streams share: one for each query and cursor. */
const MAX_SHARED_PAGES = 100;

interface Page {
  readonly changes: readonly ChangeEvent[];
  readonly cursor: string;
  readonly more: boolean;
  readonly watching: readonly SeriesKey[];
}
type Input = Readonly<Record<string, unknown>>;

/**
 * Calls a tool that has a stream and yields its changes until `signal` aborts: from now on, unless the input has
 * `after` or `since`. The first call is metered; each later one checks the caller's key again. Starts listening before
 * the first read, so that no change is missed. Throws the errors of the tool.
 */
export async function* follow(
  followed: Tool,
  raw: unknown,
  { refreshPrincipal, registerWake, pages, ...call }: FollowCall,
): AsyncGenerator<FollowStep, void> {
  // a stream has no text that could say what was not applied
  const tool = { ...followed, dropsUnknown: false };
  const { changes } = call.ports;
  const listener = createChangeListener(changes, { signal: call.signal, onChange: () => pages?.clear() });
  let unfollow = () => {};
  let watched: string | null = null;
  try {
    let input: Input = {};
    const begin = async () => {
      input = await withStartCursor(typeof raw === "function" ? await raw() : raw, changes);
      return input;
    };
    let page = (await invoke(tool, begin, call)) as unknown as Page;
    let from = typeof input[AFTER_FIELD] === "string" ? input[AFTER_FIELD] : null;
    const { [SINCE_FIELD]: _, ...query } = input;
    registerWake?.(listener.wake);
    for (;;) {
      const { watching, cursor } = page;
      const names = watching.map(seriesName).join();
      if (names !== watched) {
        const before = unfollow;
        unfollow = changes.follow(watching);
        before();
        listener.watch(watching);
        watched = names;
        yield { kind: "watching", watching, cursor: from ?? (page.changes.length === 0 ? cursor : null) };
      }
      // within a page the id of a change is its cursor
      for (const [i, change] of page.changes.entries())
        yield { kind: "change", change, cursor: i === page.changes.length - 1 ? cursor : change.change_id };
      const further = page.more && (page.changes.length > 0 || cursor !== from);
      from = cursor;
      if (!further) await listener.next();
      if (call.signal.aborted) return;
      const principal = await refreshPrincipal();
      page = await nextPage(tool, { ...query, [AFTER_FIELD]: cursor }, { ...call, principal, pages });
    }
  } catch (cause) {
    if (!call.signal.aborted) throw cause;
  } finally {
    unfollow();
    listener.end();
  }
}

/** Returns the page after a cursor: that which another stream has read, if the answer does not depend on the account. */
async function nextPage(
  tool: Tool,
  input: Input,
  { pages, signal, ...call }: Pick<FollowCall, "pages" | "signal"> & Omit<Call, "signal">,
): Promise<Page> {
  const read = (cancel: { readonly signal?: AbortSignal }) =>
    invoke(tool, input, { ...call, ...cancel, nested: true }) as unknown as Promise<Page>;
  const sharedWith = tool.http?.stream?.sharedWith;
  if (pages === undefined || sharedWith === undefined || input[sharedWith] === undefined)
    return read({ signal });
  authorize(tool, call.principal);
  const key = `${tool.name} ${JSON.stringify(input)}`;
  const known = pages.get(key);
  if (known !== undefined) return known;
  // not cancelled with this stream, because others wait for it
  const page = read({});
  pages.set(key, page);
  page.catch(() => pages.delete(key));
  return page;
}

/** Returns the input with a cursor to start after. Default: the newest change. */
async function withStartCursor(raw: unknown, changes: Changes): Promise<Input> {
  // the schema rejects anything that is not an object
  if (raw !== undefined && raw !== null && (typeof raw !== "object" || Array.isArray(raw)))
    return raw as Input;
  const input = (raw ?? {}) as Input;
  if (input[AFTER_FIELD] !== undefined || input[SINCE_FIELD] !== undefined) return input;
  return { ...input, [AFTER_FIELD]: await changes.now() };
}

const seriesName = ({ symbol, timeframe }: SeriesKey): string => `${symbol} ${timeframe}`;

/** Listens for changes from now on; those that arrive between two calls of `next` are not missed. `onChange`: called first. */
function createChangeListener(
  changes: Changes,
  { signal, onChange }: { readonly signal: AbortSignal; readonly onChange: () => void },
) {
  let watched: ReadonlySet<string> | null = null;
  const { wake, next, end } = createWakeUp(signal);
  const unlisten = changes.listen((arrived) => {
    onChange();
    if (watched === null || arrived.some((change) => watched?.has(seriesName(change)))) wake();
  });
  return {
    wake,
    next,
    /** From now on only changes of these series count. */
    watch(series: readonly SeriesKey[]) {
      watched = new Set(series.map(seriesName));
    },
    end() {
      unlisten();
      end();
    },
  };
}
