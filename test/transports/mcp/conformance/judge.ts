import { type Expectation, labelOf } from "./expectations.ts";

/** What the suite says of one check. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** What one server made of one requirement set. */
export interface Verdict {
  readonly passed: readonly string[];
  /** Scenarios that failed as expected, in whole or in part. */
  readonly expected: readonly string[];
  readonly hollow: readonly string[];
  /** What went wrong against expectation, in words. */
  readonly wrong: readonly string[];
  /** The expectations that came true. */
  readonly met: readonly Expectation[];
}

/** The check that every answer on the wire fits the schema comes with each scenario and says nothing of its subject. */
const BESIDE = "wire-schema-valid";

/** A warning is a failure here, as it is in the suite's own reading of expected failures. */
export const isBad = ({ status }: Check): boolean => status === "FAILURE" || status === "WARNING";

/** Whether the subject of a scenario was met and nothing of it failed. */
export const passes = (checks: readonly Check[]): boolean =>
  !checks.some(isBad) && checks.some(({ id, status }) => status === "SUCCESS" && id !== BESIDE);

/** Holds results against expectations: a failure nobody expects is wrong, and so is an expected one that passes. */
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
