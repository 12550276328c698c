import { createClient, MarketSignalError } from "../../client/client.ts";
import { endSession } from "./session.ts";
import type { Call } from "./tools.ts";

/** Requests a path of this server as the person who is signed in. */
export async function send(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, credentials: "same-origin" });
  if (response.status === 401) endSession();
  return response;
}

const client = createClient({ url: "", fetch: send });

/** Calls a tool as the person who is signed in. @throws MarketSignalError */
export const call = client.call as Call;
export { client, MarketSignalError };
