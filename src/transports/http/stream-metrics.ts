import { Counter, Gauge, type Registry } from "prom-client";
import type { QuoteStreams } from "../../domain/market/quote-streams-port.ts";
import type { Clock } from "../../domain/ports.ts";

export interface StreamPorts {
  readonly clock: Clock;
  readonly quoteStreams?: QuoteStreams;
}

/** Registers the metrics of the connections to providers that stream prices. They are read when metrics are. */
export function registerStreamMetrics(registers: Registry[], { quoteStreams, clock }: StreamPorts): void {
  const status = () => quoteStreams?.status?.() ?? [];
  const labelNames = ["provider"] as const;
  new Gauge({
    name: "market_signal_stream_connections",
    help: "Open connections to a provider that streams prices.",
    labelNames,
    registers,
    collect() {
      for (const { provider, state } of status()) this.set({ provider }, state === "open" ? 1 : 0);
    },
  });
  new Gauge({
    name: "market_signal_stream_down",
    help: "1 while several attempts in a row to connect to a provider that streams prices have failed.",
    labelNames,
    registers,
    collect() {
      for (const { provider, state } of status()) this.set({ provider }, state === "down" ? 1 : 0);
    },
  });
  new Gauge({
    name: "market_signal_stream_subscriptions",
    help: "Symbols subscribed at a provider that streams prices.",
    labelNames,
    registers,
    collect() {
      for (const { provider, symbols } of status()) this.set({ provider }, symbols);
    },
  });
  new Gauge({
    name: "market_signal_stream_last_message_age_seconds",
    help: "Time since the last message of an open connection.",
    labelNames,
    registers,
    aggregator: "max",
    collect() {
      this.reset();
      for (const { provider, state, last_message_at: at } of status())
        if (state === "open" && at !== null)
          this.set({ provider }, Math.max(0, clock.now().getTime() - Date.parse(at)) / 1_000);
    },
  });
  new Counter({
    name: "market_signal_stream_reconnects_total",
    help: "Connections to a provider that failed or were lost; each is followed by a new one.",
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { provider, losses } of status()) this.inc({ provider }, losses);
    },
  });
}
