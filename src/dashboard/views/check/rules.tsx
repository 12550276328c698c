import { plainName } from "../format.ts";
import type { RuleRow } from "./check-model.ts";

const STATES = {
  passed: ["✓", "passed", "up"],
  failed: ["✗", "failed", "down"],
  unknown: ["?", "unknown", "warn"],
} as const;

/** The place of rules beside what else a check says; above it if all of them are folded. */
export const rulesLayout = (rules: readonly RuleRow[]): string =>
  rules.some(({ state }) => state !== "passed") ? "columns" : "";

/** Each rule with its value and limit, and what would pass; those that passed are folded. */
export function Rules({ rules }: { readonly rules: readonly RuleRow[] }) {
  const open = rules.filter(({ state }) => state !== "passed");
  const passed = rules.filter(({ state }) => state === "passed");
  const hasValues = passed.some(({ value }) => value !== null);
  return (
    <section>
      <h3 className="num">
        Rules: {rules.filter(({ state }) => state === "failed").length} failed,{" "}
        {rules.filter(({ state }) => state === "unknown").length} unknown
        {passed.length > 0 && `, ${passed.length} passed`}
      </h3>
      {open.length > 0 && (
        <ul className="rule-list">
          {open.map((row) => (
            <Rule key={row.rule} row={row} />
          ))}
        </ul>
      )}
      {passed.length > 0 && (
        <details className="data">
          <summary>{passed.length} rules passed</summary>
          {hasValues ? (
            <ul className="rule-list">
              {passed.map((row) => (
                <Rule key={row.rule} row={row} />
              ))}
            </ul>
          ) : (
            <p className="note">{passed.map(({ rule }) => plainName(rule)).join(", ")}</p>
          )}
        </details>
      )}
    </section>
  );
}

function Rule({ row: { rule, state, level, value, limit, passes, why } }: { readonly row: RuleRow }) {
  const [sign, word, tone] = STATES[state];
  return (
    <li className="num">
      <span className={`sign ${state === "failed" && level !== "stop" ? "warn" : tone}`} aria-hidden="true">
        {sign}
      </span>
      <span>
        <b>{plainName(rule)}</b>{" "}
        <span className="muted">{state === "failed" ? `${word}, ${level}` : word}</span>
        {value !== null && (
          <span className="figure-line">
            {value} <span className="muted">limit</span> {limit}
          </span>
        )}
        {passes !== null && (
          <span className="figure-line">
            <span className="muted">would pass:</span> <b className="passes">{passes}</b>
          </span>
        )}
        {why !== null && <small className="muted">{why}</small>}
      </span>
    </li>
  );
}
