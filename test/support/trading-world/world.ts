import { type Draw, drawsOf } from "./draw.ts";

/** A run of the product that can be killed at any moment. */
export interface SimulatedProcess {
  alive: boolean;
  /** Called when the process dies. */
  readonly onDeath: Set<() => void>;
}

/** A pending event. */
interface Event {
  readonly of: SimulatedProcess | null;
  /** What happens to the event if its process dies: it still `happens`, it `may` happen, or it is `gone`. */
  readonly orphaned: "happens" | "may" | "gone";
  /** Latest time, epoch ms; null without a limit. */
  readonly latest: number | null;
  happen(): Promise<void> | void;
}

interface ScheduledCall<T> {
  readonly of: SimulatedProcess | null;
  readonly orphaned?: Event["orphaned"];
  readonly within?: number;
  readonly effect: () => T | Promise<T>;
}

/** A world of one seed. Time passes only through `pass`, and events happen one at a time. */
export interface World {
  readonly draw: Draw;
  readonly clock: { now(): Date };
  now(): number;
  /** The process that takes requests. */
  process(): SimulatedProcess;
  /** Runs the effect in its turn; the response follows then or later, and never reaches a dead process. */
  schedule<T>(call: ScheduledCall<T>): Promise<T>;
  /** Runs an effect later, independently of any process. */
  later(effect: () => void, within: number | null): void;
  /** Kills the process and starts another one. */
  crash(): Promise<void>;
  pass(ms: number): Promise<void>;
  /** Runs one event; false if none is pending. */
  step(): Promise<boolean>;
}

const SLOW = 0.3;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const born = (): SimulatedProcess => ({ alive: true, onDeath: new Set() });

/** Creates a world that starts at a time, epoch ms. */
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
    schedule: <T>({ of, orphaned = "gone", within, effect }: ScheduledCall<T>) =>
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
      for (const mourn of dead.onDeath) mourn();
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
