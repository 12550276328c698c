import {
  PushNotificationNotSupportedError,
  TaskNotFoundError,
  VersionNotSupportedError,
} from "@a2a-js/sdk/errors";
import { plainText } from "../../lib/plain-text.ts";

/** Error for a task that does not exist or belongs to another account; both look the same to the caller. */
export const taskNotFound = () => new TaskNotFoundError("Task not found. ListTasks lists your tasks.");

const CONFIG_NOT_FOUND =
  "Push notification config not found. ListTaskPushNotificationConfigs lists the configs of a task.";
export const configNotFound = () => new TaskNotFoundError(CONFIG_NOT_FOUND);
export const isConfigNotFound = (thrown: unknown): boolean =>
  thrown instanceof TaskNotFoundError && thrown.message === CONFIG_NOT_FOUND;

export const pushNotSupported = () =>
  new PushNotificationNotSupportedError(
    "Push notifications are disabled on this server. Use streaming, or poll GetTask.",
  );

export const versionNotSupported = (version: string, supported: string) =>
  new VersionNotSupportedError(
    `Protocol version "${plainText(version, 20)}" is not supported. Send the header A2A-Version: ${supported}.`,
  );
