import { noPeers, type Peers } from "../../domain/peers-port.ts";

/** Recipients of messages by address, in all processes of the server. */
export interface Recipients<M> {
  /** Adds a recipient; it replaces an earlier one at the same address. Returns a function that removes it. */
  add(address: string, receive: (message: M) => void): () => void;
  /** Passes a message to a recipient of this process. Returns false if there is none. */
  deliver(address: string, message: M): boolean;
  /** Passes a message to a recipient of another process, if there is one. */
  forward(address: string, message: M): Promise<void>;
}

/** Creates an empty set of recipients; `topic` identifies it between the processes of the server. */
export function createRecipients<M>(topic: string, peers: Peers = noPeers): Recipients<M> {
  const recipients = new Map<string, (message: M) => void>();
  const deliver = (address: string, message: M): boolean => {
    const receive = recipients.get(address);
    receive?.(message);
    return receive !== undefined;
  };
  peers.onRequest(
    topic,
    ({ address, message }: { readonly address: string; readonly message: M }) =>
      deliver(address, message) || null,
  );
  return {
    add(address, receive) {
      recipients.set(address, receive);
      return () => {
        if (recipients.get(address) === receive) recipients.delete(address);
      };
    },
    deliver,
    async forward(address, message) {
      await peers.request(topic, { address, message });
    },
  };
}
