import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { QuoteStreamStatus } from "../../domain/market/quote-streams-port.ts";
import type { ProviderReport, StorageFault } from "../../domain/ports.ts";
import { asToolError } from "../../kernel/errors.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { checkBackups } from "./doctor-backups.ts";
import {
  describePassed,
  fail,
  findingsOf,
  groupFindings,
  idle,
  note,
  ok,
  providerOf,
} from "./doctor-findings.ts";
import { checkKeys } from "./doctor-keys.ts";
import { checkMarket, checkNoSplits } from "./doctor-market.ts";
import { checkServer, checkVersion } from "./doctor-version.ts";
import type {
  CliHost,
  Finding,
  LiveProviders,
  OpenedInstallation,
  ProviderNote,
  ProviderStatus,
} from "./host.ts";

const NO_PROVIDERS =
  "none called, because the market is simulated. With MARKET_DATA=live, doctor checks each provider; most need no key";
const MAX_CLOCK_SKEW_MS = 5_000;
/** Default of the additional wait for slow providers, in milliseconds. */
const PROVIDER_WAIT_MS = 1_000;
const NO_RESPONSE = "no response within 2 s";

/** Options of a check that sends test requests. */
export interface LiveCheckOptions {
  /** Folder for the recorded responses; null for none. */
  readonly record: string | null;
}

/** Findings of the live check. `isStopped`: the command was interrupted before the last check. */
interface LiveResult {
  readonly findings: readonly Finding[];
  readonly isStopped: boolean;
}

/**
 * Opens the installation and checks its versions, its settings, its data folder, every series in files and every data
 * provider. With `live` it sends test requests to each enabled provider. A folder whose data another version of the
 * program wrote stays closed, because opening it migrates it. `waitMs`: additional wait for slow providers.
 */
export async function checkInstallation(
  host: CliHost,
  live: LiveCheckOptions | null = null,
  waitMs = PROVIDER_WAIT_MS,
): Promise<readonly Finding[]> {
  const { findings, canOpen } = await checkVersion(host);
  const versions = [ok("node", process.version), ...findings, ...(await checkServer(host))];
  if (!canOpen) return versions;
  try {
    const changed = (await host.settings()).filter(({ source }) => source !== "default");
    const settings = changed.map(({ name, value }) => `${name}=${value}`).join(" ") || "all defaults";
    const installation = await host.open({ isExisting: true });
    try {
      const { tools, unavailable } = installation.registry;
      return [
        ...versions,
        ok("settings", settings),
        ...changed
          .filter(({ purpose }) => purpose.startsWith("Not used"))
          .map(({ name, purpose }) => note(name, purpose)),
        ...(await checkTape(host)),
        checkDataFolder(installation),
        ...(await checkKeys(installation)),
        ...checkBackups(installation),
        ...(await installation.restoreNotes()).map((text) => note("restore", text)),
        ...(await checkMarket(installation, host)),
        ...(await checkNoSplits(installation)),
        ok("tools", `${tools.length} connected`),
        ...unavailable.map(({ name, needs }) => note(name, `not connected: needs ${needs.join(", ")}`)),
        ...(await checkProviders(installation, host, live, waitMs)),
      ];
    } finally {
      await installation.close();
    }
  } catch (cause) {
    return [
      ...versions,
      fail("installation", cause instanceof SetupError ? cause.message : asToolError(cause).message),
    ];
  }
}

/** Checks that OPTION_TAPE names a file; its rows are read only with --live. */
async function checkTape(host: CliHost): Promise<readonly Finding[]> {
  const name = "OPTION_TAPE";
  const path = (await host.settings()).find((setting) => setting.name === name)?.value ?? null;
  if (path === null) return [];
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  return [isFile ? ok(name, `file found: ${path}`) : fail(name, `not a file: ${path}`)];
}

function checkDataFolder({ ports, store }: OpenedInstallation): Finding {
  const fault = ports.storage.fault();
  if (fault === null && store.file === null)
    return ok("data folder", "open; its data is in PostgreSQL, which answers");
  if (fault === null) return ok("data folder", "open, database intact");
  return fail("data folder", STORAGE_FAULTS[fault.kind]);
}

const STORAGE_FAULTS: Readonly<Record<StorageFault["kind"], string>> = {
  full: "the disk is full or failing: nothing can be stored until it has free space",
  damaged:
    "the database is damaged: stop the server; its next start prints the commands that restore a backup",
  incomplete:
    "the newest entries of the audit log are missing: a backup was restored, or the database was copied without its -wal file; the log of the server has the command",
};

/** Checks the price chains and each provider. Adds price disagreements and the findings of the live check. */
async function checkProviders(
  { ports, live }: OpenedInstallation,
  host: CliHost,
  options: LiveCheckOptions | null,
  waitMs: number,
): Promise<readonly Finding[]> {
  if (live === null) {
    if (options !== null) return [fail("live", "--live requires MARKET_DATA=live")];
    return ports.market.mode === "sample" ? [idle("providers", NO_PROVIDERS)] : [];
  }
  await ports.providerHealth.report();
  await sleep(waitMs, undefined, { signal: host.signal }).catch(() => undefined);
  const reports = new Map(ports.providerHealth.current().map((report) => [report.name, report]));
  const liveChecks = options === null ? null : await runLiveChecks(live, host, options);
  const known = new Set(live.providers.map(({ name }) => name));
  const others = [...reports.values()].filter(({ name }) => !known.has(name.split(" ")[0]!));
  const passed = new Set(
    (liveChecks?.findings ?? []).filter(isResponse).map((finding) => providerOf(finding)),
  );
  const isResponding = (name: string): boolean => reports.get(name)?.healthy === true || passed.has(name);
  return [
    checkChain("US prices", live.priceProviders.us, isResponding),
    checkChain("crypto prices", live.priceProviders.crypto, isResponding),
    ...(ports.quoteStreams?.status?.() ?? []).map(checkStream),
    ...live.providers.map((provider) => checkProvider(provider, reports.get(provider.name), liveChecks)),
    ...others.map((report) => describeReport(report.name, report)),
    ...(await live.disagreements(10)).map(
      ({ symbol, at, providers, prices, difference_percent, limit_percent }) =>
        note(
          symbol,
          `${providers[0]} returned ${prices[0]} and ${providers[1]} ${prices[1]} at ${at}: a difference of ${difference_percent}%, limit ${limit_percent}%`,
        ),
    ),
    ...(liveChecks?.notes ?? live.wireNotes()).map(({ name, detail }) => note(name, detail)),
    ...(liveChecks?.checks ?? []),
  ];
}

/** Describes the connection to a provider that streams prices. A server opens it while symbols are followed. */
function checkStream({ provider, state, symbols, last_message_at: at, losses }: QuoteStreamStatus): Finding {
  const name = `${provider} stream`;
  if (state === "idle")
    return idle(
      name,
      "opened by a server while a client or an alert follows a symbol; its state is in /metrics",
    );
  const parts = [
    `${state}, ${symbols} symbols`,
    at === null ? "no message yet" : `last message at ${at}`,
    `${losses} connections lost`,
  ];
  return (state === "down" ? note : ok)(name, parts.join(", "));
}

function checkProvider(
  {
    name,
    title,
    gives,
    outage,
    terms,
    state,
    offBy,
    setting,
    isPartlyConfigured,
    ...provider
  }: ProviderStatus,
  report: ProviderReport | undefined,
  live: LiveResult | null,
): Finding {
  const { consent, replacementUrl } = provider;
  const about = outage === null ? `${title}: ${gives}` : `${title}: ${gives}; it ${outage}`;
  if (offBy === "PROVIDERS=licensed") return idle(name, `off with ${offBy}. ${about}; ${terms}`);
  if (consent !== null) return idle(name, `needs ${consent}. ${about}; ${terms}`);
  if (state === "off") return idle(name, `off. ${about}`);
  if (isPartlyConfigured) return note(name, `not called, it needs ${setting} as well. ${about}`);
  if (state !== "on") return idle(name, `needs ${setting}. ${about}`);
  const url = replacementUrl === null ? "" : `, at ${replacementUrl}`;
  const check =
    report === undefined
      ? checkOnDemand(name, live)
      : checkReport(name, { report, findings: live?.findings ?? [], setting });
  const shown = outage === null ? check : note(name, check.detail);
  return { ...shown, detail: `${check.detail}${url}. ${about}; ${terms}` };
}

/** Summarizes the first request to a provider, and its live findings if there are any. */
function checkReport(
  name: string,
  {
    report,
    findings,
    setting,
  }: {
    readonly report: ProviderReport;
    readonly findings: readonly Finding[];
    readonly setting: string | null;
  },
): Finding {
  const isKeyRefused = !report.healthy && report.network?.failure === "auth";
  if (isKeyRefused && setting !== null) return fail(name, `refuses the value of ${setting}`);
  const ownFindings = findingsOf(name, findings);
  if (ownFindings.length === 0) return describeReport(name, report);
  const first = describeReport(name, report, { isOver: true });
  const finding = first.state === "ok" && ownFindings.every(({ state }) => state === "ok") ? ok : note;
  return finding(name, `${first.detail}, then ${describePassed(ownFindings)}`);
}

/** Summarizes the live findings of a provider without prices. */
function checkOnDemand(name: string, live: LiveResult | null): Finding {
  if (live === null) return idle(name, "not called by doctor; doctor --live calls most providers");
  const ownFindings = findingsOf(name, live.findings);
  if (ownFindings.length === 0 && live.isStopped)
    return idle(name, "not checked, because doctor was stopped");
  if (ownFindings.length === 0) return idle(name, "called when needed; not part of the live check");
  const finding = ownFindings.every(({ state }) => state === "ok") ? ok : note;
  return finding(name, describePassed(ownFindings));
}

/** Returns true if the provider sent data; a request it does not support is not sent. */
const isResponse = ({ state, detail }: Finding): boolean =>
  state === "ok" && !detail.startsWith("not supported");

/** Sends test requests to each provider. Returns all findings, and the grouped checks to show. */
async function runLiveChecks(
  live: LiveProviders,
  { err, folder, signal }: CliHost,
  options: LiveCheckOptions,
): Promise<LiveResult & { readonly checks: readonly Finding[]; readonly notes: readonly ProviderNote[] }> {
  const record = options.record === null ? null : resolve(folder ?? ".", options.record);
  const { findings, written, notes } = await live.check({
    record,
    signal,
    onProgress: (label) => err.write(`checking ${label}\n`),
  });
  const recorded = record === null ? [] : [ok("record", `${written} responses written to ${record}`)];
  const isStopped = signal.aborted;
  const stopped = isStopped ? [note("live", "stopped before the last check")] : [];
  return { checks: [...recorded, ...groupFindings(findings), ...stopped], findings, notes, isStopped };
}

/** Returns a failure unless at least one of the price providers responds. */
function checkChain(
  name: string,
  providers: readonly string[],
  isResponding: (provider: string) => boolean,
): Finding {
  if (providers.length === 0) return fail(name, "no provider is enabled: see PROVIDERS and PROVIDERS_OFF");
  const healthy = providers.filter(isResponding);
  if (healthy.length === 0)
    return fail(name, `none of ${providers.join(", ")} responds: is this machine online?`);
  return ok(name, `${healthy.length} of ${providers.length} providers respond`);
}

/** Describes the last call of a provider. `isOver`: more calls followed, so the number of calls left is omitted. */
function describeReport(
  name: string,
  { healthy, latency_ms, network }: ProviderReport,
  { isOver = false }: { readonly isOver?: boolean } = {},
): Finding {
  const { last_success = null, limit_left, breaker, clock_skew_ms = null, failure = null } = network ?? {};
  const isSkewed = clock_skew_ms !== null && Math.abs(clock_skew_ms) > MAX_CLOCK_SKEW_MS;
  const failed = failure === null ? NO_RESPONSE : `a request failed (${failure})`;
  const parts = [
    healthy ? `responds in ${latency_ms} ms` : failed,
    ...(last_success === null ? [] : [`last at ${last_success}`]),
    ...(limit_left === undefined || isOver ? [] : [`${limit_left} calls left for this command`]),
    ...(breaker === undefined || breaker === "closed" ? [] : [`breaker ${breaker}`]),
    ...(isSkewed ? [`its clock is ${Math.round(clock_skew_ms / 1_000)} s off the clock of this server`] : []),
  ];
  return (healthy && !isSkewed ? ok : note)(name, parts.join(", "));
}
