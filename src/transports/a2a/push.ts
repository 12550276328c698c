import { setTimeout as sleep } from "node:timers/promises";
import type { StreamResponse, Task, TaskPushNotificationConfig } from "@a2a-js/sdk";
import { TaskState } from "@a2a-js/sdk";
import { V03PushNotificationSerializer } from "@a2a-js/sdk/compat/v0_3/server";
import { RequestMalformedError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import {
  type PushNotificationSender,
  type PushNotificationStore,
  ServerCallContext,
  type TaskStore,
  V1PushNotificationSerializer,
} from "@a2a-js/sdk/server";
import type { OutboundClient } from "../../domain/alerts/outbound-client-port.ts";
import { isPermanentRefusal } from "../../domain/alerts/receiver.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import type { PushOutbox } from "../../domain/push-outbox-port.ts";
import { asToolError } from "../../kernel/errors.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { Turns } from "../../lib/turns.ts";
import { newSigningSecret, signatureHeaders } from "../../lib/webhook-signature.ts";
import { pushNotSupported } from "./errors.ts";
import { checkIds } from "./ids.ts";
import { requestStateOf } from "./request-state.ts";

/** Stores of push notification configs and of what is not delivered, and the client that sends notifications. */
export interface A2aPushDeps {
  readonly configs: Required<PushNotificationStore>;
  readonly outbox: PushOutbox;
  readonly post: OutboundClient;
}

/** Maximum number of push notification configs of a task. */
const MAX_CONFIGS_PER_TASK = 5;
const MAX_FIELD_LENGTH = 1_024;
/** Delay before each attempt, in milliseconds. */
const ATTEMPT_DELAYS_MS = [0, 1_000, 5_000, 30_000] as const;
/** Time that deliveries may take to finish at shutdown, in milliseconds. */
const CLOSE_GRACE_MS = 1_000;
/** Interval at which undelivered notifications of ended processes are looked for. */
const LEFT_MS = 60_000;
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
 * Creates a sender that delivers each event once and in order, with up to three retries. A delivery that fails is logged. A
 * notification that an ended process did not deliver is sent from the stored task, without the secrets of its artifacts.
 */
export function createPushSender(
  { configs, outbox, post }: A2aPushDeps,
  {
    tasks,
    clock,
    log,
  }: { readonly tasks: Pick<TaskStore, "load">; readonly clock: Clock; readonly log: Log },
): PushSender {
  const stop = new AbortController();
  /** By task for its events, by task and receiver for deliveries. */
  const turns = new Turns();
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
    for (const ms of ATTEMPT_DELAYS_MS) {
      if (ms > 0) await sleep(ms, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      if (stop.signal.aborted) return; // another process sends it
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
      if (typeof status === "number" && status >= 200 && status < 300) return outbox.remove(id);
      const isFinal = status === "REFUSED" || (typeof status === "number" && isPermanentRefusal(status));
      if (isFinal) break;
    }
    log.warn("a2a_push_undelivered", { notification: id });
    await outbox.remove(id);
  }

  const inTurn = (key: string, work: () => Promise<void>): Promise<void> =>
    turns.run(key, work).catch((cause: unknown) => log.error("a2a_push", { cause }));

  /** Delivers an event to its receivers, or only to that of the config `only`, after earlier events of the task. */
  async function send(
    response: StreamResponse,
    context: ServerCallContext,
    about: { readonly task: Task | undefined; readonly only?: string },
  ): Promise<void> {
    const event = notificationEventOf(response);
    if (event === null || closed) return;
    // the SDK does not wait until earlier events are delivered
    await inTurn(event.taskId, () => dispatch(event, { response, context, ...about }));
  }

  async function dispatch(
    event: { readonly taskId: string; readonly name: string },
    {
      response,
      context,
      task,
      only,
    }: {
      readonly response: StreamResponse;
      readonly context: ServerCallContext;
      readonly task: Task | undefined;
      readonly only?: string;
    },
  ): Promise<void> {
    const account = context.user?.userName ?? "";
    const receivers = await configs.loadWithMetadata(event.taskId, context);
    for (const { config, wireVersion } of receivers) {
      if (only !== undefined && config.id !== only) continue;
      const id = `pn_${idDigits(`${event.taskId}|${config.id}|${event.name}`)}`;
      if (!isNew(id)) continue;
      const { body, contentType } = serializers[wireVersion === "0.3" ? "0.3" : "1.0"].serialize(
        response,
        task,
      );
      // if this fails, the notification is lost only if the process ends
      const added = outbox
        .add({ id, account, task: event.taskId, config: config.id, event: event.name })
        .catch((cause: unknown) => log.warn("a2a_push_not_stored", { cause }));
      void inTurn(`${event.taskId}|${config.id}`, async () => {
        await added;
        await deliver(config, account, { id, body, contentType });
      });
    }
  }

  /** Sends notifications that ended processes did not deliver. */
  async function sendLeft(): Promise<void> {
    for (const { id, account, task: taskId, config, event } of await outbox.takeLeft()) {
      if (sent.has(id)) continue; // this process still delivers it
      const context = new ServerCallContext({ user: { isAuthenticated: true, userName: account } });
      const task = await tasks.load(taskId, context);
      const response = task === undefined ? null : responseOf(task, event);
      if (response === null) await outbox.remove(id);
      else await send(response, context, { task, only: config });
    }
  }
  const lookForLeft = () => void sendLeft().catch((cause: unknown) => log.warn("a2a_push", { cause }));
  const timer = setInterval(lookForLeft, LEFT_MS).unref();
  lookForLeft();

  return {
    send: (response, context, task) => send(response, context, { task }),
    async close() {
      closed = true;
      clearInterval(timer);
      const aborting = setTimeout(() => stop.abort(), CLOSE_GRACE_MS);
      await turns.idle();
      clearTimeout(aborting);
    },
  };
}

/** Returns the event of a stored task with this name; null if the task no longer has it. */
function responseOf(task: Task, name: string): StreamResponse | null {
  const about = { taskId: task.id, contextId: task.contextId, metadata: {} };
  const status: StreamResponse = {
    payload: { $case: "statusUpdate", value: { ...about, status: task.status } },
  };
  const artifacts = task.artifacts.map(
    (artifact): StreamResponse => ({
      payload: { $case: "artifactUpdate", value: { ...about, artifact, append: false, lastChunk: true } },
    }),
  );
  return [status, ...artifacts].find((response) => notificationEventOf(response)?.name === name) ?? null;
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
