import { once } from "node:events";
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { sourceThread } from "../../support/source-thread.ts";
import type { DailyFile } from "./read-folder.ts";
import type { FileScores } from "./walk.ts";

/** A file that a thread scores; it answers with `FileScores`. */
export interface WalkJob {
  readonly file: DailyFile;
  readonly paths: number;
}

/** Scores files on as many threads as there are processors; returns the scores in the order of the files. */
export async function walkFiles(files: readonly DailyFile[], paths: number): Promise<readonly FileScores[]> {
  const scores: FileScores[] = [];
  let next = 0;
  const work = async () => {
    const thread = sourceThread(new URL("walk-thread.ts", import.meta.url).href);
    try {
      for (let i = next++; i < files.length; i = next++)
        scores[i] = await scoresOf(thread, { file: files[i]!, paths });
    } finally {
      await thread.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), files.length) }, work));
  return scores;
}

/** Rejects if the thread fails. */
async function scoresOf(thread: Worker, job: WalkJob): Promise<FileScores> {
  thread.postMessage(job);
  const [scores] = await once(thread, "message");
  return scores;
}
