import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { TIMEFRAMES, type Timeframe } from "../../domain/market/bars.ts";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { csvName, csvOf } from "../../domain/rows.ts";
import { ToolError } from "../../kernel/errors.ts";
import { plainText } from "../../lib/plain-text.ts";
import { writeBarsFile } from "./bars-file.ts";
import { commandWithExamples } from "./command-with-examples.ts";
import type { CliHost } from "./host.ts";
import { painter, writeFailure } from "./screen.ts";

const MAX_BARS = 500;

const parseTimeframe = (text: string): Timeframe => {
  const found = TIMEFRAMES.find((one) => one === text);
  if (found === undefined) throw new InvalidArgumentError(`It must be one of ${TIMEFRAMES.join(", ")}.`);
  return found;
};

const parseLimit = (text: string): number => {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MAX_BARS)
    throw new InvalidArgumentError(`It must be a whole number, 1 to ${MAX_BARS}.`);
  return count;
};

/** data import | export: bars as CSV, in and out. */
export function dataCommand(host: CliHost, finish: (code: number) => void): Command {
  const { out, err } = host;
  const paint = painter(out);
  const failing = async (json: boolean, work: () => Promise<void>) => {
    try {
      await work();
      finish(0);
    } catch (thrown) {
      // what is wrong with a file is for the person to read, as with any setting
      if (!(thrown instanceof ToolError)) throw thrown;
      finish(writeFailure(thrown, { out, err, json }));
    }
  };

  const take = commandWithExamples("import", "keep bars of CSV files in the data folder", [
    "market-signal data import ./bars",
    "market-signal data import prices.csv --symbol AAPL",
  ])
    .argument("<path>", "a CSV file or a folder of them")
    .option("--symbol <symbol>", "what a single file holds, where its name does not say")
    .option("--into <folder>", "where to keep them; bars in the data folder when left out")
    .option("--json", "print JSON on stdout")
    .action(
      async (path: string, { symbol, into, json = false }: Record<string, string> & { json?: boolean }) =>
        failing(json, async () => {
          const folder = resolve(host.folder ?? ".");
          const {
            series,
            skipped,
            notes,
            folder: kept,
          } = await host.importBars({
            from: resolve(folder, path),
            symbol,
            into: into === undefined ? undefined : resolve(folder, into),
          });
          if (json)
            out.write(`${JSON.stringify({ ok: true, into: kept, series, skipped, notes }, null, 2)}\n`);
          else {
            for (const { symbol: of, timeframe: length, bars, added, first, last } of series)
              out.write(
                `${paint("bold", `${of} ${length}`)} ${bars} bars, ${added} new, ${first.slice(0, 10)} to ${last.slice(0, 10)}\n`,
              );
            for (const { file, reason } of skipped)
              out.write(`${paint("yellow", "skipped")} ${file}: ${reason}\n`);
            for (const { file, note } of notes) out.write(`${paint("yellow", "note")} ${file}: ${note}\n`);
            out.write(`Served by: MARKET_DATA=files:${plainText(kept, 500)} market-signal serve\n`);
          }
          if (series.length === 0)
            throw new ToolError("NOT_ENOUGH_DATA", "No bars were kept", { hint: "The notes say why." });
        }),
    );

  const give = commandWithExamples("export", "write bars of this market as CSV", [
    "market-signal data export AAPL --out AAPL.csv",
    "market-signal data export BTC-USD --timeframe 4h --limit 500",
  ])
    .argument("<symbols...>", "ticker or crypto pair; several are written to files of their own")
    .option("--timeframe <length>", `bar length: ${TIMEFRAMES.join(", ")}`, parseTimeframe, "1d")
    .option("--limit <count>", "how many closed bars, the newest ones", parseLimit, MAX_BARS)
    .option("--out <path>", "a file, or with several symbols a folder; stdout when left out")
    .action(
      async (symbols: readonly string[], options: { timeframe: Timeframe; limit: number; out?: string }) =>
        failing(false, async () => {
          const opened = await host.open();
          try {
            const several = symbols.length > 1;
            if (several && options.out === undefined)
              throw new ToolError("INVALID_INPUT", "Several symbols need --out with a folder");
            const { symbols: directory, bars, market } = opened.ports;
            const dataDir = host.settings().find(({ name }) => name === "DATA_DIR")?.value ?? null;
            for (const typed of symbols) {
              const { instrument } = directory.resolve(typed);
              const series = await bars.history(instrument, {
                timeframe: options.timeframe,
                limit: options.limit,
                signal: host.signal,
              });
              const { symbol } = instrument;
              const count = series.bars.time.length;
              if (count === 0)
                throw new ToolError("NOT_ENOUGH_DATA", `No ${options.timeframe} bars of ${symbol}`, {
                  hint: "Ask for another timeframe or symbol.",
                });
              const name = csvName(symbol, options.timeframe);
              const path =
                options.out === undefined
                  ? null
                  : resolve(host.folder ?? ".", options.out, several ? name : "");
              if (path === null) out.write(csvOf(series.bars));
              else writeBarsFile(path, csvOf(series.bars), dataDir);
              const label = market.mode === "sample" ? `${SAMPLE_LABEL}: ` : "";
              err.write(
                `${label}${symbol} ${options.timeframe}: ${count} closed bars from ${series.source}, ${series.adjustment}, until ${series.as_of}${path === null ? "" : ` in ${plainText(path, 500)}`}\n`,
              );
            }
          } finally {
            await opened.close();
          }
        }),
    );

  return commandWithExamples("data", "move bars in and out as CSV", [
    "market-signal data export AAPL --out AAPL.csv",
    "market-signal data import ./bars",
  ])
    .addCommand(take)
    .addCommand(give);
}
