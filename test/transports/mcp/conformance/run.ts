import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install } from "../../../support/installation.ts";
import { expectationsOf, type Served } from "./expectations.ts";
import { FIXTURE_TOOLS } from "./fixture-tools.ts";
import { keyed } from "./keyed.ts";
import { type Finding, faultsOf, find, pageOf } from "./report.ts";
import { REVISIONS, runSuite } from "./suite.ts";

const PAGE = new URL("../../../../docs/results/conformance.md", import.meta.url);
const say = (text: string) => void process.stdout.write(`${text}\n`);

/**
 * `run.ts <origin of the product> <key> [--write]`: tests both servers against both requirement sets, then creates the
 * page.
 */
const [origin, key, write] = process.argv.slice(2);
if (origin === undefined || key === undefined) throw new Error("Give the origin of the product and a key");

const dir = mkdtempSync(join(tmpdir(), "market-signal-conformance-"));
const installation = await install(dir, "sample", {}, { tools: FIXTURE_TOOLS });
const proxies = {
  product: await keyed(origin, key),
  fixture: await keyed(installation.url, (await installation.key("pro")).key),
} as const satisfies Record<Served, unknown>;
const expectations = { product: expectationsOf("product"), fixture: expectationsOf("fixture") };
const findings: Finding[] = [];
try {
  for (const served of ["product", "fixture"] as const)
    for (const revision of REVISIONS) {
      const run = await runSuite(`${proxies[served].url}/api/mcp`, revision);
      const finding = find(served, revision, run, expectations[served]);
      findings.push(finding);
      const { passed, expected, hollow, wrong } = finding.verdict;
      say(
        `${served}, ${revision}: ${finding.scenarios.length} scenarios, ${passed.length} passed, ${expected.length} failed as expected, ${hollow.length} hollow, ${wrong.length} wrong`,
      );
    }
} finally {
  for (const proxy of Object.values(proxies)) proxy.close();
  await installation.stop();
  rmSync(dir, { recursive: true, force: true });
}

for (const served of ["product", "fixture"] as const) {
  say(`\nexpected of the ${served}:`);
  for (const { scenario, check, why } of expectations[served])
    say(`  ${scenario}${check === null ? "" : `:${check}`} # ${why}`);
}
const faults = faultsOf(findings, expectations);
for (const fault of faults) say(`WRONG: ${fault}`);
const page = pageOf(findings, expectations);
if (faults.length > 0) process.exitCode = 1;
else if (write === "--write") writeFileSync(PAGE, page);
else if (readFileSync(PAGE, "utf8") !== page) {
  say(
    "WRONG: docs/results/conformance.md says something else; `bash .ci/conformance --write` writes it anew",
  );
  process.exitCode = 1;
}
