import {
  RATIO_DEFINITIONS,
  STATEMENT_LINES,
  type Statement,
  type StatementName,
} from "../../domain/company/facts.ts";
import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import { formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { CompanyView } from "./company-facts.ts";

const MAX_TEXT_LENGTH = 100;
const STATEMENTS = Object.keys(STATEMENT_LINES) as StatementName[];

/** Formats the statements as a table with a column per period, and the ratios with their definitions. */
export function formatCompany(view: CompanyView & { readonly symbol: string }, paint: Paint): string {
  const { symbol, coverage, profile, statements, filings, ratios, price, provenance } = view;
  if (coverage.status !== "covered" || profile === null) return `${paint("bold", symbol)} ${coverage.reason}`;
  const industry = profile.industry === null ? "" : `, ${quoted(profile.industry, MAX_TEXT_LENGTH)}`;
  return [
    `${paint("bold", symbol)} ${quoted(profile.name, MAX_TEXT_LENGTH)}${industry}${profile.cik === null ? "" : `, CIK ${profile.cik}`}`,
    paint("dim", QUOTED_TEXT_NOTICE),
    ...(statements.length === 0 ? [] : statementTable(statements, paint)),
    paint("bold", `ratios of the quarter to ${view.ratios_of ?? "none"}`),
    paint(
      "dim",
      price === null
        ? `no price: ${view.price_reason}`
        : `close ${price.close} of ${price.closed_at}, ${price.source}`,
    ),
    ...ratios.map(
      ({ name, value, reason }) =>
        `  ${inWords(name).padEnd(22)} ${value ?? `- (${reason})`}  ${paint("dim", RATIO_DEFINITIONS[name])}`,
    ),
    ...filings.map(({ form, filed, accession }) => paint("dim", `${form} filed ${filed}, ${accession}`)),
    ...(provenance === null ? [] : [paint("dim", `from ${provenance.provider}, ${provenance.fetched_at}`)]),
    ...view.notes.map((note) => paint("yellow", note)),
  ].join("\n");
}

const inWords = (name: string): string => name.replaceAll("_", " ");

function statementTable(statements: readonly Statement[], paint: Paint): readonly string[] {
  const cellOf = (statement: Statement, name: StatementName, line: string): string => {
    const found = statement[name].find((row) => row.line === line);
    return found === undefined ? "-" : `${found.value.toLocaleString("en-US")}${found.derived ? "*" : ""}`;
  };
  const rows = STATEMENTS.flatMap((name) => STATEMENT_LINES[name].map((line) => ({ name, line })));
  return formatTable(
    rows,
    [
      { head: "to", cell: ({ line }) => inWords(line) },
      ...statements.map((statement, rank) => ({
        head: statement.end,
        cell: ({ name, line }: (typeof rows)[number]) => cellOf(statement, name, line),
        rank,
      })),
    ],
    paint,
  );
}
