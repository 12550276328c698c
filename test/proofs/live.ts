import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Forces garbage collection; returns the remaining heap in bytes. */
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

/** Number of reachable objects that must not leak, by kind; unreferenced timers count too. */
export function reachable(): Readonly<Record<keyof typeof KINDS, number>> {
  const { emitWarning } = process;
  process.emitWarning = () => {}; // counting is experimental and warns
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

/** Number of open sockets, files and similar handles; timers are excluded. */
export const handles = (): number =>
  process.getActiveResourcesInfo().filter((kind) => !/Timeout|Immediate/.test(kind)).length;
