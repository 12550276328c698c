import type { AuthorizationFinding } from "./authorization.ts";
import { type Expectation, labelOf } from "./expectations.ts";
import { type Check, isBad, judge, passes, type Verdict } from "./judge.ts";
import { type Revision, type Run, SUITE } from "./suite.ts";

/** Result of one requirement set. */
export interface Finding {
  readonly revision: Revision;
  readonly scenarios: readonly string[];
  readonly verdict: Verdict;
  readonly run: Run;
}

/** Judges a run by all scenarios of its requirement set. */
export const find = (revision: Revision, run: Run, expectations: readonly Expectation[]): Finding => ({
  revision,
  scenarios: run.scored,
  run,
  verdict: judge(run.scored, run.results, expectations),
});

/** Faults of all findings: differences from the expectations, and expectations that were never met. */
export function faultsOf(
  findings: readonly Finding[],
  expectations: readonly Expectation[],
): readonly string[] {
  const wrong = findings.flatMap(({ revision, verdict }) =>
    verdict.wrong.map((text) => `${revision}: ${text}`),
  );
  const met = findings.flatMap(({ verdict }) => verdict.met);
  const unmet = expectations
    .filter((one) => !met.includes(one))
    .map((one) => `${labelOf(one)} is expected to fail and was not met`);
  return [...wrong, ...unmet];
}

/** The published page of results and reasons. */
export function pageOf(
  findings: readonly Finding[],
  expectations: readonly Expectation[],
  authorization: readonly AuthorizationFinding[],
): string {
  const figures = findings.map(({ revision, scenarios, verdict }) => [
    revision,
    scenarios.length,
    verdict.passed.length,
    verdict.expected.length,
    verdict.hollow.length,
  ]);
  const reasons = expectations.map((one) => [`\`${labelOf(one)}\`${one.hollow ? " (hollow)" : ""}`, one.why]);
  return `# MCP conformance

Written by \`bash .ci/conformance --write\`; \`bash .ci/conformance\` fails when a run says anything else.

The suite is \`${SUITE}\`. A requirement set is what it holds a revision of the
protocol to require, run as that revision speaks. Every scenario of both sets runs against the built product:
\`market-signal serve\` on simulated prices with a key of the "pro" plan and a paper account.

The suite calls tools, prompts and resources by names of its own, such as \`test_simple_text\`. A proxy translates these
names, their arguments and the answers of the suite's user to those of the product, such as \`get_quote\` of AAPL
(\`test/transports/mcp/conformance/translate.ts\`). It adds the key and changes nothing else.

A scenario passes when all its checks do; a warning counts as a failure. An expected failure that passes breaks the run.
A hollow scenario passes without exercising its subject, and is not counted as passed.

In addition, \`bash .ci/inspect\` lists and calls tools of the product with the MCP Inspector over HTTP and stdio.

${table(["Requirement set", "Scenarios", "Passed", "Expected failures", "Hollow"], figures)}

## Authorization

The suite signs in as a public client (with a secret it picks \`none\` itself), and a driver allows what it asks for as the
browser of the owner. A failure breaks the run.

${table(
  ["Revision", "Passed", "Failed"],
  authorization.map(({ revision, passed, failed }) => [
    revision,
    passed.join(", "),
    failed.join(", ") || "none",
  ]),
)}

## Expected failures

${table(["Scenario, or one check of it", "Why"], reasons)}

## Run but not counted

The suite also runs these without counting them: optional extensions, additions after the release of the set, and what
its own reference server cannot pass yet. The tasks extension is not offered; \`json-schema-2020-12\`
and \`http-custom-header-server-validation\` require tools that this server cannot offer.

${table(["Scenario", "Requirement set", "Why it does not count", "Result"], unscoredRows(findings))}
`;
}

const unscoredRows = (findings: readonly Finding[]): readonly (readonly string[])[] =>
  findings.flatMap(({ revision, run }) =>
    [...run.unscored].map(([name, why]) => [`\`${name}\``, revision, why, outcome(run.results.get(name))]),
  );

function outcome(checks: readonly Check[] = []): string {
  if (passes(checks)) return "passes";
  if (checks.some(({ status }) => status === "FAILURE")) return "fails";
  return checks.some(isBad) ? "warns" : "has nothing to test";
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
