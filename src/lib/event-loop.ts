import { setImmediate } from "node:timers";

/** Time in milliseconds after which work lets other events be handled. */
const MAX_STRETCH_MS = 8;
/** Maximum number of iterations in a row in which waiting work is postponed. */
const MAX_POSTPONEMENTS = 20;
/** Owner of work that names none. */
const COMPUTATIONS = "";

/** Waiting work by its owner; the owner whose turn is next comes first. */
const waiting = new Map<string, (() => void)[]>();
/** Start of the work in this iteration of the event loop; null before the first. */
let startedAt: number | null = null;
let isNextScheduled = false;
/** true if waiting work is postponed to a later iteration. */
let isPostponed = false;
/** Number of iterations in a row in which waiting work was postponed. */
let postponements = 0;

/**
 * Waits until the event loop has handled what is pending. In each iteration of the event loop one piece of work goes on,
 * and more until the iteration is busy: owners take turns, and the work of one owner goes on in order of arrival. Default:
 * the owner of all computations, of which only one goes on in an iteration.
 */
export const yieldToEventLoop = (owner = COMPUTATIONS): Promise<void> =>
  new Promise((resume) => {
    const own = waiting.get(owner);
    if (own === undefined) waiting.set(owner, [resume]);
    else own.push(resume);
    scheduleNext();
  });

/**
 * Returns true if work of this owner has to wait: this iteration is busy, work is postponed, or earlier work of the owner
 * still waits.
 */
export const mustWait = (owner: string): boolean => isBusy() || isPostponed || waiting.has(owner);

/**
 * Postpones waiting work to the next iteration of the event loop, at most 20 times in a row. To be called for each
 * accepted connection: the event loop accepts one in each iteration, so that many would wait for as much work.
 */
export function postponeWork(): void {
  isPostponed = true;
  scheduleNext();
}

/**
 * Returns true if this iteration of the event loop already works for 8 ms. Long computations check it between their
 * steps, `if (isBusy()) await yieldToEventLoop()`, so that the server stays responsive.
 */
export function isBusy(): boolean {
  startedAt ??= performance.now();
  scheduleNext();
  return performance.now() - startedAt >= MAX_STRETCH_MS;
}

/** Maps items one after the other. Other events are handled between them when the iteration is busy. */
export async function mapInSteps<Item, Out>(
  items: readonly Item[],
  step: (item: Item) => Out,
): Promise<readonly Out[]> {
  const outputs: Out[] = [];
  for (const item of items) {
    if (isBusy()) await yieldToEventLoop();
    outputs.push(step(item));
  }
  return outputs;
}

function scheduleNext(): void {
  if (isNextScheduled) return;
  isNextScheduled = true;
  setImmediate(resumeNext);
}

function resumeNext(): void {
  isNextScheduled = false;
  startedAt = null;
  if (isPostponed && postponements < MAX_POSTPONEMENTS) {
    isPostponed = false;
    postponements++;
    if (waiting.size > 0) scheduleNext();
    return;
  }
  isPostponed = false;
  postponements = 0;
  resumeNextOwner(true);
}

/** Resumes one piece of work of the next owner, and then of others until the iteration is busy; of computations one. */
function resumeNextOwner(withComputations: boolean): void {
  const owner = nextOwner(withComputations);
  if (owner === undefined) return;
  const own = waiting.get(owner)!;
  const resume = own.shift()!;
  waiting.delete(owner);
  // to the end of the order
  if (own.length > 0) waiting.set(owner, own);
  startedAt ??= performance.now();
  scheduleNext();
  resume();
  // a tick queued by a microtask runs after the resumed work has come to a stop
  const others = owner === COMPUTATIONS ? false : withComputations;
  queueMicrotask(() => process.nextTick(() => !isBusy() && resumeNextOwner(others)));
}

function nextOwner(withComputations: boolean): string | undefined {
  for (const owner of waiting.keys()) if (withComputations || owner !== COMPUTATIONS) return owner;
  return undefined;
}
