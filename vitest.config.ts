import { defineConfig } from "vitest/config";

/** They stand on how soon a source answers, which a busy machine may make too late: what fails is tried again. */
const LIVE = "test/live/**/*.test.ts";
/** It counts what its process holds. */
const ALONE = "test/proofs/streams.test.ts";

export default defineConfig({
  test: {
    setupFiles: ["test/support/seed.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // a busy machine is waited for: nothing here measures time
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
    // no module keeps a memory, so that files share a worker and read the sources once
    isolate: false,
    projects: [
      { extends: true, test: { name: "live", include: [LIVE], retry: 2 } },
      { extends: true, test: { name: "still", include: ["test/**/*.test.ts"], exclude: [LIVE, ALONE] } },
      { extends: true, test: { name: "alone", include: [ALONE], isolate: true } },
    ],
  },
});
