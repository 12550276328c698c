import {
  PushNotificationNotSupportedError,
  TaskNotFoundError,
  VersionNotSupportedError,
} from "@a2a-js/sdk/errors";
import { plainText } from "../../lib/plain-text.ts";

/** Said of another account's task and of one that never was, alike. */
export const noTask = () => new TaskNotFoundError("There is no such task. ListTasks shows yours.");

export const noPush = () =>
  new PushNotificationNotSupportedError(
    "Push notifications are not sent here. Stream, or ask for the task again.",
  );

export const noVersion = (version: string, spoken: string) =>
  new VersionNotSupportedError(
    `Protocol version "${plainText(version, 20)}" is not spoken here. Send the header A2A-Version: ${spoken}.`,
  );
