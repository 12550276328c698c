import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { TradeProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { createSingleFlight } from "../../market/failover/single-flight.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { createTradeColumns, type TradeColumns } from "./option-tape-columns.ts";
import { createRowReader, type RowReader } from "./option-tape-rows.ts";

/** Maximum file size: about one session of the busiest symbols. Larger files are rejected. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Size of a chunk, bytes. Longer lines are not supported. */
const CHUNK_BYTES = 64 * 1024;
/** Number of bytes at the end of the last read that are compared to detect a replaced file. */
const TAIL_BYTES = 4_096;
const NEWLINE = 10;

interface TapeState {
  readonly file: string;
  /** Size and modification time of the file at the last read; `complete` once the file was read to its end. */
  size: number;
  modifiedMs: number;
  complete: boolean;
  /** Number of bytes read so far, up to the end of a line, and the last of these bytes. */
  offset: number;
  tail: Buffer;
  reader: RowReader | null;
  readonly columns: Map<string, TradeColumns>;
  lines: number;
  /** Number of rows that are not trades or that repeat a trade. */
  skippedRows: number;
  /** True if the last line has no line end yet. */
  open: boolean;
  /** Times of the first and the last trade, epoch ms. */
  first: number;
  last: number;
}

/**
 * Creates the provider of the user's own tape: a CSV file with a header that names columns in any order, one trade per
 * line, each with a line end. `executed_at` is ISO 8601 with a zone, `contract` an OSI symbol without padding, `price`
 * dollars a share, `size` contracts. Optional columns: `bid`, `ask` (current quotes), `sweep`, `floor`, `multileg` (1
 * or 0), `trades` (number of single trades), `id`. Another program may append to it: new lines are read on the next
 * request. The tape counts as complete between the times of its first and last rows. A missing file is "down"; a file
 * that is not regular or has no readable row is "malformed".
 */
export function optionTapeFile(path: string, { now }: { readonly now: () => number }): TradeProvider {
  const flights = createSingleFlight<TapeState>();
  let state: TapeState | null = null;
  let problem: string | null = null;

  async function current(stop: AbortSignal): Promise<TapeState> {
    // remains set if the caller aborts before the read ends
    problem = "the file of OPTION_TAPE is still being read: retry in a moment";
    try {
      const read = await catchUp(stop);
      problem = null;
      return read;
    } catch (cause) {
      if (!stop.aborted) {
        state = null;
        problem = `OPTION_TAPE cannot be read: ${cause instanceof ProviderFailure ? cause.message : "unexpected error"}`;
      }
      throw cause;
    }
  }

  async function catchUp(stop: AbortSignal): Promise<TapeState> {
    const file = await openRegularFile(path);
    try {
      const stats = requireRegularFile(await file.stat());
      const continues = state !== null && (await isContinued(state, file, stats));
      stop.throwIfAborted();
      const read = continues ? state! : initialState(stats);
      state = read;
      if (read.complete && read.size === stats.size && read.modifiedMs === stats.mtimeMs) return read;
      read.size = stats.size;
      read.modifiedMs = stats.mtimeMs;
      read.complete = false;
      await readNewLines(file, read, { stop, now: now() });
      read.complete = true;
      return read;
    } finally {
      await file.close();
    }
  }

  return {
    name: "tapefile",
    budget: { calls: 600, perMs: 60_000, atOnce: 4 },
    problem: () => problem,
    async call({ instrument, from }, { signal }) {
      const root = usTicker(instrument).replace(".", "");
      const read = await flights(path, current, signal);
      const trades = read.columns.get(root)?.since(from) ?? [];
      const { first: completeFrom, last: completeUntil } = read;
      const emptyReason = completeUntil < from ? { emptyReason: noTradesReason(read, from) } : {};
      return { trades, completeFrom, completeUntil, notes: notesOf(read), ...emptyReason };
    },
  };
}

const iso = (at: number): string => new Date(at).toISOString();

const noTradesReason = ({ last }: TapeState, from: number): string =>
  last === Number.NEGATIVE_INFINITY
    ? "The file of OPTION_TAPE has no trades yet"
    : `The file of OPTION_TAPE has no trade since ${iso(from)}: its last one is at ${iso(last)}`;

const notesOf = ({ skippedRows: skipped, open: unended }: TapeState): readonly string[] => [
  ...(skipped === 0
    ? []
    : [`${skipped} rows of the file of OPTION_TAPE were skipped: not a trade, or a duplicate`]),
  ...(unended ? ["The last line of the file of OPTION_TAPE has no line end and is not read yet"] : []),
];

/** Opens a file. Rejects anything but a regular file, because a pipe would block all other reads. */
async function openRegularFile(path: string): Promise<FileHandle> {
  const unavailable = (cause: unknown): never => {
    throw new ProviderFailure("down", "no such file, or no permission to open it", { cause });
  };
  requireRegularFile(await stat(path).catch(unavailable));
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(unavailable);
}

function requireRegularFile(stats: Stats): Stats {
  if (!stats.isFile()) throw new ProviderFailure("malformed", "it is a folder, a pipe or a device");
  if (stats.size > MAX_FILE_BYTES)
    throw new ProviderFailure("malformed", `it has more than ${MAX_FILE_BYTES / 1024 / 1024} MB`);
  return stats;
}

const fileIdentity = ({ dev, ino }: Stats): string => `${dev} ${ino}`;

const initialState = (stats: Stats): TapeState => ({
  file: fileIdentity(stats),
  size: stats.size,
  modifiedMs: stats.mtimeMs,
  complete: false,
  offset: 0,
  tail: Buffer.alloc(0),
  reader: null,
  columns: new Map(),
  lines: 0,
  skippedRows: 0,
  open: false,
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
});

/** Returns true if a file still begins with the content read so far. */
async function isContinued(read: TapeState, file: FileHandle, stats: Stats): Promise<boolean> {
  const same = stats.size === read.size && stats.mtimeMs === read.modifiedMs;
  if (fileIdentity(stats) !== read.file || !(same || stats.size > read.size)) return false;
  if (same && read.complete) return true;
  const { length } = read.tail;
  const bytes = Buffer.alloc(length);
  await file.read(bytes, 0, length, read.offset - length);
  return bytes.equals(read.tail);
}

/** Reads the lines after the last read, up to the size that the file had when it was opened. */
async function readNewLines(
  file: FileHandle,
  read: TapeState,
  { stop, now }: { readonly stop: AbortSignal; readonly now: number },
): Promise<void> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  read.open = false;
  while (read.offset < read.size) {
    const wanted = Math.min(CHUNK_BYTES, read.size - read.offset);
    const { bytesRead } = await file.read(chunk, 0, wanted, read.offset);
    stop.throwIfAborted();
    const end = chunk.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      if (bytesRead === CHUNK_BYTES)
        throw new ProviderFailure("malformed", `it has a line of more than ${CHUNK_BYTES} bytes`);
      read.open = bytesRead > 0;
      break;
    }
    for (const line of chunk.toString("utf8", 0, end - 1).split("\n")) {
      // the call may end only between chunks, so that no line is read twice
      if (isBusy()) await yieldToEventLoop();
      addLine(read, line, now);
    }
    read.tail = Buffer.concat([read.tail, chunk.subarray(0, end)]).subarray(-TAIL_BYTES);
    read.offset += end;
    await yieldToEventLoop();
    stop.throwIfAborted();
  }
  if (read.reader === null) throw new ProviderFailure("malformed", "it has no header");
  if (read.lines > 0 && read.skippedRows === read.lines)
    throw new ProviderFailure("malformed", "it has no row with a trade");
}

function addLine(read: TapeState, ended: string, now: number): void {
  const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
  if (line.trim() === "") return;
  if (read.reader === null) {
    read.reader = createRowReader(line);
    return;
  }
  read.lines += 1;
  const row = read.reader(line, read.lines, now);
  if (row === null || !columnsOf(read, row.contract.root).add(row)) {
    read.skippedRows += 1;
    return;
  }
  read.first = Math.min(read.first, row.executedAt);
  read.last = Math.max(read.last, row.executedAt);
}

function columnsOf({ columns }: TapeState, root: string): TradeColumns {
  const known = columns.get(root) ?? createTradeColumns();
  columns.set(root, known);
  return known;
}
