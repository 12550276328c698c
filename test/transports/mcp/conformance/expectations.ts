import { readFileSync } from "node:fs";

/** A scenario, or one check of it, that is expected to fail, with the reason. */
export interface Expectation {
  readonly scenario: string;
  /** Null means the whole scenario. */
  readonly check: string | null;
  readonly why: string;
  /** True if the scenario passes without testing its subject. */
  readonly hollow: boolean;
}

/** The expectations of the product. */
export const readExpectations = (): readonly Expectation[] =>
  parseExpectations(readFileSync(new URL("expected-failures.yaml", import.meta.url), "utf8"));

/**
 * Parses the suite's format of expected failures, restricted to one commented entry per line, with a second list
 * `hollow`. Throws on any other line, on an entry without a reason and on duplicates.
 */
export function parseExpectations(yaml: string): readonly Expectation[] {
  const found: Expectation[] = [];
  let list = "";
  for (const line of yaml.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, name] = /^(server|hollow):$/.exec(line) ?? [];
    if (name !== undefined) {
      list = name;
      continue;
    }
    const [, scenario, check = null, why] =
      /^ {2}- ([a-z0-9-]+)(?::([a-z0-9-]+))? # (\S.*)$/.exec(line) ?? [];
    if (list === "" || scenario === undefined || why === undefined)
      throw new Error(`Not an expectation with a reason: ${line}`);
    if (found.some((one) => one.scenario === scenario && (one.check === check || !one.check || !check)))
      throw new Error(`Expected twice: ${line}`);
    found.push({ scenario, check, why, hollow: list === "hollow" });
  }
  return found;
}

/** Text form of an expectation: `scenario` or `scenario:check`. */
export const labelOf = ({ scenario, check }: Expectation): string =>
  check === null ? scenario : `${scenario}:${check}`;
