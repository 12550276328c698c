import { type Expectation, labelOf } from "./expectations.ts";

/** The suite's result of one check. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** Results of one server for one requirement set. */
export interface Verdict {
  readonly passed: readonly string[];
  /** Scenarios that failed as expected, in whole or in part. */
  readonly expected: readonly string[];
  readonly hollow: readonly string[];
  /** Differences from the expectations, as text. */
  readonly wrong: readonly string[];
  /** Expectations that were met. */
  readonly met: readonly Expectation[];
}

/**
 * Check of every message against the wire schema; it comes with each scenario and does not test the scenario's subject.
 */
const BESIDE = "wire-schema-valid";

/** Warnings count as failures, as in the suite's own handling of expected failures. */
export const isBad = ({ status }: Check): boolean => status === "FAILURE" || status === "WARNING";

/** True if the subject of a scenario was tested and no check failed. */
export const passes = (checks: readonly Check[]): boolean =>
  !checks.some(isBad) && checks.some(({ id, status }) => status === "SUCCESS" && id !== BESIDE);

/** Compares results with expectations: an unexpected failure is wrong, and so is an expected failure that passes. */
export function judge(
  scenarios: readonly string[],
  results: ReadonlyMap<string, readonly Check[]>,
  expectations: readonly Expectation[],
): Verdict {
  const verdict = {
    passed: [] as string[],
    expected: [] as string[],
    hollow: [] as string[],
    wrong: [] as string[],
    met: [] as Expectation[],
  };
  for (const scenario of scenarios) {
    const checks = results.get(scenario) ?? [];
    const bad = checks.filter(isBad);
    const own = expectations.filter((one) => one.scenario === scenario);
    const whole = own.find(({ check }) => check === null);
    if (whole !== undefined) {
      const right = whole.hollow ? passes(checks) : bad.length > 0;
      if (!right) verdict.wrong.push(`${scenario} ${whole.hollow ? "fails" : "passes"} against expectation`);
      else {
        verdict.met.push(whole);
        verdict[whole.hollow ? "hollow" : "expected"].push(scenario);
      }
      continue;
    }
    const known = own.filter(({ check }) => bad.some(({ id }) => id === check));
    const strange = bad.filter(({ id }) => !known.some(({ check }) => check === id));
    const stale = own.filter(
      (one) =>
        !known.includes(one) && checks.some(({ id, status }) => id === one.check && status === "SUCCESS"),
    );
    verdict.met.push(...known);
    verdict.wrong.push(
      ...strange.map(
        ({ id, errorMessage }) => `${scenario}:${id} fails: ${errorMessage ?? "without a reason"}`,
      ),
      ...stale.map((one) => `${labelOf(one)} passes against expectation`),
    );
    if (strange.length > 0 || stale.length > 0) continue;
    if (known.length > 0) verdict.expected.push(scenario);
    else if (passes(checks)) verdict.passed.push(scenario);
    else verdict.wrong.push(`${scenario} shows nothing`);
  }
  return verdict;
}
