import { Anchor, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import type { Output } from "../api/tools.ts";
import { CopyAs } from "../pages/shared/copy-as.tsx";
import { Failure } from "../pages/shared/failure.tsx";
import { Boundary } from "../views/boundary.tsx";
import { MarketLabel } from "../views/parts.tsx";
import { AnswerView } from "./answer-view.tsx";
import { drawnOf, VIEW_OF } from "./answer-views.ts";

/** Line that names the tool of the lines that follow, such as `get_odds AAPL:`. */
const LABEL = /^[a-z]+(?:_[a-z]+)+(?: \S+)?:$/;

type Result = Output<"interpret_query">["results"][number];

/** Shows the answer to a question, which tools it is from, and the pages that draw it. */
export default function Answer({
  question,
  leave,
}: {
  readonly question: string;
  /** Closes the search and opens a page. */
  readonly leave: (href: string) => void;
}) {
  const { data, error } = useQuery({
    queryKey: ["interpret", question],
    queryFn: () => call("interpret_query", { query: question }),
  });
  if (error !== null)
    return (
      <div className="answer">
        <Failure error={error} />
      </div>
    );
  if (data === undefined)
    return (
      <div className="answer" role="status" aria-label="Answering">
        <Skeleton height={14} mb={8} />
        <Skeleton height={14} mb={8} />
        <Skeleton height={14} width="60%" />
      </div>
    );
  const [first = "", ...rest] = data.answer.split("\n");
  // a first line that only names a tool is no headline
  const [headline, lines] = LABEL.test(first) ? ["", [first, ...rest]] : [first, rest];
  const { drawn, isAll } = drawnOf(data.results);
  const words = lines.length > 0 && (
    <pre className={data.intent === "scan" ? "answer-text table" : "answer-text"}>{lines.join("\n")}</pre>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="answer" aria-label="Answer" tabIndex={0}>
      <p className={headline === "" ? "hidden" : "answer-headline"} role="status">
        {headline || "Answered"}
      </p>
      <p className="answer-links">
        {linksOf(data).map(({ href, name }) => (
          <Anchor
            key={href}
            href={href}
            onClick={(event) => {
              event.preventDefault();
              leave(href);
            }}
          >
            {name}
          </Anchor>
        ))}
      </p>
      <Boundary fallback={isAll && words}>
        {drawn.map((result) => (
          <AnswerView key={result.name} {...result} />
        ))}
      </Boundary>
      {isAll && words !== false ? (
        <details className="answer-words">
          <summary>In words</summary>
          {words}
        </details>
      ) : (
        words
      )}
      {data.notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
      <div className="answer-source">
        <MarketLabel source={data.market} />
        <span className="muted">Answered by</span>
        {data.results.map((result) => (
          <code key={`${result.skill} ${result.symbol}`}>{calledAs(result, data.timeframe)}</code>
        ))}
        <CopyAs tool="interpret_query" input={{ query: question }} />
      </div>
    </section>
  );
}

/** Returns a call of a tool as text: its name and its input. */
function calledAs({ skill, symbol }: Result, timeframe: string | null): string {
  const input = { ...(symbol !== null && { symbol }), ...(timeframe !== null && { timeframe }) };
  return `${skill} ${JSON.stringify(input)}`;
}

/** Returns the pages that draw what was answered. */
function linksOf({ results, symbols, intent }: Output<"interpret_query">) {
  const named = new Set([...symbols, ...results.flatMap(({ symbol }) => symbol ?? [])]);
  return [
    ...[...named].map((symbol) => ({
      href: `/symbol/${encodeURIComponent(symbol)}`,
      name: `Chart of ${symbol}`,
    })),
    ...(intent === "scan" ? [{ href: "/screener", name: "Open the screener" }] : []),
    ...(results.some(({ skill }) => VIEW_OF[skill] === "dial") ? [{ href: "/", name: "Open Today" }] : []),
  ];
}
