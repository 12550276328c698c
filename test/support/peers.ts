import type { Peers } from "../../src/domain/peers-port.ts";

/** Returns the peers of each of `count` simulated processes; requests are handled immediately. */
export function connectedPeers(count: number): readonly Peers[] {
  const handlers = Array.from({ length: count }, () => new Map<string, (payload: never) => unknown>());
  return handlers.map((own) => ({
    request: async (topic, payload) => {
      const responses = handlers
        .filter((other) => other !== own)
        .map((other) => other.get(topic)?.(payload as never));
      return (await Promise.all(responses)).filter((response) => response != null);
    },
    onRequest: (topic, handler) => void own.set(topic, handler),
  }));
}
