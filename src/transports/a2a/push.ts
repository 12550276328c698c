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
import { requestStateOf } from "./request-state.ts";
import { checkIds } from "./skill-call.ts";

/** What notifications are kept in and sent by. */
export interface A2aPushDeps {
  readonly configs: Required<PushNotificationStore>;
  readonly post: OutboundClient;
}

/** Notifications that one task may have. */
const MAX_CONFIGS_PER_TASK = 5;
const MAX_FIELD_LENGTH = 1_024;
/** Before each attempt. */
const ATTEMPT_DELAYS_MS = [0, 1_000, 5_000, 30_000] as const;
/** What is under way may end by itself for so long. */
const CLOSE_GRACE_MS = 1_000;
/** Events of which it is remembered that they were sent: a task that is cancelled tells its end twice. */
const MAX_REMEMBERED_EVENTS = 1_000;
const FINAL_STATES: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/**
 * The notification a client asks for, with a token of ours where it gave none. Throws the protocol's own error, saying why, where
 * the key may only read, its fields are no plain text, or its address would never be called.
 */
export async function validateConfig(
  config: TaskPushNotificationConfig,
  context: ServerCallContext,
  { post }: A2aPushDeps,
): Promise<TaskPushNotificationConfig> {
  if (!requestStateOf(context).principal.scopes.includes("write"))
    throw new UnsupportedOperationError(
      "This key may only read. Ask for notifications with a key of the scope write.",
    );
  const { id = "", url, token, authentication } = config;
  checkIds({ id });
  if (typeof url !== "string" || url === "")
    throw new RequestMalformedError("The notification names no url to send it to.");
  const { scheme, credentials } = authentication ?? {};
  for (const [name, text] of Object.entries({ token, scheme, credentials }))
    if (
      text !== undefined &&
      !(typeof text === "string" && /^[ -~]*$/.test(text) && text.length <= MAX_FIELD_LENGTH)
    )
      throw new RequestMalformedError(
        `The ${name} of the notification is no plain text of at most ${MAX_FIELD_LENGTH} characters.`,
      );
  await post.check(url).catch((thrown: unknown) => {
    const { code, message, hint } = asToolError(thrown);
    if (code === "NOT_CONNECTED") throw pushNotSupported();
    if (code === "INTERNAL") throw thrown;
    throw new RequestMalformedError([message, hint].filter((one) => one !== undefined).join(" "));
  });
  return { ...config, id, token: token ? token : newSigningSecret() };
}

/** Refuses one notification too many of a task. */
export async function checkConfigLimit(
  { id, taskId }: TaskPushNotificationConfig,
  context: ServerCallContext,
  { configs }: A2aPushDeps,
): Promise<void> {
  const known = await configs.load(taskId, context);
  if (known.length >= MAX_CONFIGS_PER_TASK && !known.some((one) => one.id === id))
    throw new UnsupportedOperationError(
      `A task has ${MAX_CONFIGS_PER_TASK} notifications at most. Delete one, or save it under its id.`,
    );
}

/** As it is shown: the credentials of the receiver are told to nobody. */
export const redactConfig = (config: TaskPushNotificationConfig): TaskPushNotificationConfig =>
  config.authentication === undefined
    ? config
    : { ...config, authentication: { ...config.authentication, credentials: "" } };

/** The secret that signs the notifications of a token: itself where it is `whsec_...`, else its bytes. */
export const signingSecretOf = (token: string): string =>
  token.startsWith("whsec_") ? token : `whsec_${Buffer.from(token).toString("base64")}`;

/** Sends artifacts and ends of tasks to whom their clients named. */
export interface PushSender extends PushNotificationSender {
  /** Sends nothing more and returns once nothing is under way. */
  close(): Promise<void>;
}

/** Each event once, in order, with a few retries; what then still fails is logged and not sent again. */
export function createPushSender(
  { configs, post }: A2aPushDeps,
  {
    clock,
    log,
    waitsMs = ATTEMPT_DELAYS_MS,
  }: { readonly clock: Clock; readonly log: Log; readonly waitsMs?: readonly number[] },
): PushSender {
  const stop = new AbortController();
  const lines = new Map<string, Promise<void>>();
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

  async function deliver(config: TaskPushNotificationConfig, id: string, body: string, type: string) {
    const { url, token, authentication } = config;
    for (const ms of waitsMs) {
      await pause(ms, stop.signal);
      if (stop.signal.aborted) return;
      const headers = {
        "content-type": type,
        ...signatureHeaders({ id, at: clock.now(), body }, signingSecretOf(token)),
        "x-a2a-notification-token": token,
        ...(authentication?.scheme &&
          authentication.credentials && {
            authorization: `${authentication.scheme} ${authentication.credentials}`,
          }),
      };
      const status = await post.send({ url, headers, body, signal: stop.signal }).then(
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
      const known = await configs.loadWithMetadata(event.taskId, context).catch((cause: unknown) => {
        log.error("a2a_push", { cause });
        return [];
      });
      for (const { config, wireVersion } of known) {
        const id = `pn_${idDigits(`${event.taskId}|${config.id}|${event.name}`)}`;
        if (!isNew(id)) continue;
        const { body, contentType } = serializers[wireVersion === "0.3" ? "0.3" : "1.0"].serialize(
          response,
          task,
        );
        const line = `${event.taskId}|${config.id}`;
        const next = (lines.get(line) ?? Promise.resolve())
          .then(() => deliver(config, id, body, contentType))
          .catch((cause: unknown) => log.error("a2a_push", { cause }))
          .finally(() => {
            if (lines.get(line) === next) lines.delete(line);
          });
        lines.set(line, next);
      }
    },
    async close() {
      closed = true;
      const late = setTimeout(() => stop.abort(), CLOSE_GRACE_MS);
      await Promise.all(lines.values());
      clearTimeout(late);
    },
  };
}

/** Which task an event is told of, and a name for it; null where nobody is told of it. */
function notificationEventOf({
  payload,
}: StreamResponse): { readonly taskId: string; readonly name: string } | null {
  if (payload?.$case === "artifactUpdate")
    return { taskId: payload.value.taskId, name: `artifact ${payload.value.artifact?.artifactId ?? ""}` };
  if (payload?.$case === "statusUpdate" && FINAL_STATES.has(payload.value.status?.state))
    return { taskId: payload.value.taskId, name: `state ${payload.value.status?.state}` };
  if (payload?.$case === "task" && FINAL_STATES.has(payload.value.status?.state))
    return { taskId: payload.value.id, name: `state ${stateOf(payload.value)}` };
  return null;
}

const stateOf = ({ status }: Task): string => String(status?.state);

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted || ms === 0) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms).unref();
    signal.addEventListener("abort", done, { once: true });
  });
