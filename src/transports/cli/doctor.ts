import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import type { ProviderReport } from "../../domain/ports.ts";
import { asToolError } from "../../kernel/errors.ts";
import { SetupError } from "../../lib/setup-error.ts";
import type { Check, CliHost, FileInventory, LiveProviders, OpenedInstallation } from "./host.ts";

/** Whether real services are asked for what they promise, and where their answers are written down. */
export interface LiveCheckOptions {
  readonly record: string | null;
}

/**
 * Opens the installation and looks at what it rests on, every series of files and every source of prices: what works,
 * what was noticed, what fails. With `live` each source is asked for what it promises.
 */
export async function checkInstallation(
  host: CliHost,
  live: LiveCheckOptions | null = null,
): Promise<readonly Check[]> {
  const node: Check = { name: "node", state: "ok", detail: process.version };
  try {
    const changed = host.settings().filter(({ source }) => source === "environment");
    const settings = changed.map(({ name, value }) => `${name}=${value}`).join(" ") || "all defaults";
    const opened = await host.open();
    try {
      return [
        node,
        { name: "settings", state: "ok", detail: settings },
        ...unusedSettings(host),
        ...(await checkTape(host)),
        { name: "data folder", state: "ok", detail: "open, database intact" },
        ...(await checkMarket(opened)),
        { name: "tools", state: "ok", detail: `${opened.registry.tools.length} connected` },
        ...opened.registry.unavailable.map(
          ({ name, needs }): Check => ({
            name,
            state: "note",
            detail: `not connected: needs ${needs.join(", ")}`,
          }),
        ),
        ...(await checkProviders(opened, host, live)),
      ];
    } finally {
      await opened.close();
    }
  } catch (cause) {
    const detail = cause instanceof SetupError ? cause.message : asToolError(cause).message;
    return [node, { name: "installation", state: "fail", detail }];
  }
}

/** Settings that were made and that nothing reads. */
const unusedSettings = (host: CliHost): readonly Check[] =>
  host
    .settings()
    .filter(({ source, purpose }) => source === "environment" && purpose.startsWith("Not used"))
    .map(({ name, purpose }) => ({ name, state: "note", detail: purpose }));

/** A tape of one's own that is no file is told at once; whether its rows can be read `--live` tells. */
async function checkTape(host: CliHost): Promise<readonly Check[]> {
  const name = "OPTION_TAPE";
  const path = host.settings().find((setting) => setting.name === name)?.value ?? null;
  if (path === null) return [];
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  return isFile
    ? [{ name, state: "ok", detail: `a file is there: ${path}` }]
    : [{ name, state: "fail", detail: `names no file: ${path}` }];
}

async function checkMarket({ ports, files }: OpenedInstallation): Promise<readonly Check[]> {
  const { market, symbols, bars } = ports;
  const members = symbols.members();
  if (market.mode === "live")
    return [{ name: "market", state: "ok", detail: `live, ${members.length} symbols known` }];
  if (files === null) {
    const label = market.mode === "sample" ? `${SAMPLE_LABEL}, ` : "";
    return [{ name: "market", state: "ok", detail: `${label}${members.length} symbols` }];
  }
  const { series } = files();
  const unread: Check[] = [];
  for (const { symbol, timeframe } of series) {
    const member = members.find((one) => one.symbol === symbol);
    if (member === undefined) continue;
    await bars.history(member, { timeframe, limit: 1 }).catch((cause: unknown) => {
      const { code, message } = asToolError(cause);
      const state = code === "INTERNAL" ? "fail" : "note";
      unread.push({ name: `${symbol} ${timeframe}`, state, detail: `cannot be read: ${message}` });
    });
  }
  const { skipped, notes } = files();
  return [
    { name: "market", state: "ok", detail: `${members.length} symbols in ${series.length} series of files` },
    ...unread,
    ...groupSkipped(skipped),
    ...notes.map(({ file, note }): Check => ({ name: file, state: "note", detail: note })),
  ];
}

/** How each source is, then what two of them disagreed about, then what they were asked for. */
async function checkProviders(
  { ports, live }: OpenedInstallation,
  host: CliHost,
  asked: LiveCheckOptions | null,
): Promise<readonly Check[]> {
  if (live === null)
    return asked !== null
      ? [{ name: "live", state: "fail", detail: "only MARKET_DATA=live has sources to ask" }]
      : ports.market.mode !== "sample"
        ? []
        : [{ name: "sources", state: "ok", detail: NO_PROVIDERS, idle: true }];
  await ports.providerHealth.report();
  await sleep(PROVIDER_WAIT_MS, undefined, { signal: host.signal }).catch(() => undefined);
  const reports = new Map(ports.providerHealth.current().map((report) => [report.name, report]));
  const promises = asked === null ? null : await runLiveChecks(live, host, asked);
  const named = live.providers.map((source): Check => {
    const { name, title, gives, terms, state, setting, isPartlyConfigured, consent, replacementUrl } = source;
    const report = reports.get(name);
    const what = `${title}: ${gives}`;
    if (consent !== null)
      return { name, state: "ok", detail: `needs ${consent}. ${what}; ${terms}`, idle: true };
    if (state === "off") return { name, state: "ok", detail: `off. ${what}`, idle: true };
    if (isPartlyConfigured)
      return { name, state: "note", detail: `not asked, it needs ${setting} as well. ${what}` };
    if (state !== "on") return { name, state: "ok", detail: `needs ${setting}. ${what}`, idle: true };
    const place = replacementUrl === null ? "" : `, asked at ${replacementUrl}`;
    if (report === undefined) {
      const { told: how, ...mark } = describeOnDemandProvider(
        name,
        promises?.findings ?? null,
        replacementUrl,
      );
      return { name, ...mark, detail: `${how}. ${what}; ${terms}` };
    }
    const found = refusesKey(report) && setting !== null ? keyRefused(setting) : describeReport(report);
    return { name, state: found.state, detail: `${found.told}${place}. ${what}; ${terms}` };
  });
  const chains = [
    { name: "US prices", names: live.priceProviders.us },
    { name: "crypto prices", names: live.priceProviders.crypto },
  ].map(({ name, names }) => checkChain(name, names, reports));
  const known = new Set(live.providers.map(({ name }) => name));
  const further = [...reports.values()]
    .filter(({ name }) => !known.has(name.split(" ")[0]!))
    .map(
      (report): Check => ({
        name: report.name,
        state: describeReport(report).state,
        detail: describeReport(report).told,
      }),
    );
  const apart = (await live.disagreements(10)).map(
    ({ symbol, at, providers, prices, difference_percent, limit_percent }): Check => ({
      name: `${symbol}`,
      state: "note",
      detail: `${providers[0]} said ${prices[0]} and ${providers[1]} ${prices[1]} at ${at}: ${difference_percent}% apart, over ${limit_percent}%`,
    }),
  );
  return [...chains, ...named, ...further, ...apart, ...(promises?.checks ?? [])];
}

/** What the sources keep of what they promise, and where their answers were written down. */
async function runLiveChecks(
  live: LiveProviders,
  { folder, signal, err }: CliHost,
  asked: LiveCheckOptions,
): Promise<{ readonly checks: readonly Check[]; readonly findings: readonly Check[] }> {
  const record = asked.record === null ? null : resolve(folder ?? ".", asked.record);
  const { findings, written } = await live.check({
    record,
    signal,
    onProgress: (label) => err.write(`asking ${label}\n`),
  });
  const kept: Check = { name: "record", state: "ok", detail: `${written} answers written to ${record}` };
  return { checks: [...(record === null ? [] : [kept]), ...groupFindings(findings)], findings };
}

/** How a source is that tells no prices: not asked, or what came of it. */
function describeOnDemandProvider(
  name: string,
  findings: readonly Check[] | null,
  replacementUrl: string | null,
): Pick<Check, "state" | "idle"> & { readonly told: string } {
  const at = replacementUrl === null ? "" : ` at ${replacementUrl}`;
  const needed = `asked when it is needed${at}`;
  if (findings === null) return { state: "ok", told: `${needed}; doctor --live asks it now`, idle: true };
  const own = findings.filter((found) => found.name.split(" ")[0] === name);
  if (own.length === 0)
    return { state: "ok", told: `${needed}, and not to see whether it answers`, idle: true };
  const well = own.filter(({ state }) => state === "ok").length;
  return {
    state: well === own.length ? "ok" : "note",
    told: `answers ${well} of ${own.length} questions${replacementUrl === null ? "" : `, asked at ${replacementUrl}`}`,
  };
}

/** Whether anybody who was asked answers for a kind of prices. */
function checkChain(
  name: string,
  sources: readonly string[],
  reports: ReadonlyMap<string, ProviderReport>,
): Check {
  if (sources.length === 0)
    return { name, state: "fail", detail: "no source of them is switched on: see PROVIDERS_OFF" };
  const well = sources.filter((source) => reports.get(source)?.healthy === true);
  if (well.length === 0)
    return { name, state: "fail", detail: `none of ${sources.join(", ")} answers: is this machine online?` };
  return { name, state: "ok", detail: `${well.length} of ${sources.length} sources answer` };
}

const refusesKey = ({ healthy, network }: ProviderReport): boolean => !healthy && network?.failure === "auth";
const keyRefused = (setting: string) => ({ state: "fail" as const, told: `refuses what ${setting} holds` });

/** Findings of one source that fail for one reason are one finding; the last line counts. */
function groupFindings(findings: readonly Check[]): readonly Check[] {
  if (findings.length === 0) return [];
  const groups = new Map<string, Check[]>();
  const asked = new Map<string, number>();
  for (const found of findings) {
    const [source = ""] = found.name.split(" ");
    asked.set(source, (asked.get(source) ?? 0) + 1);
    const key = found.state === "fail" ? `${source}\n${found.detail}` : found.name;
    groups.set(key, [...(groups.get(key) ?? []), found]);
  }
  const told = [...groups.values()].map((same): Check => {
    const [first] = same as [Check];
    if (same.length === 1) return first;
    const [source = ""] = first.name.split(" ");
    return {
      name: source,
      state: "fail",
      detail: `${same.length} of ${asked.get(source)} checks, ${first.detail}`,
    };
  });
  const count = (state: Check["state"]) => findings.filter((found) => found.state === state).length;
  const detail = `${findings.length} promises checked: ${count("ok")} kept, ${count("note")} to look at, ${count("fail")} broken`;
  return [...told, { name: "live", state: count("fail") > 0 ? "fail" : "ok", detail }];
}

const NO_PROVIDERS =
  "none are asked, the market is simulated; MARKET_DATA=live asks real ones, most of them without a key: then doctor tells of each";
const MAX_CLOCK_SKEW_MS = 5_000;
/** A person who asks for a diagnosis waits a little for those who are slow to answer. */
const PROVIDER_WAIT_MS = 1_000;
const NO_ANSWER = "no answer within 2 s";

function describeReport({
  healthy,
  latency_ms,
  network,
}: ProviderReport): Pick<Check, "state"> & { told: string } {
  const { last_success = null, limit_left, breaker, clock_skew_ms = null, failure = null } = network ?? {};
  const skewed = clock_skew_ms !== null && Math.abs(clock_skew_ms) > MAX_CLOCK_SKEW_MS;
  const parts = [
    healthy ? `answers in ${latency_ms} ms` : failure === null ? NO_ANSWER : `does not answer (${failure})`,
    ...(last_success === null ? [] : [`last at ${last_success}`]),
    ...(limit_left === undefined ? [] : [`${limit_left} calls left to this command`]),
    ...(breaker === undefined || breaker === "closed" ? [] : [`breaker ${breaker}`]),
    ...(skewed ? [`its clock is ${Math.round(clock_skew_ms / 1_000)} s off ours`] : []),
  ];
  return { state: healthy && !skewed ? "ok" : "note", told: parts.join(", ") };
}

/** Files of one folder that are skipped for one reason are one finding, so that the odd one out is seen. */
function groupSkipped(skipped: FileInventory["skipped"]): readonly Check[] {
  const groups = new Map<string, string[]>();
  for (const { file, reason } of skipped) {
    const key = `${file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "."}\n${reason}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups].map(([key, files]): Check => {
    const [folder, reason] = key.split("\n") as [string, string];
    const name = files.length === 1 ? files[0]! : `${folder}: ${files.length} files`;
    return { name, state: "note", detail: `skipped: ${reason}` };
  });
}
