import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import type { ProviderReport, StorageFault } from "../../domain/ports.ts";
import { asToolError } from "../../kernel/errors.ts";
import { groupBy } from "../../lib/group-by.ts";
import { SetupError } from "../../lib/setup-error.ts";
import type {
  CliHost,
  FileInventory,
  Finding,
  LiveProviders,
  OpenedInstallation,
  ProviderNote,
  ProviderStatus,
} from "./host.ts";

const NO_PROVIDERS =
  "none called, because the market is simulated. With MARKET_DATA=live, doctor checks each provider; most need no key";
const MAX_CLOCK_SKEW_MS = 5_000;
/** Additional wait for slow providers, in milliseconds. */
const PROVIDER_WAIT_MS = 1_000;
const NO_RESPONSE = "no response within 2 s";

/** Options of a check that sends test requests. */
export interface LiveCheckOptions {
  /** Folder for the recorded responses; null for none. */
  readonly record: string | null;
}

/**
 * Opens the installation and checks its settings, its data folder, every series in files and every data
 * provider. With `live` it sends test requests to each enabled provider.
 */
export async function checkInstallation(
  host: CliHost,
  live: LiveCheckOptions | null = null,
): Promise<readonly Finding[]> {
  const node: Finding = { name: "node", state: "ok", detail: process.version };
  try {
    const changed = host.settings().filter(({ source }) => source === "environment");
    const settings = changed.map(({ name, value }) => `${name}=${value}`).join(" ") || "all defaults";
    const installation = await host.open();
    try {
      const { tools, unavailable } = installation.registry;
      return [
        node,
        ok("settings", settings),
        ...changed
          .filter(({ purpose }) => purpose.startsWith("Not used"))
          .map(({ name, purpose }) => note(name, purpose)),
        ...(await checkTape(host)),
        checkDataFolder(installation),
        ...(await checkMarket(installation)),
        ok("tools", `${tools.length} connected`),
        ...unavailable.map(({ name, needs }) => note(name, `not connected: needs ${needs.join(", ")}`)),
        ...(await checkProviders(installation, host, live)),
      ];
    } finally {
      await installation.close();
    }
  } catch (cause) {
    return [
      node,
      fail("installation", cause instanceof SetupError ? cause.message : asToolError(cause).message),
    ];
  }
}

const ok = (name: string, detail: string): Finding => ({ name, state: "ok", detail });
const note = (name: string, detail: string): Finding => ({ name, state: "note", detail });
const fail = (name: string, detail: string): Finding => ({ name, state: "fail", detail });
const idle = (name: string, detail: string): Finding => ({ name, state: "ok", detail, idle: true });

/** Checks that OPTION_TAPE names a file; its rows are read only with --live. */
async function checkTape(host: CliHost): Promise<readonly Finding[]> {
  const name = "OPTION_TAPE";
  const path = host.settings().find((setting) => setting.name === name)?.value ?? null;
  if (path === null) return [];
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  return [isFile ? ok(name, `file found: ${path}`) : fail(name, `not a file: ${path}`)];
}

function checkDataFolder({ ports }: OpenedInstallation): Finding {
  const fault = ports.storage.fault();
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

async function checkMarket({ ports, files }: OpenedInstallation): Promise<readonly Finding[]> {
  const { market, symbols, bars } = ports;
  const members = symbols.members();
  if (market.mode === "live") return [ok("market", `live, ${members.length} symbols known`)];
  if (files === null) {
    const label = market.mode === "sample" ? `${SAMPLE_LABEL}, ` : "";
    return [ok("market", `${label}${members.length} symbols`)];
  }
  const { series } = files();
  const unread: Finding[] = [];
  for (const { symbol, timeframe } of series) {
    const member = members.find((one) => one.symbol === symbol);
    if (member === undefined) continue;
    await bars.history(member, { timeframe, limit: 1 }).catch((cause: unknown) => {
      const { code, message } = asToolError(cause);
      const finding = code === "INTERNAL" ? fail : note;
      unread.push(finding(`${symbol} ${timeframe}`, `cannot be read: ${message}`));
    });
  }
  const { skipped, notes } = files();
  return [
    ok("market", `${members.length} symbols in ${series.length} series from files`),
    ...unread,
    ...groupSkipped(skipped),
    ...notes.map(({ file, note: detail }) => note(file, detail)),
  ];
}

/** Checks the price chains and each provider. Adds price disagreements and the findings of the live check. */
async function checkProviders(
  { ports, live }: OpenedInstallation,
  host: CliHost,
  options: LiveCheckOptions | null,
): Promise<readonly Finding[]> {
  if (live === null) {
    if (options !== null) return [fail("live", "--live requires MARKET_DATA=live")];
    return ports.market.mode === "sample" ? [idle("providers", NO_PROVIDERS)] : [];
  }
  await ports.providerHealth.report();
  await sleep(PROVIDER_WAIT_MS, undefined, { signal: host.signal }).catch(() => undefined);
  const reports = new Map(ports.providerHealth.current().map((report) => [report.name, report]));
  const liveChecks = options === null ? null : await runLiveChecks(live, host, options);
  const known = new Set(live.providers.map(({ name }) => name));
  const others = [...reports.values()].filter(({ name }) => !known.has(name.split(" ")[0]!));
  return [
    checkChain("US prices", live.priceProviders.us, reports),
    checkChain("crypto prices", live.priceProviders.crypto, reports),
    ...live.providers.map((provider) =>
      checkProvider(provider, reports.get(provider.name), liveChecks?.findings ?? null),
    ),
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

function checkProvider(
  { name, title, gives, terms, state, setting, isPartlyConfigured, consent, replacementUrl }: ProviderStatus,
  report: ProviderReport | undefined,
  findings: readonly Finding[] | null,
): Finding {
  const about = `${title}: ${gives}`;
  if (consent !== null) return idle(name, `needs ${consent}. ${about}; ${terms}`);
  if (state === "off") return idle(name, `off. ${about}`);
  if (isPartlyConfigured) return note(name, `not called, it needs ${setting} as well. ${about}`);
  if (state !== "on") return idle(name, `needs ${setting}. ${about}`);
  const url = replacementUrl === null ? "" : `, at ${replacementUrl}`;
  const check = report === undefined ? checkOnDemand(name, findings) : checkReport(name, report, setting);
  return { ...check, detail: `${check.detail}${url}. ${about}; ${terms}` };
}

function checkReport(name: string, report: ProviderReport, setting: string | null): Finding {
  const isKeyRefused = !report.healthy && report.network?.failure === "auth";
  return isKeyRefused && setting !== null
    ? fail(name, `refuses the value of ${setting}`)
    : describeReport(name, report);
}

/** Summarizes the live findings of a provider without prices. */
function checkOnDemand(name: string, findings: readonly Finding[] | null): Finding {
  if (findings === null) return idle(name, "not called by doctor; doctor --live calls most providers");
  const ownFindings = findings.filter((finding) => finding.name.split(" ")[0] === name);
  if (ownFindings.length === 0) return idle(name, "called when needed; not part of the live check");
  const passed = ownFindings.filter(({ state }) => state === "ok").length;
  const finding = passed === ownFindings.length ? ok : note;
  return finding(name, `passed ${passed} of ${ownFindings.length} checks`);
}

/** Sends test requests to each provider. Returns all findings, and the grouped checks to show. */
async function runLiveChecks(
  live: LiveProviders,
  { err, folder, signal }: CliHost,
  options: LiveCheckOptions,
): Promise<{
  readonly checks: readonly Finding[];
  readonly findings: readonly Finding[];
  readonly notes: readonly ProviderNote[];
}> {
  const record = options.record === null ? null : resolve(folder ?? ".", options.record);
  const { findings, written, notes } = await live.check({
    record,
    signal,
    onProgress: (label) => err.write(`checking ${label}\n`),
  });
  const recorded = record === null ? [] : [ok("record", `${written} responses written to ${record}`)];
  return { checks: [...recorded, ...groupFindings(findings)], findings, notes };
}

/** Returns a failure unless at least one of the price providers responds. */
function checkChain(
  name: string,
  providers: readonly string[],
  reports: ReadonlyMap<string, ProviderReport>,
): Finding {
  if (providers.length === 0) return fail(name, "no provider is enabled: see PROVIDERS_OFF");
  const healthy = providers.filter((provider) => reports.get(provider)?.healthy === true);
  if (healthy.length === 0)
    return fail(name, `none of ${providers.join(", ")} responds: is this machine online?`);
  return ok(name, `${healthy.length} of ${providers.length} providers respond`);
}

/** Merges the failures of one provider with the same reason into one finding, and adds a summary. */
function groupFindings(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length === 0) return [];
  const providerOf = ({ name }: Finding): string => name.split(" ")[0]!;
  const byProvider = groupBy(findings, providerOf);
  const groups = groupBy(findings, (finding) =>
    finding.state === "fail" ? `${providerOf(finding)}\n${finding.detail}` : finding.name,
  );
  const merged = [...groups.values()].map((same): Finding => {
    const [first] = same as [Finding];
    if (same.length === 1) return first;
    const provider = providerOf(first);
    return fail(provider, `${same.length} of ${byProvider.get(provider)!.length} checks, ${first.detail}`);
  });
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  const summary = `${findings.length} checks: ${count("ok")} passed, ${count("note")} with notes, ${count("fail")} failed`;
  return [...merged, count("fail") > 0 ? fail("live", summary) : ok("live", summary)];
}

function describeReport(name: string, { healthy, latency_ms, network }: ProviderReport): Finding {
  const { last_success = null, limit_left, breaker, clock_skew_ms = null, failure = null } = network ?? {};
  const isSkewed = clock_skew_ms !== null && Math.abs(clock_skew_ms) > MAX_CLOCK_SKEW_MS;
  const failed = failure === null ? NO_RESPONSE : `does not respond (${failure})`;
  const parts = [
    healthy ? `responds in ${latency_ms} ms` : failed,
    ...(last_success === null ? [] : [`last at ${last_success}`]),
    ...(limit_left === undefined ? [] : [`${limit_left} calls left for this command`]),
    ...(breaker === undefined || breaker === "closed" ? [] : [`breaker ${breaker}`]),
    ...(isSkewed ? [`its clock is ${Math.round(clock_skew_ms / 1_000)} s off the clock of this server`] : []),
  ];
  return (healthy && !isSkewed ? ok : note)(name, parts.join(", "));
}

/** Merges skipped files of one folder with the same reason into one finding. */
function groupSkipped(skipped: FileInventory["skipped"]): readonly Finding[] {
  const folderOf = (file: string): string =>
    file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".";
  const groups = groupBy(skipped, ({ file, reason }) => `${folderOf(file)}\n${reason}`);
  return [...groups.values()].map((files) => {
    const [{ file, reason }] = files as [FileInventory["skipped"][number]];
    const name = files.length === 1 ? file : `${folderOf(file)}: ${files.length} files`;
    return note(name, `skipped: ${reason}`);
  });
}
