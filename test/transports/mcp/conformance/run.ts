import { readFileSync, writeFileSync } from "node:fs";
import { AUTHORIZATION_SCENARIOS, judgeAuthorization } from "./authorization.ts";
import { labelOf, readExpectations } from "./expectations.ts";
import { keyed } from "./keyed.ts";
import { type Finding, faultsOf, find, pageOf } from "./report.ts";
import { REVISIONS, runSuite } from "./suite.ts";

const PAGE = new URL("../../../../docs/results/conformance.md", import.meta.url);
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** `run.ts <origin> <key> <link of the owner> [--write]`: runs both requirement sets and the authorization scenarios, then creates the page. */
const [origin, key, link, write] = process.argv.slice(2);
if (origin === undefined || key === undefined || link === undefined)
  throw new Error("Give the origin of the product, a key and the link of the owner");

// preview_trade, which asks what an ambiguous symbol means, needs an account to preview for
const connected = await fetch(`${origin}/api/broker/connect-broker`, {
  method: "POST",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify({
    broker: "paper",
    account_type: "paper",
    credentials: { api_key: "any", api_secret: "any" },
  }),
});
if (!connected.ok) throw new Error(`No paper account: ${await connected.text()}`);

const expectations = readExpectations();
const findings: Finding[] = [];
const proxy = await keyed(origin, key);
try {
  for (const revision of REVISIONS) {
    const run = await runSuite(`${proxy.url}/api/mcp?toolsets=all`, revision);
    const finding = find(revision, run, expectations);
    findings.push(finding);
    const { passed, expected, hollow, wrong } = finding.verdict;
    say(
      `${revision}: ${finding.scenarios.length} scenarios, ${passed.length} passed, ${expected.length} failed as expected, ${hollow.length} hollow, ${wrong.length} wrong`,
    );
  }
} finally {
  proxy.close();
}

const authorization = await judgeAuthorization(origin, link);
for (const { revision, passed, failed } of authorization)
  say(`authorization, ${revision}: ${passed.length} passed, ${failed.length} failed`);

say("\nexpected:");
for (const one of expectations) say(`  ${labelOf(one)} # ${one.why}`);
const faults = [
  ...faultsOf(findings, expectations),
  ...authorization.flatMap(({ revision, passed, failed }) =>
    passed.length + failed.length < AUTHORIZATION_SCENARIOS
      ? [`authorization, ${revision}: only ${passed.length + failed.length} scenarios ran`]
      : failed.map((name) => `authorization, ${revision}: ${name} fails`),
  ),
];
for (const fault of faults) say(`WRONG: ${fault}`);
const page = pageOf(findings, expectations, authorization);
if (faults.length > 0) process.exitCode = 1;
else if (write === "--write") writeFileSync(PAGE, page);
else if (readFileSync(PAGE, "utf8") !== page) {
  say(
    "WRONG: docs/results/conformance.md says something else; `bash .ci/conformance --write` writes it anew",
  );
  process.exitCode = 1;
}
