import type { Access } from "../../access/access.ts";
import type { AuditBaseline } from "../../access/audit/audit-check.ts";
import type { SecretStore } from "../../access/vault/secret-store.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import type { AgentScheduler } from "../../domain/agents/automation-port.ts";
import type { AuditEntry, AuditReport } from "../../domain/audit/audit-port.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
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

/** One setting as the operator sees it. */
export interface Setting {
  readonly name: string;
  readonly value: string | null;
  readonly source: string;
  readonly purpose: string;
  /** What it must be, where it is not. */
  readonly fault?: string;
}

/** One finding of the doctor; a note is worth reading and no fault. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "note" | "fail";
  readonly detail: string;
  /** Nobody was asked, as of a source that is off: neither well nor ill. */
  readonly idle?: true;
}

/** A series of bars that a market holds and what was noticed about it. */
export interface FileInventory {
  readonly series: readonly { readonly symbol: string; readonly timeframe: Timeframe }[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  readonly notes: readonly { readonly file: string; readonly note: string }[];
}

/** Sources of real prices, as an operator looks at them. */
export interface LiveProviders {
  readonly providers: readonly {
    readonly name: string;
    readonly title: string;
    readonly gives: string;
    readonly terms: string;
    readonly state: "on" | "off" | "needs a key";
    readonly setting: string | null;
    /** Some of the settings it needs are made, and not all. */
    readonly isPartlyConfigured: boolean;
    /** The setting that accepts its terms, without which it is off; null where it is accepted or needs none. */
    readonly consent: string | null;
    /** Where it is asked, when that is not the vendor itself. */
    readonly replacementUrl: string | null;
  }[];
  /** Sources that are on, by what they price. */
  readonly chains: { readonly us: readonly string[]; readonly crypto: readonly string[] };
  /** Symbols of which two sources said different things, newest first. */
  disagreements(limit: number): Promise<readonly Disagreement[]>;
  /** Asks every source that is on for what it promises; tells whom it asks while it does, and how many answers were written down. */
  check(options: {
    readonly record: string | null;
    readonly signal: AbortSignal;
    readonly onProgress?: (label: string) => void;
  }): Promise<{ readonly findings: readonly Check[]; readonly written: number }>;
}

/** An installation opened for one command. */
export interface OpenedInstallation {
  readonly registry: Registry;
  readonly ports: RuntimePorts & Pick<Ports, "market" | "symbols" | "bars" | "providerHealth" | "automation">;
  readonly owner: Principal;
  /** What was made of a folder of files; null in other markets. */
  readonly files: (() => FileInventory) | null;
  /** Null where prices come from no network. */
  readonly live: LiveProviders | null;
  readonly engine: Engine;
  readonly track: TrackRecordBuilder;
  readonly scheduler: AgentScheduler;
  /** The owner's account at the embedded exchange, made where there is none. */
  paper(): Promise<{ readonly connection: Connection; readonly created: boolean }>;
  close(): Promise<void>;
}

/** Keys alone, without a market. */
export interface OpenedKeys {
  readonly access: Access;
  close(): Promise<void>;
}

/** The care of the master key alone, without a market. */
export interface OpenedVault extends Pick<SecretStore, "rotate" | "forget"> {
  close(): Promise<void>;
}

/** The audit log alone, without a market. */
export interface OpenedAudit {
  check(kept: AuditBaseline): Promise<AuditReport>;
  /** Entries after the one of that number, in order, at most so many. */
  entries(after: number, limit: number): Promise<readonly AuditEntry[]>;
  now(): Date;
  close(): Promise<void>;
}

/** What the owner of the server alone decides about trades, in the running market. */
export interface OpenedTrading extends TradeOwner, Pick<TradeRules, "limits" | "killSwitch"> {
  /** Those there are here, by name. */
  accounts(): Promise<readonly string[]>;
  readonly symbols: Pick<Symbols, "find">;
  /** Whether orders of live accounts are sent at all. */
  readonly live: boolean;
  close(): Promise<void>;
}

/** Bars that were read from files and kept. */
export interface ImportedBars {
  /** The folder they are kept in. */
  readonly folder: string;
  readonly series: readonly {
    readonly symbol: string;
    readonly timeframe: Timeframe;
    readonly bars: number;
    readonly added: number;
    readonly first: string;
    readonly last: string;
  }[];
  readonly skipped: FileInventory["skipped"];
  readonly notes: FileInventory["notes"];
}

/** A program to start, with the settings that it must be given. */
export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What the command line is run on: where it writes, and how it opens what a command needs. */
export interface CliHost {
  readonly version: string;
  readonly catalogue: readonly Tool[];
  readonly out: Screen;
  readonly err: Screen;
  /** Aborts when the person interrupts. */
  readonly signal: AbortSignal;
  /** Where files are written and their relative names begin; the working folder when absent. */
  readonly folder?: string;
  settings(): readonly Setting[];
  open(): Promise<OpenedInstallation>;
  openKeys(): Promise<OpenedKeys>;
  openVault(): Promise<OpenedVault>;
  openAudit(): Promise<OpenedAudit>;
  openTrading(): Promise<OpenedTrading>;
  /** Puts a question to the person at the terminal, where there is one, and gives the answer. */
  prompt?(question: string): Promise<string>;
  /** Reads CSV files and keeps their bars in a folder, that of this installation when none is named. */
  importBars(request: {
    readonly from: string;
    readonly into: string | undefined;
    readonly symbol: string | undefined;
  }): Promise<ImportedBars>;
  /** Runs the HTTP server until it is told to stop. */
  serve(): Promise<void>;
  /** Speaks MCP on stdin and stdout until stdin ends. */
  stdio(shelf: ToolFilter): Promise<void>;
  /** Where clients reach the server, without a trailing slash. */
  publicUrl(): string;
  /** How a client on this machine starts the program itself; by its name when absent. */
  launchCommand?(): LaunchCommand;
}

/** A stream a person may be looking at. */
export interface Screen {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly colour: boolean;
  /** How wide it is now; absent where a line may be of any length. */
  readonly columns?: number | undefined;
}
