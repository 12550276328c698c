import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import type { Dependencies, Operation } from "../../src/domain/operation-port.ts";
import { createMetrics } from "../../src/transports/http/metrics.ts";

const fileOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const rules = fileOf("deploy/alerts.yaml");
const failures = fileOf("docs/failures.md");
const board = JSON.parse(fileOf("deploy/grafana-dashboard.json")) as {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
};

const operation: Operation = {
  dependencies: async (): Promise<Dependencies> => ({
    storage: null,
    database: null,
    disk_free_bytes: null,
    compute: { paused_s: null, refused_for_memory: 0, waiting: 0 },
    providers: [],
  }),
  queues: async () => [],
  jobs: async () => [],
  isLeader: () => true,
  isAuditIntact: () => null,
};

const metricsIn = (text: string): readonly string[] => text.match(/\bmarket_signal_\w+/g) ?? [];
const valuesOf = (field: string): readonly string[] =>
  [...rules.matchAll(new RegExp(`\\b${field}: ([\\w-]+)`, "g"))].map(([, value]) => value!);

let served: ReadonlySet<string>;
beforeAll(async () => {
  const clock = { now: () => new Date() };
  const { text } = await createMetrics({ streams: { clock }, operation }).read();
  served = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name, type]) =>
      type === "histogram" ? ["bucket", "sum", "count"].map((part) => `${name}_${part}`) : [name!],
    ),
  );
});

it("alert rules name only metrics that /metrics has", () => {
  const named = metricsIn(rules);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !served.has(name))).toEqual([]);
});

it("every query of the Grafana dashboard names a metric, and only those that /metrics has", () => {
  const queries = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(queries.filter((query) => metricsIn(query).length === 0)).toEqual([]);
  expect(queries.flatMap(metricsIn).filter((name) => !served.has(name))).toEqual([]);
});

it("docs/failures.md has a section for each alert, which names it, and no alert that does not exist", () => {
  const alerts = valuesOf("alert");
  const sections = new Map(
    failures
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.split("\n", 1)[0]!.toLowerCase().replaceAll(" ", "-"), section] as const),
  );
  const targets = valuesOf("failure");
  expect(targets).toHaveLength(alerts.length);
  const unnamed = alerts.filter((name, at) => !sections.get(targets[at]!)?.includes(`\`${name}\``));
  expect(unnamed).toEqual([]);
  const promised = [...failures.matchAll(/^- \*\*Alert:\*\* .*$/gm)].flatMap(
    ([line]) => line.match(/`[A-Z]\w+`/g) ?? [],
  );
  expect(promised.filter((name) => !alerts.includes(name.slice(1, -1)))).toEqual([]);
});

it("docs/failures.md names only metrics that /metrics has", () => {
  expect(metricsIn(failures).filter((name) => !served.has(name))).toEqual([]);
});
