import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { slowly } from "../../api/repeat.ts";
import type { Output } from "../../api/tools.ts";

export type ScanRow = Output<"scan_symbols">["results"][number];
export type Changes = Output<"what_changed">;
export type Verdict = Changes["changes"][number]["before"] & { readonly decided_at: string | null };

/** Maximum number of symbols of one scan, and of the comparison with an earlier time. */
const MAX_SCANNED = 20;

/** Returns the signals of the symbols at their newest close, in as few calls as possible. */
export const useScan = (symbols: readonly string[]) =>
  useQuery({
    ...slowly,
    queryKey: ["scan", symbols],
    enabled: symbols.length > 0,
    queryFn: async () => {
      const parts = chunks(symbols, MAX_SCANNED);
      const answers = await Promise.all(
        parts.map((part) => call("scan_symbols", { symbols: part, include: "closes" })),
      );
      return {
        rows: new Map(answers.flatMap(({ results }) => results).map((row) => [row.symbol, row])),
        errors: new Map(
          answers.flatMap(({ errors }) => errors).map(({ symbol, message }) => [symbol, message]),
        ),
      };
    },
  });

/** Returns how the signals differ from those at a time; null while it is not known. */
export const useChanges = (symbols: readonly string[], since: string | null) =>
  useQuery({
    ...slowly,
    queryKey: ["changes", symbols, since],
    enabled: symbols.length > 0 && since !== null,
    queryFn: () => call("what_changed", { symbols: [...symbols], since: since!, detail: "concise" }),
  });

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

/** Returns a time just before the newest close of any row, at which the signal of the bar before was in force. */
export function beforeNewestClose(rows: Iterable<Pick<ScanRow, "as_of">>): string | null {
  const times = [...rows].map(({ as_of }) => Date.parse(as_of));
  return times.length === 0 ? null : new Date(Math.min(...times) - 60_000).toISOString();
}

/** Returns the verdict of each symbol before the changes: the first change counts, else the recomputed signal. */
export function verdictsBefore({ changes, compared }: Pick<Changes, "changes" | "compared">) {
  const verdicts = new Map<string, Verdict>();
  for (const { symbol, before } of compared) if (before !== null) verdicts.set(symbol, before);
  for (const { symbol, before } of changes.toReversed())
    verdicts.set(symbol, { ...before, decided_at: null });
  return verdicts;
}
