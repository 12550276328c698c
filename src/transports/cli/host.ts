import type { Access } from "../../access/access.ts";
import type { AuditBaseline } from "../../access/audit/audit-check.ts";
import type { SecretStore } from "../../access/vault/secret-store.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import type { AgentScheduler } from "../../domain/agents/automation-port.ts";
import type { AuditEntry, AuditReport } from "../../domain/audit/audit-port.ts";
import type { Bars, ProviderTimeframe } from "../../domain/market/bars.ts";
import type { Disagreement } from "../../domain/market/market-cache-port.ts";
import type { Engine } from "../../domain/nightly/engine-port.ts";
import type { Ports, Symbols } from "../../domain/ports.ts";
import type { TrackRecordBuilder } from "../../domain/track-record/track-port.ts";
import type { TradeOwner } from "../../domain/trading/trade-owner-port.ts";
import type { Connection } from "../../domain/trading/trading.ts";
import type { TradeRules } from "../../domain/trading/trading-port.ts";
import type { RuntimePorts } from "../../kernel/invoke.ts";
import type { Registry, ToolFilter } from "../../kernel/registry.ts";
import type { Tool } from "../../kernel/tool.ts";

export interface Setting {
  readonly name: string;
  readonly value: string | null;
  readonly source: string;
  readonly purpose: string;
  /** Required format if the value is invalid; `value` is then the text as set. */
  readonly fault?: string;
}

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
  /**
   * `off`: switched off by PROVIDERS_OFF or PROVIDERS, or its terms are not accepted; `needs a key`: a required setting is missing.
   */
  readonly state: "on" | "off" | "needs a key";
  /** Missing required settings, or all required settings if none is missing; null if it requires none. */
  readonly setting: string | null;
  /** True if some of the required settings are set, but not all. */
  readonly isPartlyConfigured: boolean;
  /**
   * Setting that accepts its terms, such as `KADOA_TERMS=accepted`; the provider is off without it. Null if accepted or
   * not needed.
   */
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
export interface OpenedInstallation {
  readonly registry: Registry;
  readonly ports: RuntimePorts &
    Pick<Ports, "market" | "symbols" | "bars" | "providerHealth" | "automation" | "storage">;
  readonly owner: Principal;
  /** Returns the inventory of the folder of CSV files; null in other markets. */
  readonly files: (() => FileInventory) | null;
  /** Null unless MARKET_DATA=live. */
  readonly live: LiveProviders | null;
  readonly engine: Engine;
  readonly track: TrackRecordBuilder;
  readonly scheduler: AgentScheduler;
  /** Returns the owner's paper account, and creates it if there is none. */
  paper(): Promise<{ readonly connection: Connection; readonly created: boolean }>;
  close(): Promise<void>;
}

/** API keys, opened without a market. */
export interface OpenedKeys {
  readonly access: Access;
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
  readonly symbols: Pick<Symbols, "find">;
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
  settings(): readonly Setting[];
  open(): Promise<OpenedInstallation>;
  /** Resolves with why bars give no signal when they may contain an unadjusted split; null if there is no sign of one. */
  splitFault(bars: Bars): Promise<string | null>;
  openKeys(): Promise<OpenedKeys>;
  openVault(): Promise<OpenedVault>;
  openAudit(): Promise<OpenedAudit>;
  openTrading(): Promise<OpenedTrading>;
  /** Prompts at the terminal and returns the reply; absent without a terminal. */
  prompt?(question: string): Promise<string>;
  /** Imports bars from CSV files into a folder. Default: `bars` in the data folder. */
  importBars(request: {
    readonly from: string;
    readonly into: string | undefined;
    readonly symbol: string | undefined;
  }): Promise<ImportedBars>;
  /** Runs the HTTP server in this many processes until the signal aborts, and returns the exit code. */
  serve(options: { readonly processes: number }): Promise<number>;
  /** Serves MCP on stdin and stdout until stdin ends. */
  stdio(filter: ToolFilter): Promise<void>;
  /** Returns the URL at which clients reach the server, without a trailing slash. */
  publicUrl(): string;
  /** Returns the command with which a client on this machine starts the program. Default: `market-signal`. */
  launchCommand?(): LaunchCommand;
}

/** An output stream and the properties of its terminal. */
export interface Screen {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly colour: boolean;
  /** Wraps text to the current width; absent if lines are not wrapped, as in a pipe. */
  readonly wrap?: (text: string) => string;
}
