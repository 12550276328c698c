// Prints the failed tests of a JSON report with the beginning of their messages, so that the end of a log says what broke.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const MESSAGE_LINES = 12;

const { testResults } = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const file of testResults) {
  const path = relative(process.cwd(), file.name);
  const failed = file.assertionResults.filter((test) => test.status === "failed");
  for (const test of failed) print(`${path}: ${test.fullName}`, test.failureMessages.join("\n"));
  if (file.status === "failed" && failed.length === 0) print(path, file.message);
}

function print(title, message) {
  console.log(`  ${title}`);
  const lines = message.split("\n").filter((line) => !line.includes("/node_modules/"));
  for (const line of lines.slice(0, MESSAGE_LINES)) console.log(`    ${line}`);
}
