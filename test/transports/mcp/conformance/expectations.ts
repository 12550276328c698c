import { readFileSync } from "node:fs";

/** One scenario, or one check of it, that is not expected to pass, and why. */
export interface Expectation {
  readonly scenario: string;
  /** null: the whole scenario. */
  readonly check: string | null;
  readonly why: string;
  /** It passes, but without having met what it is about. */
  readonly hollow: boolean;
}

export type Served = "product" | "fixture";

/** The expectations of one of the two servers. */
export const expectationsOf = (served: Served): readonly Expectation[] =>
  parseExpectations(readFileSync(new URL(`expected-${served}.yaml`, import.meta.url), "utf8"));

/**
 * Reads the suite's own format of expected failures, narrowed to one commented entry a line, with a second list
 * `hollow`. Throws on any other line, on an entry without a reason and on one that is there twice.
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

/** How an expectation is written: `scenario` or `scenario:check`. */
export const labelOf = ({ scenario, check }: Expectation): string =>
  check === null ? scenario : `${scenario}:${check}`;
