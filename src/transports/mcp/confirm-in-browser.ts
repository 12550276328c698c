import { setTimeout as wait } from "node:timers/promises";
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type ConfirmationState, PendingConfirmation } from "../../domain/trading/confirmation.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Progress, Tool } from "../../kernel/tool.ts";

/** Key of the question in a result that needs input. */
const KEY = "confirmation";
const POLL_MS = 1_000;
/** Longest wait for a decision in one response of revision 2026-07-28, shorter than the default timeout of clients. */
const ROUND_MS = 45_000;
/** Longest wait for a decision in older revisions; nothing waits longer for an order. */
const MAX_WAIT_MS = 15 * 60_000;
const MESSAGE =
  "This waits for a person of the account. Open the page in a browser that is signed in to this server, check the request, and confirm or refuse it there.";

type Data = Record<string, unknown>;

/** Returns true for a tool whose calls may have to wait for a person's confirmation. */
export const mayRequestConfirmation = ({ needs }: Pick<Tool, "needs">): boolean =>
  (needs as readonly string[]).includes("confirmations");

interface ConfirmedCall {
  run(): Promise<Data>;
  /** Null: there is no such request any more. */
  state(id: string): Promise<ConfirmationState | null>;
  progress(step: Progress): void;
  /** Running calls, to which a call belongs while it waits. */
  readonly running: Set<AbortController>;
}

/** Data of a call, or the question with which it is answered first. */
export type ConfirmedResult = { readonly data: Data } | { readonly question: InputRequiredResult };

/**
 * Runs a call. If it waits for a person's confirmation, opens the page of the confirmation at the client, waits until it
 * is decided there, and runs the call once more. The client's answer decides nothing: it only says whether a page opens.
 */
export async function runConfirmed(
  { run, state, progress, running }: ConfirmedCall,
  { mcpReq: { envelope, inputResponses, send, notify, signal, id } }: ServerContext,
): Promise<ConfirmedResult> {
  const first = await run().then(
    (data) => ({ data, pending: pendingIn(data[KEY]), error: null }),
    (error: unknown) => ({
      data: null,
      pending: pendingIn(error instanceof ToolError && error.data?.[KEY]),
      error,
    }),
  );
  const unconfirmed = () => {
    if (first.data === null) throw first.error;
    return { data: first.data };
  };
  const { pending } = first;
  if (pending === null) return unconfirmed();
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const settled = (maxMs: number) =>
    untilSettled(() => state(pending.id), { maxMs, signal: either, progress });
  running.add(stop);
  try {
    if (envelope !== undefined) {
      const question = {
        question: inputRequired({
          inputRequests: { [KEY]: inputRequired.elicitUrl({ message: MESSAGE, url: pending.url }) },
        }),
      };
      const answer = inputResponse(inputResponses, KEY);
      if (answer.kind !== "elicit") return question;
      if (answer.action !== "accept") return unconfirmed();
      if ((await settled(ROUND_MS)) === "waiting") return question;
    } else {
      const elicitationId = pending.id;
      const params = { mode: "url" as const, message: MESSAGE, url: pending.url, elicitationId };
      const answer = await send(
        { method: "elicitation/create", params },
        { relatedRequestId: id, signal: either, timeout: MAX_WAIT_MS },
      ).catch(() => null);
      if (answer?.action !== "accept") return unconfirmed();
      if ((await settled(MAX_WAIT_MS)) === "waiting") return unconfirmed();
      await notify({ method: "notifications/elicitation/complete", params: { elicitationId } }).catch(
        () => {},
      );
    }
  } finally {
    running.delete(stop);
  }
  return { data: await run() };
}

const pendingIn = (value: unknown): PendingConfirmation | null =>
  PendingConfirmation.safeParse(value).data ?? null;

/** Polls a state until it is decided, or for `maxMs`. Returns the last one. */
async function untilSettled(
  read: () => Promise<ConfirmationState | null>,
  {
    maxMs,
    signal,
    progress,
  }: { readonly maxMs: number; readonly signal: AbortSignal } & Pick<ConfirmedCall, "progress">,
): Promise<ConfirmationState | null> {
  for (let waited = 0; ; waited += POLL_MS) {
    const state = await read();
    if (state !== "waiting" || waited >= maxMs || signal.aborted) return state;
    // a client may end a call that shows no progress
    progress({ done: waited / 1_000, message: "Waiting for a person to confirm" });
    await wait(POLL_MS, undefined, { signal }).catch(() => {});
  }
}
