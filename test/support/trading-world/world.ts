import { type Draw, drawsOf } from "./draw.ts";

/** A run of the product that can be killed at any moment. */
export interface SimulatedProcess {
  alive: boolean;
  /** Told when it dies. */
  readonly mourners: Set<() => void>;
}

/** Something that is on its way and happens when its turn comes. */
interface Event {
  readonly of: SimulatedProcess | null;
  /** What becomes of it where its process dies: it `happens` all the same, `may` have happened, or is `gone`. */
  readonly orphaned: "happens" | "may" | "gone";
  /** It happens by then, epoch ms; null for whenever. */
  readonly latest: number | null;
  happen(): Promise<void> | void;
}

interface Ask<T> {
  readonly of: SimulatedProcess | null;
  readonly orphaned?: Event["orphaned"];
  readonly within?: number;
  readonly effect: () => T | Promise<T>;
}

/** A world of one seed: time stands still but when it is let pass, and one thing happens after another. */
export interface World {
  readonly draw: Draw;
  readonly clock: { now(): Date };
  now(): number;
  /** The process that requests go to. */
  process(): SimulatedProcess;
  /** What is asked for happens when its turn comes, and is answered then or later; never to a process that died. */
  ask<T>(asked: Ask<T>): Promise<T>;
  /** Lets something happen later for nobody. */
  later(effect: () => void, within: number | null): void;
  /** Kills the process; another takes its place. */
  crash(): Promise<void>;
  pass(ms: number): Promise<void>;
  /** Lets one thing happen; false where nothing is on its way. */
  step(): Promise<boolean>;
}

const SLOW = 0.3;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const born = (): SimulatedProcess => ({ alive: true, mourners: new Set() });

/** A world that begins at an instant, epoch ms. */
export function createWorld(seed: number, start: number): World {
  const draw = drawsOf(seed);
  let now = start;
  let process = born();
  let waiting: Event[] = [];
  const begin = (event: Event) => void waiting.push(event);

  async function happen(event: Event): Promise<void> {
    waiting = waiting.filter((one) => one !== event);
    await event.happen();
    await settled();
  }

  return {
    draw,
    clock: { now: () => new Date(now) },
    now: () => now,
    process: () => process,
    ask: <T>({ of, orphaned = "gone", within, effect }: Ask<T>) =>
      new Promise<T>((resolve, reject) => {
        const latest = within === undefined ? null : now + within;
        begin({
          of,
          orphaned,
          latest,
          async happen() {
            let answer: () => void;
            try {
              const value = await effect();
              answer = () => resolve(value);
            } catch (cause) {
              answer = () => reject(cause);
            }
            const deliver = () => void ((of === null || of.alive) && answer());
            if (draw.chance(SLOW)) begin({ of, orphaned: "gone", latest: null, happen: deliver });
            else deliver();
          },
        });
      }),
    later: (effect, within) =>
      begin({
        of: null,
        orphaned: "happens",
        happen: effect,
        latest: within === null ? null : now + within,
      }),
    async crash() {
      const dead = process;
      dead.alive = false;
      process = born();
      for (const event of waiting.filter(({ of }) => of === dead)) {
        if (event.orphaned === "happens") continue;
        if (event.orphaned === "may" && draw.chance(0.5)) await happen(event);
        else waiting = waiting.filter((one) => one !== event);
      }
      for (const mourn of dead.mourners) mourn();
      await settled();
    },
    async pass(ms) {
      const until = now + ms;
      for (;;) {
        const due = waiting.filter(({ latest }) => latest !== null && latest <= until);
        const first = due.toSorted((a, b) => a.latest! - b.latest!)[0];
        if (first === undefined) break;
        now = Math.max(now, first.latest!);
        await happen(first);
      }
      now = until;
    },
    async step() {
      if (waiting.length === 0) return false;
      await happen(draw.one(waiting));
      return true;
    },
  };
}
