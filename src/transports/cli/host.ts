import type { Access } from "../../access/access.ts";
import type { AuditBaseline } from "../../access/audit/audit-check.ts";
import type { BrowserSessions } from "../../access/sign-in/browser-sessions.ts";
import type { PeopleAdmin } from "../../access/sign-in/people-admin.ts";
import type { SecretStore } from "../../access/vault/secret-store.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import type { Accounts } from "../../domain/accounts/accounts-port.ts";
import type { UsageSum } from "../../domain/accounts/usage-port.ts";
import type { AgentScheduler } from "../../domain/agents/automation-port.ts";
import type { AuditEntry, AuditReport } from "../../domain/audit/audit-port.ts";
import type { BackupReport, BackupStatus, RestoreReport } from "../../domain/backups/backups.ts";
import type { DataVersion } from "../../domain/backups/data-version.ts";
import type { Bars, ProviderTimeframe } from "../../domain/market/bars.ts";
import type { Market } from "../../domain/market/market.ts";
import type { Disagreement } from "../../domain/market/market-cache-port.ts";
import type { Engine } from "../../domain/nightly/engine-port.ts";
import type { Clock, Ports } from "../../domain/ports.ts";
import type { TrackRecordBuilder } from "../../domain/track-record/track-port.ts";
import type { Confirmations } from "../../domain/trading/confirmations-port.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { TradeOwner } from "../../domain/trading/trade-owner-port.ts";
import type { Connection } from "../../domain/trading/trading.ts";
import type { TradeRules } from "../../domain/trading/trading-port.ts";
import type { RuntimePorts } from "../../kernel/invoke.ts";
import type { Registry, ToolFilter } from "../../kernel/registry.ts";
import type { Progress, Tool } from "../../kernel/tool.ts";
import type { ServerHello } from "../local/messages.ts";
import type { DatabaseAdmin, OpenedDatabase } from "./host-database.ts";
import type { ProviderKey, Setting, SettingOption, StoredSetting } from "./host-settings.ts";
import type { Invocation } from "./invocation.ts";

/** One finding of the doctor command; a note is not a fault. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "note" | "fail";
  readonly detail: string;
  /** Set if no request was made, for example because the provider is off. */
  readonly idle?: true;
}

/** Series of bars in a folder of CSV files, skipped files with the reason, and notes on the other files. */
export interface FileInventory {
  readonly series: readonly { readonly symbol: string; readonly timeframe: ProviderTimeframe }[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  readonly notes: readonly { readonly file: string; readonly note: string }[];
  /** How each file was read, one sentence per series. */
  readonly readAs: readonly { readonly file: string; readonly note: string }[];
}

export interface ProviderStatus {
  readonly name: string;
  readonly title: string;
  readonly gives: string;
  /** What does not work at present, and since when; null for a provider that works. */
  readonly outage: string | null;
  readonly terms: string;
  /** True if its terms restrict automated use. */
  readonly forbidsAutomation: boolean;
  /** Setting that keeps it off; null if none does. */
  readonly offBy: "PROVIDERS_OFF" | "PROVIDERS=licensed" | null;
  /** `off`: by PROVIDERS_OFF or PROVIDERS, or its terms are not accepted; `needs a key`: a required setting is missing. */
  readonly state: "on" | "off" | "needs a key";
  /** Missing required settings, or all required settings if none is missing; null if it requires none. */
  readonly setting: string | null;
  /** True if some of the required settings are set, but not all. */
  readonly isPartlyConfigured: boolean;
  /** Setting that accepts its terms, such as `KADOA_TERMS=accepted`; null if they are accepted or need not be. */
  readonly consent: string | null;
  /** URL that replaces the provider's own; null if none is set. */
  readonly replacementUrl: string | null;
}

/** One thing noticed in the responses of a provider. */
export interface ProviderNote {
  readonly name: string;
  readonly detail: string;
}

export interface LiveProviders {
  readonly providers: readonly ProviderStatus[];
  /** Names of the enabled price providers by asset type, in call order. */
  readonly priceProviders: { readonly us: readonly string[]; readonly crypto: readonly string[] };
  /** Returns symbols for which two providers returned different prices, newest first. */
  disagreements(limit: number): Promise<readonly Disagreement[]>;
  /** Returns the redirects and unreadable rows of the responses so far. */
  wireNotes(): readonly ProviderNote[];
  /**
   * Sends test requests to every enabled provider. `written` is the number of recorded responses, `notes` what was
   * noticed in the responses.
   */
  check(options: {
    /** Folder for the recorded responses; null for none. */
    readonly record: string | null;
    readonly signal: AbortSignal;
    readonly onProgress?: (label: string) => void;
  }): Promise<{
    readonly findings: readonly Finding[];
    readonly written: number;
    readonly notes: readonly ProviderNote[];
  }>;
}

/** An installation opened for one command. */
export interface OpenedInstallation extends OpenedDatabase {
  readonly registry: Registry;
  readonly ports: RuntimePorts &
    Pick<Ports, "market" | "symbols" | "bars" | "providerHealth" | "automation" | "storage">;
  readonly access: Pick<Access, "list">;
  readonly owner: Principal;
  /** Returns the inventory of the folder of CSV files; null in other markets. */
  readonly files: (() => FileInventory) | null;
  /** Null unless MARKET_DATA=live. */
  readonly live: LiveProviders | null;
  readonly engine: Engine;
  readonly track: TrackRecordBuilder;
  readonly scheduler: AgentScheduler;
  /** Returns the newest backup, and the last result of BACKUP_HOOK. */
  backups(): BackupStatus;
  /** Returns sentences on what is still to do after a restore. */
  restoreNotes(): Promise<readonly string[]>;
  /** Returns the owner's paper account, and creates it if there is none. */
  paper(): Promise<{ readonly connection: Connection; readonly created: boolean }>;
  close(): Promise<void>;
}

/** Runs tools for one command: at the running server of the data folder, or in this process. */
export interface ToolCaller {
  readonly market: Pick<Market, "mode">;
  readonly clock: Clock;
  /** Runs a tool as the owner and returns its result. Rejects with a ToolError. */
  call(
    tool: Tool,
    input: Readonly<Record<string, unknown>>,
    options: { readonly signal: AbortSignal; readonly progress: (step: Progress) => void },
  ): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

/** API keys and sign-in links of browsers, opened without a market. */
export interface OpenedKeys {
  readonly access: Access;
  readonly browserSessions: BrowserSessions;
  close(): Promise<void>;
}

/** The accounts, opened without a market. */
export interface OpenedAccounts {
  readonly accounts: Accounts;
  readonly people: PeopleAdmin;
  /** Adds up the calls of an account in the last 30 days. */
  usage(id: string): Promise<{ readonly days: number } & Pick<UsageSum, "calls" | "failed" | "characters">>;
  close(): Promise<void>;
}

/** The master key, opened without a market. */
export interface OpenedVault extends Pick<SecretStore, "rotate" | "forget"> {
  close(): Promise<void>;
}

/** The audit log, opened without a market. */
export interface OpenedAudit {
  check(baseline: AuditBaseline): Promise<AuditReport>;
  /** Returns at most `limit` entries after the one with that number, oldest first. */
  entries(after: number, limit: number): Promise<readonly AuditEntry[]>;
  now(): Date;
  close(): Promise<void>;
}

/** Trading actions that only the owner of the server may take, in the current market. */
export interface OpenedTrading extends TradeOwner, Pick<TradeRules, "limits" | "killSwitch"> {
  /** Returns the names of the accounts on this server. */
  accounts(): Promise<readonly string[]>;
  /** Parses terms such as `max_notional_usd=5000`. @throws ToolError INVALID_INPUT */
  parseLimits(terms: readonly string[]): Partial<RiskLimits>;
  /** Changes that agents asked for. */
  readonly requests: Pick<Confirmations, "waiting" | "find" | "confirm" | "refuse">;
  /** True if orders of live accounts may be sent. */
  readonly live: boolean;
  close(): Promise<void>;
}

/** Result of an import of CSV files. */
export interface ImportedBars extends Pick<FileInventory, "skipped" | "notes"> {
  /** Folder that the bars are stored in. */
  readonly folder: string;
  readonly series: readonly {
    readonly symbol: string;
    readonly timeframe: ProviderTimeframe;
    readonly bars: number;
    readonly added: number;
    readonly first: string;
    readonly last: string;
  }[];
}

/** Command line and environment that start this program. */
export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** How a command opens the data folder. */
export interface OpenOptions {
  /** True for a command that only reads: it fails without a data folder. Default: the folder is created. */
  readonly isExisting?: boolean;
}

/** Environment of the command line: its streams, and functions that open what a command needs. */
export interface CliHost {
  readonly version: string;
  readonly catalogue: readonly Tool[];
  readonly out: Screen;
  readonly err: Screen;
  /** Aborts on Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** Folder that relative paths are resolved against. Default: the working folder. */
  readonly folder?: string;
  settings(): Promise<readonly Setting[]>;
  /** Settings that are options of `serve`: all but secrets. */
  readonly settingOptions: readonly SettingOption[];
  /** Returns the data providers that need a key. */
  providerKeys(): Promise<readonly ProviderKey[]>;
  /**
   * Stores a value in the data folder, a secret sealed in its vault; null removes it. Throws INVALID_INPUT for a value
   * that the setting does not accept, and for a path that a server could not use.
   */
  storeSetting(name: string, text: string | null): Promise<StoredSetting>;
  /** Resolves with the migrations of the data folder without applying any; null for a new folder. */
  dataVersion(): Promise<DataVersion | null>;
  /** Returns the running server of the data folder; null if none answers. Default: unknown. */
  server?(): Promise<Pick<ServerHello, "version" | "url" | "market"> | null>;
  /** Connects to the running server of the data folder. Default, and null: there is none to use. */
  connect?(): Promise<ToolCaller | null>;
  open(options?: OpenOptions): Promise<OpenedInstallation>;
  /** Resolves with why bars give no signal when they may contain an unadjusted split; null if there is no sign of one. */
  splitFault(bars: Bars): Promise<string | null>;
  openKeys(options?: OpenOptions): Promise<OpenedKeys>;
  openAccounts(): Promise<OpenedAccounts>;
  /** `isAlone` rejects with SetupError while another process uses the data folder. */
  openVault(options?: { readonly isAlone: boolean }): Promise<OpenedVault>;
  openAudit(): Promise<OpenedAudit>;
  openTrading(): Promise<OpenedTrading>;
  /** Writes a backup of the data folder. `withKeys` includes the keys, encrypted with a passphrase. */
  backUp(options: { readonly out: string | undefined; readonly withKeys: boolean }): Promise<BackupReport>;
  /** Restores a backup into the data folder; `replace` moves its content aside first, `dryRun` changes nothing. */
  restore(options: {
    readonly file: string;
    readonly replace: boolean;
    readonly dryRun: boolean;
  }): Promise<RestoreReport>;
  /** Returns the commands on the database itself. */
  database(): Promise<DatabaseAdmin>;
  /** Prompts at the terminal and returns the reply; absent without a terminal. */
  prompt?(prompt: Prompt): Promise<string>;
  /** Returns a secret: typed at the terminal without being shown, else all of standard input. */
  readSecret?(prompt: Prompt): Promise<string>;
  /** Imports bars from CSV files into a folder. Default: `bars` in the data folder. */
  importBars(request: {
    readonly from: string;
    readonly into: string | undefined;
    readonly symbol: string | undefined;
    readonly progress?: (step: Progress) => void;
  }): Promise<ImportedBars>;
  /** Runs the HTTP server in this many processes until the signal aborts, and returns the exit code. */
  serve(options: {
    readonly processes: number;
    /** Values of options, by the name of the setting. */
    readonly options: Readonly<Record<string, string>>;
  }): Promise<number>;
  /** Does jobs of the servers on the same database, without a port, until the signal aborts. */
  work(): Promise<void>;
  /** Serves MCP on stdin and stdout until stdin ends. */
  stdio(filter: ToolFilter): Promise<void>;
  /** Returns the URL at which clients reach the server, without a trailing slash. */
  publicUrl(): Promise<string>;
  /** Returns the command with which a client on this machine starts the program. Default: `market-signal`. */
  launchCommand?(): LaunchCommand;
}

/** A request for one line. `onEnd` is the error if the input ends before it: what holds, and how to give the value. */
export interface Prompt {
  readonly question: string;
  readonly onEnd: string;
}

/** An output stream and the properties of its terminal. */
export interface Screen {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly colour: boolean;
  /** Width to which tables are fitted and lines are wrapped. Default: no limit. */
  readonly columns?: number | undefined;
  /** What replaces `market-signal` in commands of messages. Default: nothing does. */
  readonly invocation?: Invocation;
}
