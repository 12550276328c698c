import {
  PushNotificationNotSupportedError,
  TaskNotFoundError,
  VersionNotSupportedError,
} from "@a2a-js/sdk/errors";
import { plainText } from "../../lib/plain-text.ts";

/** Said of another account's task and of one that never was, alike. */
export const noTask = () => new TaskNotFoundError("There is no such task. ListTasks shows yours.");

const NO_CONFIG = "There is no such notification of this task. ListTaskPushNotificationConfigs shows them.";
export const noConfig = () => new TaskNotFoundError(NO_CONFIG);
export const isNoConfig = (thrown: unknown): boolean =>
  thrown instanceof TaskNotFoundError && thrown.message === NO_CONFIG;

/** Said where the owner lets nothing be sent to addresses of clients. */
export const noPush = () =>
  new PushNotificationNotSupportedError(
    "This server sends no notifications: its owner has switched them off. Stream, or ask for the task again.",
  );

export const noVersion = (version: string, spoken: string) =>
  new VersionNotSupportedError(
    `Protocol version "${plainText(version, 20)}" is not spoken here. Send the header A2A-Version: ${spoken}.`,
  );
