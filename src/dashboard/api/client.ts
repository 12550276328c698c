import { createClient, MarketSignalError } from "../../client/client.ts";
import type { Call } from "./tools.ts";

const client = createClient({
  url: "",
  fetch: (url, init) => fetch(url, { ...init, credentials: "same-origin" }),
});

/** Calls a tool as the person who is signed in. @throws MarketSignalError */
export const call = client.call as Call;
export { client, MarketSignalError };
