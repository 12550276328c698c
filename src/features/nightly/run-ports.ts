import type { Jobs } from "../../domain/jobs-port.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { EngineRow, MarketIndexValue, RunHead } from "../../domain/nightly/engine.ts";
import type { RunRepository } from "../../domain/nightly/run-repository-port.ts";
import type { OddsForecast } from "../../domain/odds/forecast.ts";
import type { BarHistory, Ports, Symbols } from "../../domain/ports.ts";
import type { Tracer } from "../../domain/tracing-port.ts";
import type { Gathered, GatherPorts } from "../signal/gather.ts";

/** What the market index of a run is computed from. */
interface IndexInputs {
  readonly head: RunHead;
  readonly rows: readonly EngineRow[];
  readonly symbols: Symbols;
  /** Bars as of the run; a requested `asOf` is ignored. */
  readonly bars: BarHistory;
  readonly signal: AbortSignal;
}
/** Results of a run before they are published. */
export type RunFindings = Omit<IndexInputs, "symbols">;

/** Rows of a running run with their odds, as they are computed. */
export interface ComputedRows {
  readonly head: RunHead;
  readonly rows: readonly { readonly row: EngineRow; readonly forecast: OddsForecast | null }[];
  readonly signal: AbortSignal;
}

export interface RunPorts extends GatherPorts, Pick<Ports, "clock" | "compute" | "ids" | "log"> {
  readonly repository: RunRepository;
  /** Records each run. Default: none is recorded. */
  readonly tracer?: Tracer | undefined;
  /** Shards of runs, for any process of the installation. */
  readonly jobs: Jobs;
  /** Adds facts other than bars, without a provider request per symbol. Default: adds none. */
  readonly withFacts?:
    | ((instrument: Instrument, gathered: Gathered, signal: AbortSignal) => Promise<Gathered>)
    | undefined;
  /** Remembers the inputs of each row. Default: they are not remembered. */
  readonly signalLog?: Pick<Ports["signalLog"], "observe">;
  /** Computes the market index of a run over stocks of a fixed universe; a failure is only logged. Default: no index. */
  readonly index?: ((inputs: IndexInputs) => Promise<MarketIndexValue | null>) | undefined;
  /** Called with each batch of rows before it is written, in the process that computed it; a failure is only logged. */
  readonly onComputed?: ((computed: ComputedRows) => Promise<void>) | undefined;
  /** Called with the results before they are published; a failure is only logged. */
  readonly onFound?: ((run: RunFindings) => Promise<void>) | undefined;
}
