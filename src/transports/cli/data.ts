import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { TIMEFRAMES, type Timeframe, TimeframeText } from "../../domain/market/bars.ts";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { csvName, csvOf } from "../../domain/rows.ts";
import { ToolError } from "../../kernel/errors.ts";
import { plainText } from "../../lib/plain-text.ts";
import { writeBarsFile } from "./bars-file.ts";
import { type Cli, commandWithExamples, withJson, withProgressBar, writeOutput } from "./command.ts";
import type { ImportedBars, OpenedInstallation } from "./host.ts";

const MAX_BARS = 500;

const parseTimeframe = (text: string): Timeframe => {
  const { data } = TimeframeText.safeParse(text);
  if (data === undefined) throw new InvalidArgumentError(`It must be one of ${TIMEFRAMES.join(", ")}.`);
  return data;
};

const parseLimit = (text: string): number => {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MAX_BARS)
    throw new InvalidArgumentError(`It must be a whole number, 1 to ${MAX_BARS}.`);
  return count;
};

interface ImportOptions {
  readonly symbol?: string;
  readonly into?: string;
  readonly json?: boolean;
}
interface ExportOptions {
  readonly timeframe: Timeframe;
  readonly limit: number;
  readonly out?: string;
}

/** Creates the command data import | export, which reads bars from CSV files and writes them to CSV files. */
export function dataCommand(cli: Cli): Command {
  const { host, paint } = cli;
  const { out, err } = host;
  const folder = host.folder ?? ".";

  const formatImport = ({ series, skipped, notes, folder: stored }: ImportedBars): readonly string[] => [
    ...series.map(
      ({ symbol, timeframe, bars, added, first, last }) =>
        `${paint("bold", `${symbol} ${timeframe}`)} ${bars} bars, ${added} new, ${first.slice(0, 10)} to ${last.slice(0, 10)}`,
    ),
    ...skipped.map(({ file, reason }) => `${paint("yellow", "skipped")} ${file}: ${reason}`),
    ...notes.map(({ file, note }) => `${paint("yellow", "note")} ${file}: ${note}`),
    `To serve them: MARKET_DATA=files:${plainText(stored, 500)} market-signal serve`,
  ];
  const importBars = commandWithExamples("import", "import bars from CSV files", [
    "market-signal data import ./bars",
    "market-signal data import prices.csv --symbol AAPL",
  ])
    .argument("<path>", "a CSV file, or a folder of CSV files")
    .option("--symbol <symbol>", "symbol of a single file. Default: taken from the file name")
    .option("--into <folder>", "folder to store the bars in. Default: `bars` in the data folder")
    .action(
      cli.action(
        async () => ({ close: async () => {} }),
        async (_, { symbol, into, json = false }: ImportOptions, path: string) => {
          const clock = { now: () => new Date() };
          const imported = await withProgressBar(err, clock, (progress) =>
            host.importBars({
              from: resolve(folder, path),
              symbol,
              into: into === undefined ? undefined : resolve(folder, into),
              progress,
            }),
          );
          const { series, skipped, notes } = imported;
          const result = { ok: true, into: imported.folder, series, skipped, notes };
          writeOutput(out, { json: result, lines: formatImport(imported) }, json);
          if (series.length === 0)
            throw new ToolError("NOT_ENOUGH_DATA", "No bars were stored", {
              hint: "See the skipped files and notes for the reasons.",
            });
          return 0;
        },
      ),
    );

  const exportBars = commandWithExamples("export", "export bars of symbols as CSV", [
    "market-signal data export AAPL --out AAPL.csv",
    "market-signal data export BTC-USD --timeframe 4h --limit 500",
  ])
    .argument("<symbols...>", "tickers or crypto pairs; several symbols are written to one file each")
    .option("--timeframe <length>", `bar length: ${TIMEFRAMES.join(", ")}`, parseTimeframe, "1d")
    .option("--limit <count>", "number of newest closed bars", parseLimit, MAX_BARS)
    .option("--out <path>", "a file, or a folder for several symbols. Default: stdout")
    .action(
      cli.action(
        () => host.open(),
        async (
          { ports }: OpenedInstallation,
          { timeframe, limit, out: target }: ExportOptions & { json?: boolean },
          symbols: readonly string[],
        ) => {
          const isFolder = symbols.length > 1;
          if (isFolder && target === undefined)
            throw new ToolError("INVALID_INPUT", "Several symbols require --out with a folder");
          const dataDir = (await host.settings()).find(({ name }) => name === "DATA_DIR")?.value ?? null;
          const label = ports.market.mode === "sample" ? `${SAMPLE_LABEL}: ` : "";
          for (const typed of symbols) {
            const { instrument } = ports.symbols.resolve(typed);
            const { symbol } = instrument;
            const request = { timeframe, limit, signal: host.signal };
            const { bars, source, adjustment, as_of } = await ports.bars.history(instrument, request);
            if (bars.time.length === 0)
              throw new ToolError("NOT_ENOUGH_DATA", `No ${timeframe} bars of ${symbol}`, {
                hint: "Use another timeframe or symbol.",
              });
            const name = isFolder ? csvName(symbol, timeframe) : "";
            const path = target === undefined ? null : resolve(folder, target, name);
            if (path === null) out.write(csvOf(bars));
            else writeBarsFile(path, csvOf(bars), dataDir);
            const pathText = path === null ? "" : ` in ${plainText(path, 500)}`;
            err.write(
              `${label}${symbol} ${timeframe}: ${bars.time.length} closed bars from ${source}, ${adjustment}, until ${as_of}${pathText}\n`,
            );
          }
          return 0;
        },
      ),
    );

  return commandWithExamples("data", "import and export bars as CSV", [
    "market-signal data export AAPL --out AAPL.csv",
    "market-signal data import ./bars",
  ])
    .addCommand(withJson(importBars))
    .addCommand(exportBars);
}
