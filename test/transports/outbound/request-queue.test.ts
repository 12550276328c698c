import { describe, expect, it } from "vitest";
import { createRequestQueue } from "../../../src/transports/outbound/request-queue.ts";

/** Work that ends on request, and the names of running work. */
function testQueue(
  enqueue = createRequestQueue({ perHost: 2, perLane: 2, perAccount: 3, total: 3, waiting: 4 }),
) {
  const running: string[] = [];
  const ends = new Map<string, (cause?: Error) => void>();
  const begin = (host: string, name: string, signal?: AbortSignal, account = "one") =>
    enqueue(
      { host, account },
      signal,
      () =>
        new Promise<string>((resolve, reject) => {
          running.push(name);
          ends.set(name, (cause) => {
            running.splice(running.indexOf(name), 1);
            if (cause === undefined) resolve(name);
            else reject(cause);
          });
        }),
    );
  const end = async (name: string, cause?: Error) => {
    ends.get(name)!(cause);
    await new Promise(setImmediate);
  };
  return { running, begin, end };
}

describe("createRequestQueue", () => {
  it("limits running work per host and in total", async () => {
    const { running, begin, end } = testQueue();
    for (const name of ["a1", "a2", "a3"]) void begin("a", name);
    void begin("b", "b1");
    void begin("c", "c1");
    expect(running).toEqual(["a1", "a2", "b1"]);
    await end("b1");
    expect(running).toEqual(["a1", "a2", "c1"]);
    await end("a1");
    expect(running).toEqual(["a2", "c1", "a3"]);
  });

  it("starts the requests of another account before those of one at its limit", async () => {
    const limits = { perHost: 2, perLane: 2, perAccount: 2, total: 4, waiting: 2 };
    const { running, begin, end } = testQueue(createRequestQueue(limits));
    for (const name of ["a", "b", "c", "d"]) void begin(name, name);
    await expect(begin("e", "e")).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    void begin("f", "other", undefined, "two");
    expect(running).toEqual(["a", "b", "other"]);
    await end("other");
    expect(running, "the account stays at its limit").toEqual(["a", "b"]);
    await end("a");
    expect(running).toEqual(["b", "c"]);
  });

  it("leaves places of a host to other accounts", async () => {
    const limits = { perHost: 3, perLane: 2, perAccount: 4, total: 9, waiting: 4 };
    const { running, begin, end } = testQueue(createRequestQueue(limits));
    for (const name of ["a1", "a2", "a3"]) void begin("shared", name);
    void begin("shared", "b1", undefined, "two");
    void begin("shared", "b2", undefined, "two");
    expect(running).toEqual(["a1", "a2", "b1"]);
    await end("a1");
    expect(running).toEqual(["a2", "b1", "a3"]);
  });

  it("continues after a failure", async () => {
    const { running, begin, end } = testQueue(
      createRequestQueue({ perHost: 1, perLane: 1, perAccount: 1, total: 1, waiting: 1 }),
    );
    const first = begin("a", "a1");
    const second = begin("a", "a2");
    const failed = expect(first).rejects.toThrow("broken");
    await end("a1", new Error("broken"));
    await failed;
    expect(running).toEqual(["a2"]);
    await end("a2");
    expect(await second).toBe("a2");
  });

  it("rejects when too many wait", async () => {
    const { begin } = testQueue(
      createRequestQueue({ perHost: 1, perLane: 1, perAccount: 1, total: 1, waiting: 1 }),
    );
    void begin("a", "a1");
    void begin("a", "a2");
    await expect(begin("a", "a3")).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("removes an aborted entry", async () => {
    const { running, begin, end } = testQueue(
      createRequestQueue({ perHost: 1, perLane: 1, perAccount: 1, total: 1, waiting: 2 }),
    );
    const stop = new AbortController();
    void begin("a", "a1");
    const left = begin("a", "a2", stop.signal);
    void begin("a", "a3");
    stop.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await end("a1");
    expect(running).toEqual(["a3"]);
    await expect(begin("b", "b1", stop.signal)).rejects.toThrow("gone");
  });
});
