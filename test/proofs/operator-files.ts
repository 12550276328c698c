import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalOf } from "../../src/market/symbols/directory.ts";
import { openFiles } from "../../src/providers/files/open.ts";
import { optionTapeFile } from "../../src/providers/files/option-tape.ts";
import { llmQueryHelp } from "../../src/providers/llm/query-help.ts";
import { endpointsOf } from "../../src/transports/http/paths.ts";
import { importPositions } from "../../tools/import-positions.ts";
import { BODIES, streamOf } from "../support/grown-bodies.ts";
import type { Installation } from "../support/installation.ts";
import { sourceThread } from "../support/source-thread.ts";
import { sendRequest } from "./proof-server.ts";

/** A call that reads a file or an answer. */
export interface FileCall {
  readonly label: string;
  /** Writes the file. Its time is not measured. */
  prepare(): void;
  /** Reads it. Rejects if it cannot be read. */
  call(): Promise<unknown>;
}

interface Kind {
  readonly header: string;
  rowAt(i: number): string;
}

const WORKER = new URL("../../src/providers/files/files-worker.ts", import.meta.url).href;
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const START = Date.UTC(2026, 10, 20);
/** Maximum length of the text of an import. */
const MAX_CSV_LENGTH = 64 * 1024;
const minuteAt = (i: number): string => new Date(Date.UTC(2021, 0, 1) + i * MINUTE).toISOString();
const BARS: Kind = {
  header: "time,open,high,low,close,volume",
  rowAt: (i) => `${minuteAt(i).slice(0, 16)}Z,${100 + (i % 7)},120,90,${100 + (i % 5)},1`,
};
const BARS_OF_SYMBOLS: Kind = {
  header: `symbol,${BARS.header}`,
  rowAt: (i) => `SYM${i},${BARS.rowAt(i)}`,
};
const POSITIONS: Kind = {
  header: "Symbol,Description,Quantity,Average Price,Type",
  rowAt: (i) => `${i % 2 === 0 ? "AAPL" : `SYM${i}`},A company,${1 + (i % 9)},100,Stock`,
};
const TAPE: Kind = {
  header: "executed_at,contract,price,size,bid,ask",
  rowAt: (i) => `${minuteAt(i % 500_000)},AAPL261218C00${200 + (i % 90)}000,${1 + (i % 9)},3,1,2`,
};

/** Fills a file up to a size, in bytes. */
const filled = (head: string, bytes: number, textAt: (i: number) => string): string => {
  const parts = [head];
  for (let [size, i] = [head.length, 0]; size < bytes; i++) {
    const text = textAt(i);
    parts.push(text);
    size += text.length;
  }
  return parts.join("");
};
const BLOCK = 1_000;
const block = (text: string) => () => text.repeat(BLOCK);

/** Contents of files that no program writes, by name. */
const CONTENTS: Readonly<Record<string, (kind: Kind, bytes: number) => string>> = {
  "its own rows": ({ header, rowAt }, bytes) => filled(`${header}\n`, bytes, (i) => `${rowAt(i)}\n`),
  "rows backwards": ({ header, rowAt }, bytes) =>
    filled(`${header}\n`, bytes, (i) => `${rowAt(2_000_000 - i)}\n`),
  "one row": ({ header, rowAt }, bytes) => filled(`${header}\n`, bytes, block(`${rowAt(1)}\n`)),
  "rows in quotes": ({ header, rowAt }, bytes) =>
    filled(`${header}\n`, bytes, (i) => `"${rowAt(i).replaceAll(",", '","')}"\n`),
  "rows without figures": ({ header, rowAt }, bytes) =>
    filled(`${header}\n${rowAt(1)}\n`, bytes, (i) => `${rowAt(i).split(",")[0]},,,,\n`),
  "short rows": ({ header, rowAt }, bytes) => filled(`${header}\n${rowAt(1)}\n`, bytes, block("x,\n")),
  "rows of many cells": ({ header, rowAt }, bytes) =>
    filled(`${header}\n`, bytes, (i) => `${rowAt(i)}${",1".repeat(100_000)}\n`),
  "many columns": ({ header, rowAt }, bytes) =>
    `${filled(header, bytes, (i) => `,column ${i}`)}\n${rowAt(1)}\n${rowAt(2)}\n`,
  "one long line": ({ header, rowAt }, bytes) =>
    filled(`${header}\n${rowAt(1)}\n${rowAt(2)}\n`, bytes, block("text ")),
  "an open quotation mark": ({ header, rowAt }, bytes) =>
    filled(`${header}\n${rowAt(1)}\n"`, bytes, block("text\n")),
  "quotation marks": ({ header, rowAt }, bytes) => filled(`${header}\n${rowAt(1)}\n`, bytes, block('"",')),
  "empty lines": ({ header, rowAt }, bytes) =>
    filled(`${header}\n${rowAt(1)}\n${rowAt(2)}\n`, bytes, block("\n")),
  "nested lists": (_, bytes) => filled("", bytes, block("[")),
  nothing: (_, bytes) => filled("", bytes, block("\0")),
};

/** Imports of positions as large as the text may be, in every wrong shape. */
export function importCalls(server: Installation, key: string): readonly FileCall[] {
  return Object.entries(CONTENTS).map(([name, contentOf]) => {
    const csv = contentOf(POSITIONS, MAX_CSV_LENGTH).slice(0, MAX_CSV_LENGTH);
    return {
      label: `positions, ${name}`,
      prepare() {},
      async call() {
        const { path } = endpointsOf([importPositions])[0]!;
        const body = { label: "large", csv, dry_run: true };
        const response = await sendRequest(server, {
          method: "POST",
          path,
          authorization: `Bearer ${key}`,
          body,
        });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`status ${response.status}`);
      },
    };
  });
}

/**
 * Reading of every kind of file that an operator gives, with contents of a size that no program writes: files of bars
 * that change while the server runs and that are there when it starts, a tape of option trades, and the answers of a
 * language model.
 */
export async function operatorCalls(dir: string, bytes: number): Promise<readonly FileCall[]> {
  mkdirSync(dir);
  const clock = { time: START, now: () => new Date(clock.time) };
  const spawn = () => sourceThread(WORKER);
  const path = join(dir, "BTCUSDT_1m.csv");
  const instrument = canonicalOf("BTC-USD")!;
  writeFileSync(path, CONTENTS["its own rows"]!(BARS, 100_000));
  const running = await openFiles({ dir, clock, spawn });
  const readBars = async (market: typeof running) => {
    const read = [
      ...(["1m", "1d"] as const).map((timeframe) =>
        market.bars.history(instrument, { timeframe, limit: 300 }),
      ),
      market.quotes.latest(instrument),
    ];
    await Promise.allSettled(read);
    market.report();
    market.notes();
    await Promise.all(read);
  };
  const barFiles = [BARS, BARS_OF_SYMBOLS].flatMap((kind) =>
    Object.entries(CONTENTS).map(([name, contentOf]) => {
      const label = `bars${kind === BARS ? "" : " of symbols"}, ${name}, ${bytes / 1e6} MB`;
      return {
        label,
        prepare() {
          writeFileSync(path, contentOf(kind, bytes));
          clock.time += DAY;
        },
        call: () => readBars(running),
      };
    }),
  );
  const tape = join(dir, "tape.txt");
  const tapes = Object.entries(CONTENTS).map(([name, contentOf]) => ({
    label: `option tape, ${name}, ${bytes / 1e6} MB`,
    prepare: () => writeFileSync(tape, contentOf(TAPE, bytes)),
    call: () =>
      optionTapeFile(tape, { now: () => clock.time }).call(
        { instrument: canonicalOf("AAPL")!, from: clock.time - 5 * DAY },
        { signal: AbortSignal.timeout(10 * MINUTE) },
      ),
  }));
  const completion = JSON.stringify({
    choices: [{ message: { content: '{"intent":null,"symbols":["AAPL"]}' } }],
  });
  const answers = Object.entries(BODIES).map(([name, bodyOf]) => ({
    label: `answer of a language model, ${name}`,
    prepare() {},
    call: () =>
      llmQueryHelp({
        fetch: async () => new Response(streamOf(bodyOf(completion), bytes)),
        url: "http://127.0.0.1/",
        model: "any",
        timeoutMs: 10 * MINUTE,
      }).read!("What about Apple?", AbortSignal.timeout(10 * MINUTE)),
  }));
  return [...barFiles, ...tapes, ...answers];
}
