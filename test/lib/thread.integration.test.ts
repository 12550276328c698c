import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { isOutOfMemory, nextMessage } from "../../src/lib/thread.ts";
import { greedyThread } from "../support/source-thread.ts";

const thread = (code: string) => new Worker(code, { eval: true });

describe("the next message of a thread", () => {
  it("is what it sends", async () => {
    const worker = thread("require('node:worker_threads').parentPort.postMessage('done')");
    expect(await nextMessage(worker)).toBe("done");
    expect(["message", "error", "exit"].map((event) => worker.listenerCount(event))).toEqual([0, 0, 0]);
  });

  it("rejects with the error that ends the thread", async () => {
    const failure = await nextMessage(thread("throw new Error('no')")).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ message: "no" });
    expect(isOutOfMemory(failure)).toBe(false);
  });

  it("rejects when the thread ends without a message", async () => {
    await expect(nextMessage(thread("process.exit(3)"))).rejects.toThrow(
      "The thread ended with code 3 and without a message",
    );
  });

  it("tells a thread that ran out of memory from other failures", async () => {
    expect(isOutOfMemory(await nextMessage(greedyThread()).catch((cause: unknown) => cause))).toBe(true);
  });
});
