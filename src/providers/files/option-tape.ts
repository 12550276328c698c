import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { TradeProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { yieldToEventLoop } from "../../lib/yield-to-event-loop.ts";
import { createSingleFlight } from "../../market/failover/single-flight.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { createTradeColumns, type TradeColumns } from "./option-tape-columns.ts";
import { createRowReader, type RowReader } from "./option-tape-rows.ts";

/** A tape of a session of the busiest names takes about so much; a longer file is refused. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Read at a time; no line is longer. */
const CHUNK_BYTES = 64 * 1024;
/** So many bytes before where reading ended tell whether a file has grown or is another. */
const TAIL_BYTES = 4_096;
const NEWLINE = 10;

/** What is read of a file so far. */
interface TapeState {
  readonly file: string;
  /** Size and time of the file that was read last, and whether all of it was. */
  size: number;
  modifiedMs: number;
  complete: boolean;
  /** Bytes of whole lines read, and the last of them. */
  offset: number;
  tail: Buffer;
  reader: RowReader | null;
  readonly columns: Map<string, TradeColumns>;
  lines: number;
  /** Rows that are no trades, or one that was there before. */
  skippedRows: number;
  /** The last line has no end yet. */
  open: boolean;
  /** Times of the first and the last trade, epoch ms. */
  first: number;
  last: number;
}

/**
 * A tape of one's own: a CSV file with a header that names columns in any order, one trade a row, each line with its end.
 * `executed_at` is ISO 8601 with its zone, `contract` an OSI symbol without padding, `price` dollars a share, `size` contracts.
 * Further columns that may be there: `bid`, `ask` (quotes of the moment), `sweep`, `floor`, `multileg` (1 or 0), `trades` (how
 * many it is made of), `id`. Something else may write it: what was appended is read when it is next asked. It is taken to tell
 * every trade from its first row's time to its last's, and is silent of a time after that. What is no regular file, or of which
 * no row can be read, is malformed; one that is not there is down.
 */
export function optionTapeFile(path: string, { now }: { readonly now: () => number }): TradeProvider {
  const flights = createSingleFlight<TapeState>();
  let kept: TapeState | null = null;
  let trouble: string | null = null;

  async function current(stop: AbortSignal): Promise<TapeState> {
    // of one that nobody waits for any more this stays true
    trouble = "the file of OPTION_TAPE is being read still: ask again in a moment";
    try {
      const read = await catchUp(stop);
      trouble = null;
      return read;
    } catch (cause) {
      if (!stop.aborted) {
        kept = null;
        trouble = `OPTION_TAPE cannot be read: ${cause instanceof ProviderFailure ? cause.message : "it failed"}`;
      }
      throw cause;
    }
  }

  async function catchUp(stop: AbortSignal): Promise<TapeState> {
    const file = await openRegularFile(path);
    try {
      const stats = requireRegularFile(await file.stat());
      const goesOn = kept !== null && (await isContinued(kept, file, stats));
      stop.throwIfAborted();
      const read = goesOn ? kept! : initialState(stats);
      kept = read;
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
    problem: () => trouble,
    async call({ instrument, from }, { signal }) {
      const root = usTicker(instrument).replace(".", "");
      const read = await flights(path, current, signal);
      const trades = read.columns.get(root)?.since(from) ?? [];
      const { first: completeFrom, last: completeUntil } = read;
      const silent = completeUntil < from && { silent: noTradesReason(read, from) };
      return { trades, completeFrom, completeUntil, notes: notesOf(read), ...silent };
    },
  };
}

const iso = (at: number): string => new Date(at).toISOString();

const noTradesReason = ({ last }: TapeState, from: number): string =>
  last === Number.NEGATIVE_INFINITY
    ? "The file of OPTION_TAPE has no trades yet"
    : `The file of OPTION_TAPE has no trade since ${iso(from)}: its last one is of ${iso(last)}`;

const notesOf = ({ skippedRows: leftOut, open: unended }: TapeState): readonly string[] => [
  ...(leftOut === 0
    ? []
    : [`${leftOut} rows of the file of OPTION_TAPE are left out: they tell no trade, or one told before`]),
  ...(unended ? ["The last line of the file of OPTION_TAPE has no end and is not read yet"] : []),
];

/** Opens a regular file and nothing else: what a pipe would hold up is held up for every source. */
async function openRegularFile(path: string): Promise<FileHandle> {
  const unread = (cause: unknown): never => {
    throw new ProviderFailure("down", "there is no such file, or it may not be opened", { cause });
  };
  requireRegularFile(await stat(path).catch(unread));
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(unread);
}

function requireRegularFile(stats: Stats): Stats {
  if (!stats.isFile())
    throw new ProviderFailure("malformed", "it is no file but a folder, a pipe or a device");
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

/** Whether a file is what was read of it and perhaps more. */
async function isContinued(read: TapeState, file: FileHandle, stats: Stats): Promise<boolean> {
  const same = stats.size === read.size && stats.mtimeMs === read.modifiedMs;
  if (fileIdentity(stats) !== read.file || !(same || stats.size > read.size)) return false;
  if (same && read.complete) return true;
  const { length } = read.tail;
  const there = Buffer.alloc(length);
  await file.read(there, 0, length, read.offset - length);
  return there.equals(read.tail);
}

/** Reads lines from where reading ended up to the size that the file had when it was opened. */
async function readNewLines(
  file: FileHandle,
  read: TapeState,
  { stop, now }: { readonly stop: AbortSignal; readonly now: number },
): Promise<void> {
  const piece = Buffer.alloc(CHUNK_BYTES);
  read.open = false;
  while (read.offset < read.size) {
    const wanted = Math.min(CHUNK_BYTES, read.size - read.offset);
    const { bytesRead } = await file.read(piece, 0, wanted, read.offset);
    stop.throwIfAborted();
    const end = piece.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      if (bytesRead === CHUNK_BYTES)
        throw new ProviderFailure("malformed", `it has a line of more than ${CHUNK_BYTES} bytes`);
      read.open = bytesRead > 0;
      break;
    }
    for (const line of piece.toString("utf8", 0, end - 1).split("\n")) addLine(read, line, now);
    read.tail = Buffer.concat([read.tail, piece.subarray(0, end)]).subarray(-TAIL_BYTES);
    read.offset += end;
    await yieldToEventLoop();
    stop.throwIfAborted();
  }
  if (read.reader === null) throw new ProviderFailure("malformed", "it has no header");
  if (read.lines > 0 && read.skippedRows === read.lines)
    throw new ProviderFailure("malformed", "it has no row that tells a trade");
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
