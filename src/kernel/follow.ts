import type { Principal } from "../domain/accounts/access.ts";
import type { Changes, SeriesKey } from "../domain/alerts/changes-port.ts";
import type { Ports } from "../domain/ports.ts";
import { AFTER_FIELD, SINCE_FIELD } from "./followable.ts";
import { type Call, invoke, type RuntimePorts } from "./invoke.ts";
import type { Tool } from "./tool.ts";

/** A change as the tool that is followed tells it. */
export type ChangeEvent = Readonly<Record<string, unknown>> & { readonly change_id: string };

/**
 * What arrives: first, and whenever it becomes another, what is watched; then every change, once and in order. `cursor` is
 * where to go on after it without loss; null where that is not known yet, as at the beginning of `since`.
 */
export type FollowStep =
  | { readonly kind: "watching"; readonly watching: readonly SeriesKey[]; readonly cursor: string | null }
  | { readonly kind: "change"; readonly change: ChangeEvent; readonly cursor: string };

export interface FollowCall extends Pick<Call, "door" | "requestId" | "detail"> {
  readonly ports: RuntimePorts & Pick<Ports, "changes">;
  readonly principal: Principal;
  /** Ends it: nothing more is asked or told. */
  readonly signal: AbortSignal;
  /** The caller as it stands now. Rejects once its key may no longer. */
  readonly again: () => Promise<Principal>;
  /** Lent a function that has it look though nothing was heard, as where a list that is followed may have been changed. */
  readonly stirring?: (look: () => void) => void;
}

interface Page {
  readonly changes: readonly ChangeEvent[];
  readonly cursor: string;
  readonly more: boolean;
  readonly watching: readonly SeriesKey[];
}
type Input = Readonly<Record<string, unknown>>;

/**
 * Calls a tool that has a stream and goes on telling its changes until `signal` aborts: from now on, unless the input says
 * `after` or `since`. The first call is metered like any; each later one asks again whether the caller still may. Listens before it
 * asks, so that nothing falls in between. Throws what the tool refuses.
 */
export async function* follow(
  tool: Tool,
  raw: unknown,
  { again, stirring, ...call }: FollowCall,
): AsyncGenerator<FollowStep, void> {
  const { changes } = call.ports;
  const ear = createChangeListener(changes, call.signal);
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
    const { [SINCE_FIELD]: _, ...asked } = input;
    stirring?.(ear.stir);
    for (;;) {
      const { watching, cursor } = page;
      const names = watching.map(seriesName).join();
      if (names !== watched) {
        const before = unfollow;
        unfollow = changes.follow(watching);
        before();
        ear.heed(watching);
        watched = names;
        yield { kind: "watching", watching, cursor: from ?? (page.changes.length === 0 ? cursor : null) };
      }
      // within a page the place of a change is its own name
      for (const [i, change] of page.changes.entries())
        yield { kind: "change", change, cursor: i === page.changes.length - 1 ? cursor : change.change_id };
      const further = page.more && (page.changes.length > 0 || cursor !== from);
      from = cursor;
      if (!further) await ear.next();
      if (call.signal.aborted) return;
      const principal = await again();
      page = (await invoke(
        tool,
        { ...asked, [AFTER_FIELD]: cursor },
        { ...call, principal, inner: true },
      )) as unknown as Page;
    }
  } catch (cause) {
    if (!call.signal.aborted) throw cause;
  } finally {
    unfollow();
    ear.end();
  }
}

/** The input with a place to begin at: now, where it says none. */
async function withStartCursor(raw: unknown, changes: Changes): Promise<Input> {
  // what is no object is left for the schema to refuse
  if (raw !== undefined && raw !== null && (typeof raw !== "object" || Array.isArray(raw)))
    return raw as Input;
  const input = (raw ?? {}) as Input;
  if (input[AFTER_FIELD] !== undefined || input[SINCE_FIELD] !== undefined) return input;
  return { ...input, [AFTER_FIELD]: await changes.now() };
}

const seriesName = ({ symbol, timeframe }: SeriesKey): string => `${symbol} ${timeframe}`;

/** Hears of changes from now on; what came while nobody waited is not missed. */
function createChangeListener(changes: Changes, signal: AbortSignal) {
  let heeded: ReadonlySet<string> | null = null;
  let news = false;
  let wake = () => {};
  const stir = () => {
    news = true;
    wake();
  };
  const deaf = changes.listen((heard) => {
    if (heeded === null || heard.some((change) => heeded?.has(seriesName(change)))) stir();
  });
  signal.addEventListener("abort", stir, { once: true });
  return {
    stir,
    /** From now on only changes of these count. */
    heed(series: readonly SeriesKey[]) {
      heeded = new Set(series.map(seriesName));
    },
    /** Waits until there is something to look for. */
    async next() {
      if (!news && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      news = false;
    },
    end() {
      deaf();
      signal.removeEventListener("abort", stir);
    },
  };
}
