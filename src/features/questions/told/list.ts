import { from, grouped, type ListAsked, listed, show, type Teller } from "./told.ts";

/** The best lines of the newest nightly run, or of a scan. */
const toldLines =
  ({ score, rr, isRun }: { readonly score: string; readonly rr: string; readonly isRun: boolean }): Teller =>
  (answer, _symbol, _brief, _asked, list = { shown: SHOWN }) => {
    const { shown } = list;
    const read = answer.list("results").map((line) => ({
      symbol: line.text("symbol"),
      direction: line.text("bias"),
      grade: line.text("grade"),
      score: line.number(score),
      ...(list.rr === true && { rr: line.number(rr, 2) }),
      close: line.price("close"),
      as_of: line.moment("as_of"),
      source: line.text("source"),
    }));
    const all = read.filter(({ symbol }) => symbol === null || list.without?.includes(symbol) !== true);
    const lines = narrowed(all, list);
    const [first] = lines;
    const head = lines.slice(0, shown);
    const formatted = head.map(
      (line) =>
        `${line.symbol} (${line.direction}, grade ${show(line.grade)}, score ${show(line.score)}${line.rr === undefined ? "" : `, reward-to-risk ${show(line.rr)}`})`,
    );
    const run = isRun ? answer.moment("runs.0.runAt") : null;
    const inAll = isRun ? answer.number("total", 0) : null;
    const total = inAll === null ? lines.length : inAll - (read.length - all.length);
    const count = total > head.length ? `${grouped(total)}, the first of them ` : "";
    const wanted = wantedOf(head, list);
    const lists = isRun ? `The newest nightly run${run === null ? "" : `, of ${run},`} lists` : SCANNED;
    return {
      figures: { lines: head, total, run },
      sentence:
        first === undefined
          ? all.length === 0
            ? `${lists} nothing that passes what was asked for.`
            : `${lists} ${all.length}, none of which passes what was asked for ${from(all[0]!.source, all[0]!.as_of)}.`
          : `${wanted}${lists} ${count}${listed(formatted)} ${from(first.source, first.as_of)}.`,
    };
  };
const SHOWN = 5;
const SCANNED = "No nightly run has finished yet; a scan of some of the symbols of this market lists";

interface Line {
  readonly direction: string | null;
  readonly grade: string | null;
  readonly score: number | null;
}

/** Filters the lines by the request when the answer is not filtered yet. */
function narrowed<L extends Line>(
  lines: readonly L[],
  { bias, grade, min_score, weakest }: ListAsked,
): readonly L[] {
  const filtered = lines.filter(
    (line) =>
      (bias === undefined || line.direction === bias) &&
      (grade === undefined || line.grade === grade) &&
      (min_score === undefined || (line.score !== null && line.score >= min_score)),
  );
  return weakest === true ? filtered.toReversed() : filtered;
}

/** Lists the lines with the requested direction if not every line has it. */
function wantedOf(
  lines: readonly (Line & { readonly symbol: string | null })[],
  { wants }: ListAsked,
): string {
  if (wants === undefined) return "";
  const called = wants === "LONG" ? "LONG, a buy" : "SHORT, a sell";
  const names = lines.flatMap(({ direction, symbol }) => (direction === wants ? [symbol ?? ""] : []));
  if (names.length === lines.length) return "";
  if (names.length === 0) return `None of these is ${called}. `;
  return `Only ${listed(names)} of these ${names.length === 1 ? "is" : "are"} ${called}. `;
}

/** Lines of the newest nightly runs that pass. */
export const toldScreen = toldLines({
  score: "overallScore",
  rr: "actionCard.rr",
  isRun: true,
});
/** Lines of a scan that stands in for a nightly run. */
export const toldScan = toldLines({
  score: "score",
  rr: "rr",
  isRun: false,
});
