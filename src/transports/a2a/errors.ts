import {
  PushNotificationNotSupportedError,
  TaskNotFoundError,
  VersionNotSupportedError,
} from "@a2a-js/sdk/errors";
import { plainText } from "../../lib/plain-text.ts";

/** Said of another account's task and of one that never was, alike. */
export const taskNotFound = () => new TaskNotFoundError("There is no such task. ListTasks shows yours.");

const CONFIG_NOT_FOUND =
  "There is no such notification of this task. ListTaskPushNotificationConfigs shows them.";
export const configNotFound = () => new TaskNotFoundError(CONFIG_NOT_FOUND);
export const isConfigNotFound = (thrown: unknown): boolean =>
  thrown instanceof TaskNotFoundError && thrown.message === CONFIG_NOT_FOUND;

/** Said where the owner lets nothing be sent to addresses of clients. */
export const pushNotSupported = () =>
  new PushNotificationNotSupportedError(
    "This server sends no notifications: its owner has switched them off. Stream, or ask for the task again.",
  );

export const versionNotSupported = (version: string, spoken: string) =>
  new VersionNotSupportedError(
    `Protocol version "${plainText(version, 20)}" is not spoken here. Send the header A2A-Version: ${spoken}.`,
  );
