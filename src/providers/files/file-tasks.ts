import { embeddedListings } from "../../market/symbols/listings.ts";
import { loadExtended } from "./earlier-bars.ts";
import { inspectChange } from "./inspect-change.ts";

/** Work on the content of files, by name; input and output can be sent to a thread. */
export const FILE_TASKS = {
  change: (change: Parameters<typeof inspectChange>[0]) => inspectChange(change, embeddedListings()),
  load: loadExtended,
};

export type FileTasks = typeof FILE_TASKS;
export type FileTaskName = keyof FileTasks;
export type FileTaskInput<Name extends FileTaskName> = Parameters<FileTasks[Name]>[0];
export type FileTaskOutput<Name extends FileTaskName> = ReturnType<FileTasks[Name]>;

/** Runs a task on a number of bytes of files. */
export type RunFileTask = <Name extends FileTaskName>(
  name: Name,
  input: FileTaskInput<Name>,
  bytes: number,
) => Promise<FileTaskOutput<Name>>;

/** Runs the task of a name on this thread. */
export const runHere = <Name extends FileTaskName>(name: Name, input: FileTaskInput<Name>) =>
  (FILE_TASKS[name] as (input: FileTaskInput<Name>) => FileTaskOutput<Name>)(input);
