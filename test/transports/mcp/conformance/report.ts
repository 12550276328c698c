import { type Expectation, labelOf, type Served } from "./expectations.ts";
import { type Check, isBad, judge, passes, type Verdict } from "./judge.ts";
import { type Revision, type Run, SUITE } from "./suite.ts";

/** Result of one server for one requirement set. */
export interface Finding {
  readonly served: Served;
  readonly revision: Revision;
  readonly scenarios: readonly string[];
  readonly verdict: Verdict;
  readonly run: Run;
}

/** Scenarios that call the suite's own tools, prompts or resources, which the product does not have. */
const NEEDS_FIXTURES =
  /^(tools-call-|elicitation-|prompts-get-|resources-(?!list)|input-required-result-(?!unsupported-methods$))/;

/** Judges a run: the product by the scenarios without fixtures, the test server by all. */
export function find(
  served: Served,
  revision: Revision,
  run: Run,
  expectations: readonly Expectation[],
): Finding {
  const scenarios = run.scored.filter((name) => served === "fixture" || !NEEDS_FIXTURES.test(name));
  return { served, revision, scenarios, run, verdict: judge(scenarios, run.results, expectations) };
}

/** Faults of all findings: differences from the expectations, and expectations that were never met. */
export function faultsOf(
  findings: readonly Finding[],
  expectations: Readonly<Record<Served, readonly Expectation[]>>,
): readonly string[] {
  const wrong = findings.flatMap(({ served, revision, verdict }) =>
    verdict.wrong.map((text) => `${served}, ${revision}: ${text}`),
  );
  const unmet = (["product", "fixture"] as const).flatMap((served) => {
    const met = findings.filter((one) => one.served === served).flatMap(({ verdict }) => verdict.met);
    return expectations[served]
      .filter((one) => !met.includes(one))
      .map((one) => `${served}: ${labelOf(one)} is expected to fail and was not met`);
  });
  return [...wrong, ...unmet];
}

const NAMES = { product: "the product", fixture: "the test server" } as const satisfies Record<
  Served,
  string
>;

/** The published page of results and reasons. */
export function pageOf(
  findings: readonly Finding[],
  expectations: Readonly<Record<Served, readonly Expectation[]>>,
): string {
  const figures = findings.map(({ served, revision, scenarios, verdict }) => [
    NAMES[served],
    revision,
    scenarios.length,
    verdict.passed.length,
    verdict.expected.length,
    verdict.hollow.length,
  ]);
  const reasons = (served: Served) =>
    expectations[served].map((one) => [`\`${labelOf(one)}\`${one.hollow ? " (hollow)" : ""}`, one.why]);
  return `# MCP conformance

Written by \`bash .ci/conformance --write\`; \`bash .ci/conformance\` fails when a run says anything else.

The suite is \`${SUITE}\`. A requirement set is what it holds a revision of the
protocol to require, run as that revision speaks. Two servers are held against each:

- **the product**: \`market-signal serve\` on simulated prices with a key of the "pro" plan, by the scenarios that need
  nothing of the suite's own;
- **the test server**: the same transports over tools with the names that the suite calls, by all scenarios. It offers only
  what a tool of this server can return.

A scenario passes when all its checks do; a warning counts as a failure. An expected failure that passes breaks the run.
A hollow scenario passes without exercising its subject, and is not counted as passed.

In addition, \`bash .ci/inspect\` lists and calls tools of the product with the MCP Inspector over HTTP and stdio.

${table(["Server", "Requirement set", "Scenarios", "Passed", "Expected failures", "Hollow"], figures)}

## Expected failures of the product

${table(["Scenario, or one check of it", "Why"], reasons("product"))}

## Expected failures of the test server

${table(["Scenario, or one check of it", "Why"], reasons("fixture"))}

## Run but not counted

The suite also runs these without counting them: optional extensions, additions after the release of the set, and what
its own reference server cannot pass yet. The tasks extension is not offered; \`json-schema-2020-12\`
and \`http-custom-header-server-validation\` require tools that this server cannot offer.

${table(["Scenario", "Requirement set", "Why it does not count", "The product", "The test server"], besides(findings))}
`;
}

function besides(findings: readonly Finding[]): readonly (readonly string[])[] {
  return findings
    .filter(({ served }) => served === "product")
    .flatMap(({ revision, run }) => {
      const other = findings.find((one) => one.served === "fixture" && one.revision === revision);
      return [...run.unscored].map(([name, why]) => [
        `\`${name}\``,
        revision,
        why,
        outcome(run.results.get(name)),
        outcome(other?.run.results.get(name)),
      ]);
    });
}

function outcome(checks: readonly Check[] = []): string {
  if (passes(checks)) return "passes";
  if (checks.some(({ status }) => status === "FAILURE")) return "fails";
  return checks.some(isBad) ? "warns" : "has nothing to test";
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
