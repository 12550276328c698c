import { readdirSync } from "node:fs";

/** `npm run bench` prints the table of all figures; `npm run bench -- <name>` runs bench/<name>.ts. */
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .map((file) => file.slice(0, -3));

const name = process.argv[2] ?? "table";
if (names.includes(name)) {
  const bench: { run(): void | Promise<void> } = await import(`./${name}.ts`);
  await bench.run();
} else {
  console.log(`npm run bench -- <name>, where <name> is one of: ${names.join(", ")}`);
  process.exitCode = 1;
}
