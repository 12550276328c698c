import { setImmediate } from "node:timers";

/** Time in milliseconds after which work lets other events be handled. */
const MAX_STRETCH_MS = 8;
/** Maximum number of iterations in a row in which waiting work is postponed. */
const MAX_POSTPONEMENTS = 20;
/** Owner of work that belongs to no account, such as jobs. */
const BACKGROUND = "";
/** Begins the key of an owner's computations, which wait apart from the owner's requests. */
const COMPUTATIONS = "computations of ";

/** Waiting work by owner, or by owner of computations; those whose turn is next come first. */
const waiting = new Map<string, (() => void)[]>();
/** Owner of the work that runs now; null if it has none. */
let currentOwner: string | null = null;
/** Start of the work in this iteration of the event loop; null before the first. */
let startedAt: number | null = null;
let isNextScheduled = false;
/** true if waiting work is postponed to a later iteration. */
let isPostponed = false;
/** Number of iterations in a row in which waiting work was postponed. */
let postponements = 0;

/**
 * Waits until the event loop has handled what is pending. In each iteration of the event loop one piece of work goes on,
 * and more until the iteration is busy, but only one computation: owners take turns, and the work of one owner goes on in
 * order of arrival. Default: the next step of a computation of the current owner.
 */
export const yieldToEventLoop = (owner?: string): Promise<void> =>
  new Promise((resume) => {
    const key = owner ?? COMPUTATIONS + (currentOwner ?? BACKGROUND);
    const own = waiting.get(key);
    if (own === undefined) waiting.set(key, [resume]);
    else own.push(resume);
    scheduleNext();
  });

/**
 * Continues as work of the owner, whose computations then wait only for each other and take turns with those of other
 * owners. Returns a promise of the owner's turn if this iteration is busy or works for another owner, else undefined; a
 * caller that awaits undefined would let others pass the check before it works. To be called after waiting for something
 * that does not belong to one owner, such as a write.
 */
export function continueAs(owner: string): Promise<void> | undefined {
  if (isBusy() || (currentOwner !== null && currentOwner !== owner)) return yieldToEventLoop(owner);
  if (currentOwner === null) startTurn(owner, endTurn);
  return undefined;
}

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
  const key = nextKey(withComputations);
  if (key === undefined) return;
  const own = waiting.get(key)!;
  const resume = own.shift()!;
  waiting.delete(key);
  // to the end of the order
  if (own.length > 0) waiting.set(key, own);
  startedAt ??= performance.now();
  scheduleNext();
  resume();
  const isComputation = key.startsWith(COMPUTATIONS);
  startTurn(isComputation ? key.slice(COMPUTATIONS.length) : key, () => {
    endTurn();
    if (!isBusy()) resumeNextOwner(withComputations && !isComputation);
  });
}

/** Sets the owner of the work that goes on in the microtasks of this callback, and calls `end` when it has come to a stop. */
function startTurn(owner: string, end: () => void): void {
  currentOwner = owner;
  // a tick queued by a microtask runs when no microtask is left
  queueMicrotask(() => process.nextTick(end));
}

function endTurn(): void {
  currentOwner = null;
}

function nextKey(withComputations: boolean): string | undefined {
  for (const key of waiting.keys()) if (withComputations || !key.startsWith(COMPUTATIONS)) return key;
  return undefined;
}
