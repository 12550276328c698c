import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Waits until the nightly run of the server has finished. Asked beside the page, whose console stays empty. */
export async function runFinished(page: Page, url: string): Promise<void> {
  const isFinished = async () => {
    const answer = await page.request.get(`${url}/api/v1/signal-index`);
    return answer.status();
  };
  await expect.poll(isFinished, { timeout: 55_000, interval: 500 }).toBe(200);
}
