import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { asToolError } from "../../kernel/errors.ts";
import { fail, groupSkipped, note, ok } from "./doctor-findings.ts";
import type { CliHost, Finding, OpenedInstallation } from "./host.ts";

/** Maximum number of series in files that are described. */
const MAX_READ_AS = 50;

/** Number of newest bars of a series that are searched for splits: those of the odds. */
const READ_BARS = 1_251;

/** Checks the symbols and the series of files: unreadable ones, suspected splits and files that are not used. */
export async function checkMarket(
  { ports, files }: OpenedInstallation,
  host: Pick<CliHost, "splitFault">,
): Promise<readonly Finding[]> {
  const { market, symbols, bars } = ports;
  const members = symbols.members();
  if (market.mode === "live") return [ok("market", `live, ${members.length} symbols known`)];
  if (files === null) {
    const label = market.mode === "sample" ? `${SAMPLE_LABEL}, ` : "";
    return [ok("market", `${label}${members.length} symbols`)];
  }
  const { series } = files();
  const unread: Finding[] = [];
  const splits: Finding[] = [];
  for (const { symbol, timeframe } of series) {
    const member = members.find((one) => one.symbol === symbol);
    if (member === undefined) continue;
    try {
      const series = await bars.history(member, { timeframe, limit: READ_BARS });
      const fault = await host.splitFault(series.bars);
      if (fault !== null) splits.push(note(`${symbol} ${timeframe}`, fault));
    } catch (cause) {
      const { code, message } = asToolError(cause);
      const finding = code === "INTERNAL" ? fail : note;
      unread.push(finding(`${symbol} ${timeframe}`, `cannot be read: ${message}`));
    }
  }
  const { skipped, notes, readAs } = files();
  const more = readAs.length - MAX_READ_AS;
  return [
    ok("market", `${members.length} symbols in ${series.length} series from files`),
    ...readAs.slice(0, MAX_READ_AS).map(({ file, note: detail }) => ok(file, detail)),
    ...(more > 0 ? [ok("files", `${more} more series`)] : []),
    ...(market.notes?.() ?? []).map((detail) => note("market", detail)),
    ...unread,
    ...splits,
    ...groupSkipped(skipped),
    ...notes.map(({ file, note: detail }) => note(file, detail)),
  ];
}

/** Lists the price changes that the owner declared to be no split. */
export async function checkNoSplits({ ports }: OpenedInstallation): Promise<readonly Finding[]> {
  if (ports.storage.fault()?.kind === "damaged") return [];
  const declared = (await ports.noSplits?.list()) ?? [];
  return declared.map(({ symbol, date }) =>
    note(symbol, `the price change of ${date} is declared no split: no-split ${symbol} ${date} --remove`),
  );
}
