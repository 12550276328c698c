import { setTimeout as sleep } from "node:timers/promises";
import type { StreamResponse, Task, TaskPushNotificationConfig } from "@a2a-js/sdk";
import { TaskState } from "@a2a-js/sdk";
import { V03PushNotificationSerializer } from "@a2a-js/sdk/compat/v0_3/server";
import { RequestMalformedError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import {
  type PushNotificationSender,
  type PushNotificationStore,
  type ServerCallContext,
  V1PushNotificationSerializer,
} from "@a2a-js/sdk/server";
import type { OutboundClient } from "../../domain/alerts/outbound-client-port.ts";
import { isPermanentRefusal } from "../../domain/alerts/receiver.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import { asToolError } from "../../kernel/errors.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { newSigningSecret, signatureHeaders } from "../../lib/webhook-signature.ts";
import { pushNotSupported } from "./errors.ts";
import { checkIds } from "./ids.ts";
import { requestStateOf } from "./request-state.ts";

/** Store of push notification configs, and the client that sends notifications. */
export interface A2aPushDeps {
  readonly configs: Required<PushNotificationStore>;
  readonly post: OutboundClient;
}

/** Maximum number of push notification configs of a task. */
const MAX_CONFIGS_PER_TASK = 5;
const MAX_FIELD_LENGTH = 1_024;
/** Delay before each attempt, in milliseconds. */
const ATTEMPT_DELAYS_MS = [0, 1_000, 5_000, 30_000] as const;
/** Time that deliveries may take to finish at shutdown, in milliseconds. */
const CLOSE_GRACE_MS = 1_000;
/** Maximum number of remembered event ids, which prevent duplicates: a cancelled task publishes its final state twice. */
const MAX_REMEMBERED_EVENTS = 1_000;
const FINAL_STATES: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);
/** Returns true for a task with a final status. */
export const hasEnded = ({ status }: Pick<Task, "status">): boolean => FINAL_STATES.has(status?.state);

/**
 * Validates a push notification config and adds a token if it has none. Rejects with a protocol error if the key lacks
 * the write scope, a field is not plain text, or the URL is not allowed.
 */
export async function validateConfig(
  config: TaskPushNotificationConfig,
  context: ServerCallContext,
  { post }: A2aPushDeps,
): Promise<TaskPushNotificationConfig> {
  if (!requestStateOf(context).principal.scopes.includes("write"))
    throw new UnsupportedOperationError("Push notifications require a key with the write scope.");
  const { id = "", url, token, authentication } = config;
  checkIds({ id });
  if (typeof url !== "string" || url === "")
    throw new RequestMalformedError("The push notification config has no url.");
  const { scheme, credentials } = authentication ?? {};
  for (const [name, text] of Object.entries({ token, scheme, credentials }))
    if (
      text !== undefined &&
      !(typeof text === "string" && /^[ -~]*$/.test(text) && text.length <= MAX_FIELD_LENGTH)
    )
      throw new RequestMalformedError(
        `The ${name} of the push notification config must be plain text of at most ${MAX_FIELD_LENGTH} characters.`,
      );
  await post.check(url).catch((thrown: unknown) => {
    const { code, message, hint } = asToolError(thrown);
    if (code === "NOT_CONNECTED") throw pushNotSupported();
    if (code === "INTERNAL") throw thrown;
    throw new RequestMalformedError([message, hint].filter((text) => text !== undefined).join(" "));
  });
  return { ...config, id, token: token ? token : newSigningSecret() };
}

/** Rejects if the task already has the maximum number of push notification configs. */
export async function checkConfigLimit(
  { id, taskId }: TaskPushNotificationConfig,
  context: ServerCallContext,
  { configs }: A2aPushDeps,
): Promise<void> {
  const saved = await configs.load(taskId, context);
  if (saved.length >= MAX_CONFIGS_PER_TASK && !saved.some((config) => config.id === id))
    throw new UnsupportedOperationError(
      `A task may have at most ${MAX_CONFIGS_PER_TASK} push notification configs. Delete one, or reuse its id to replace it.`,
    );
}

/** Returns a config without the receiver's credentials, as callers see it. */
export const redactConfig = (config: TaskPushNotificationConfig): TaskPushNotificationConfig =>
  config.authentication === undefined
    ? config
    : { ...config, authentication: { ...config.authentication, credentials: "" } };

/**
 * Returns the signing secret for a token: the token itself if it starts with `whsec_`, otherwise a secret derived from
 * its bytes.
 */
export const signingSecretOf = (token: string): string =>
  token.startsWith("whsec_") ? token : `whsec_${Buffer.from(token).toString("base64")}`;

/** Sends artifacts, questions and final states of tasks to the configured receivers. */
export interface PushSender extends PushNotificationSender {
  /** Stops sending and resolves when running deliveries have ended. */
  close(): Promise<void>;
}

/**
 * Creates a sender that delivers each event once and in order, with up to three retries. A delivery that fails is
 * logged.
 */
export function createPushSender(
  { configs, post }: A2aPushDeps,
  {
    clock,
    log,
    waitsMs = ATTEMPT_DELAYS_MS,
  }: { readonly clock: Clock; readonly log: Log; readonly waitsMs?: readonly number[] },
): PushSender {
  const stop = new AbortController();
  const queues = new Map<string, Promise<void>>();
  const sent = new Set<string>();
  let closed = false;
  const serializers = {
    "1.0": new V1PushNotificationSerializer(),
    "0.3": new V03PushNotificationSerializer(),
  };

  function isNew(id: string): boolean {
    if (sent.has(id)) return false;
    sent.add(id);
    for (const oldest of sent) {
      if (sent.size <= MAX_REMEMBERED_EVENTS) break;
      sent.delete(oldest);
    }
    return true;
  }

  async function deliver(
    { url, token, authentication }: TaskPushNotificationConfig,
    account: string,
    { id, body, contentType }: { readonly id: string; readonly body: string; readonly contentType: string },
  ) {
    for (const ms of waitsMs) {
      if (ms > 0) await sleep(ms, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      if (stop.signal.aborted) return;
      const headers = {
        "content-type": contentType,
        ...signatureHeaders({ id, at: clock.now(), body }, signingSecretOf(token)),
        "x-a2a-notification-token": token,
        ...(authentication?.scheme &&
          authentication.credentials && {
            authorization: `${authentication.scheme} ${authentication.credentials}`,
          }),
      };
      const status = await post.send({ url, headers, body, account, signal: stop.signal }).then(
        (received) => received.status,
        (thrown: unknown) => asToolError(thrown).code,
      );
      if (typeof status === "number" && status >= 200 && status < 300) return;
      const isFinal = status === "REFUSED" || (typeof status === "number" && isPermanentRefusal(status));
      if (isFinal) break;
    }
    log.warn("a2a_push_undelivered", { notification: id });
  }

  return {
    async send(response, context, task) {
      const event = notificationEventOf(response);
      if (event === null || closed) return;
      const receivers = await configs.loadWithMetadata(event.taskId, context).catch((cause: unknown) => {
        log.error("a2a_push", { cause });
        return [];
      });
      for (const { config, wireVersion } of receivers) {
        const id = `pn_${idDigits(`${event.taskId}|${config.id}|${event.name}`)}`;
        if (!isNew(id)) continue;
        const { body, contentType } = serializers[wireVersion === "0.3" ? "0.3" : "1.0"].serialize(
          response,
          task,
        );
        const receiver = `${event.taskId}|${config.id}`;
        const next = (queues.get(receiver) ?? Promise.resolve())
          .then(() => deliver(config, context.user?.userName ?? "", { id, body, contentType }))
          .catch((cause: unknown) => log.error("a2a_push", { cause }))
          .finally(() => {
            if (queues.get(receiver) === next) queues.delete(receiver);
          });
        queues.set(receiver, next);
      }
    },
    async close() {
      closed = true;
      const timer = setTimeout(() => stop.abort(), CLOSE_GRACE_MS);
      await Promise.all(queues.values());
      clearTimeout(timer);
    },
  };
}

/** Returns the task id and a unique name for an event that must be sent; null for any other event. */
function notificationEventOf({
  payload,
}: StreamResponse): { readonly taskId: string; readonly name: string } | null {
  if (payload?.$case === "artifactUpdate")
    return { taskId: payload.value.taskId, name: `artifact ${payload.value.artifact?.artifactId ?? ""}` };
  if (payload?.$case === "statusUpdate" && FINAL_STATES.has(payload.value.status?.state))
    return { taskId: payload.value.taskId, name: `state ${payload.value.status?.state}` };
  if (
    payload?.$case === "statusUpdate" &&
    payload.value.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED
  )
    return {
      taskId: payload.value.taskId,
      name: `question ${payload.value.status.message?.messageId ?? ""}`,
    };
  if (payload?.$case === "task" && FINAL_STATES.has(payload.value.status?.state))
    return { taskId: payload.value.id, name: `state ${payload.value.status?.state}` };
  return null;
}
