import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A garbage collection of everything, and how much is left: bytes. */
export function heapLeft(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const KINDS = {
  timers: setTimeout(() => {}, 0).constructor,
  streams: ReadableStream,
  signals: AbortController,
} as const;

/** How many objects that must not be left behind are reachable in this process, by kind; timers that hold nothing up count too. */
export function reachable(): Readonly<Record<keyof typeof KINDS, number>> {
  const { emitWarning } = process;
  process.emitWarning = () => {}; // that counting is experimental
  try {
    const counts = Object.entries(KINDS).map(([kind, made]) => [
      kind,
      queryObjects(made as never, { format: "count" }),
    ]);
    return Object.fromEntries(counts);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Sockets, files and the like that this process holds open; timers come and go by themselves. */
export const handles = (): number =>
  process.getActiveResourcesInfo().filter((kind) => !/Timeout|Immediate/.test(kind)).length;
