import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const ALL = "test/**/*.test.ts";
const PROOFS = "test/proofs/**/*.test.ts";
/** Count the timers or streams of their process, so each has a process of its own. */
const ISOLATED = [
  "test/proofs/streams.test.ts",
  "test/transports/http/event-stream.test.ts",
  "test/transports/mcp/{http,sse,sse-stream}.test.ts",
  "test/transports/rest/{quote-stream,stream}.test.ts",
];
/** Sockets, processes and files, by the name of the file or by the folder of the code that is tested. */
const INTEGRATION = [
  "test/**/*.integration.test.ts",
  "test/*.test.ts",
  "test/{app,dashboard,docs,live,providers,replay,store,transports}/**/*.test.ts",
];
/** Measures how long a server takes, so no other test runs beside it. */
const ALONE = ["test/proofs/fairness.test.ts"];
/** Runs client libraries that are installed apart from the product: `npm ci --prefix test/clients`. */
const CLIENTS = ["test/docs/clients.test.ts", "test/docs/sign-in-clients.test.ts"];
const LIBRARIES = "test/clients/node_modules/**";

/**
 * Files in the order in which they run before the others of their project, because they take longest. With the unit
 * tests: checks of the whole product that belong to every change, who may call what and one answer over every transport;
 * between them small ones, while the modules of the first are transformed. Of the proofs, which come last: those after
 * which a worker would have nothing left to do beside another.
 */
const FIRST = [
  /\/test\/contract\/access/,
  /\/test\/lib\//,
  /\/test\/contract\//,
  /\/test\/proofs\/(caches|fuzz|clock|storage|secrets|direct|supervisor)\.test\.ts$/,
];
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      const placeOf = ({ moduleId }: TestSpecification) =>
        [...FIRST, /./].findIndex((pattern) => pattern.test(moduleId));
      return own.sort((a, b) => placeOf(a) - placeOf(b));
    });
  }
}

// names the databases of this run
process.env.TEST_RUN ??= String(process.pid);
// moved, so that servers and commands that tests run do not use it: each gets its own database on that server
if (process.env.TEST_DATABASE_URL === undefined) {
  process.env.TEST_DATABASE_URL = process.env.DATABASE_URL ?? "";
  delete process.env.DATABASE_URL;
  if (process.env.TEST_DATABASE_URL === "")
    console.log("DATABASE_URL is unset: the tests run on SQLite, and those of PostgreSQL are skipped.");
}

export default defineConfig({
  test: {
    globalSetup: ["test/support/fresh-model.ts", "test/support/drop-databases.ts"],
    setupFiles: ["test/support/seed.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // allows for a busy machine: no test measures time
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
    sequence: { sequencer: Sequencer },
    // no module holds state, so that the files of a project share two workers and their imports
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [ALL],
          exclude: [...INTEGRATION, PROOFS, ...CLIENTS, LIBRARIES],
          setupFiles: ["test/support/seed.ts", "test/support/no-io.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: INTEGRATION,
          exclude: [...ISOLATED, ...CLIENTS, LIBRARIES],
        },
      },
      {
        extends: true,
        test: { name: "proofs", include: [PROOFS], exclude: [...ISOLATED, ...ALONE] },
      },
      { extends: true, test: { name: "clients", include: CLIENTS } },
      { extends: true, test: { name: "isolated", include: ISOLATED, isolate: true } },
      { extends: true, test: { name: "alone", include: ALONE, sequence: { groupOrder: 1 } } },
    ],
  },
});
